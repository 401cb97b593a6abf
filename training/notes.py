"""Questions asked of what people say of themselves, in talks and in notes; pure, by seed.

A question may name somebody else, or something that was not said: then there is no answer."""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import changes
from grammar import Asked

# How often nothing answers: another person is asked about, another thing, another matter, or a
# matter whose answer would look alike ("How much do I earn?" where a note says what the rent is).
FATES = (("said", 0.46), ("person", 0.2), ("thing", 0.12), ("matter", 0.06), ("like", 0.16))
THINGS = (
    "thing", "pet", "kin", "rel", "event", "trip", "hobby", "device", "service", "med", "app",
    "group", "vehicle", "appliance", "body", "food", "subject", "book", "film",
)  # fmt: skip
PAST = (
    "yesterday", "last night", "last week", "last Friday", "two days ago", "a month ago",
    "in 2019", "last year", "on Monday", "last summer", "three weeks ago", "in March",
    "the other day", "last weekend", "a few years ago", "on 12 May",
)  # fmt: skip
COMING = (
    "next week", "in June", "next month", "on Friday", "this summer", "tomorrow", "in two weeks",
)  # fmt: skip
LEADS = (
    "", "", "", "", "So, ", "By the way, ", "Guess what! ", "Yeah, ", "Oh, ", "Thanks! ", "Hey! ",
)  # fmt: skip
FIRST = {"I": "I", "my": "my", "me": "me", "do": "do", "have": "have", "am": "am", "was": "was"}
_MARK = re.compile(r"[<>]")


@dataclass(frozen=True, slots=True)
class Note:
    said: str
    questions: tuple[tuple[str, ...], ...]


def _read() -> list[Note]:
    lines = Path(__file__).with_name("notes.txt").read_text().splitlines()
    parts = [line.split(" // ") for line in lines if line and not line.startswith("#")]
    return [Note(said, tuple(tuple(one.split(" / ")) for one in asked)) for said, *asked in parts]


NOTES = _read()
_ANSWER, _KIND = re.compile(r"<([^<>]*)>"), re.compile(r"\[([a-z]+)|(\w+)")
_PLAIN_WORD = re.compile(r"\b[a-z]{3,}\b")
_ASKING = frozenset("what when where who which how the did does was kind".split())


def _kinds(said: str) -> list[str]:
    """Of each answer, what it is a case of: the name of its list, or its first word."""
    found = [_KIND.findall(answer) for answer in _ANSWER.findall(said)]
    return [next((name for name, _ in kinds if name), kinds[0][1]) for kinds in found]


def _asks(templates: Sequence[str]) -> set[str]:
    return set(_PLAIN_WORD.findall(" ".join(templates).lower())) - _ASKING


def _look_alikes() -> dict[tuple[int, int], list[str]]:
    """For each answer of each note, questions of other notes that ask for such an answer."""
    places = [
        (number, at, kind)
        for number, note in enumerate(NOTES)
        for at, kind in enumerate(_kinds(note.said))
    ]
    every = [
        _asks([one for some in note.questions for one in some] + [note.said]) for note in NOTES
    ]
    return {
        (number, at): [
            question
            for other, place, its in places
            if its == kind and other != number
            for question in NOTES[other].questions[place]
            if len(_asks([question]) & every[number]) * 2 <= len(_asks([question]))
        ]
        for number, at, kind in places
    }


LOOK_ALIKES = _look_alikes()


def questions(count: int, fillers: Sequence[str], seed: int) -> Iterator[Asked]:
    """`fillers` are sentences of real chats, put around what is said."""
    choose = random.Random(seed)
    for _ in range(count):
        yield _asked(choose, fillers)


def _asked(choose: random.Random, fillers: Sequence[str]) -> Asked:
    number, values = choose.randrange(len(NOTES)), _values(choose)
    note, at = NOTES[number], choose.randrange(len(NOTES[number].questions))
    template = choose.choice(note.questions[at])
    name, other = choose.sample(changes.LISTS["name"], 2)
    in_talk = choose.random() < 0.75
    fate = choose.choices([kind for kind, _ in FATES], [share for _, share in FATES])[0]
    if fate == "person" and not in_talk and choose.random() < 0.5:
        fate = "said"
    if fate == "thing":
        template = _of_other_thing(choose, note.said, template) or template
        fate = "thing" if template not in note.questions[at] else "said"
    if fate == "like":
        alike = LOOK_ALIKES[number, at]
        template, fate = (choose.choice(alike), "like") if alike else (template, "said")
    about = other if fate == "person" else name if in_talk else ""
    question = _filled(template, values, about)
    text, start, end = _text(choose, note.said, values, at, fillers)
    speaker = f"{name}: " if in_talk else ""
    others = tuple(_others(choose, note, values, name, other, in_talk, fillers))
    if fate == "matter":
        return Asked(question, others[0], -1, -1, False, (*others[1:],))
    if fate != "said":
        return Asked(question, f"{speaker}{text}", -1, -1, False, others)
    shift = len(speaker)
    return Asked(question, f"{speaker}{text}", start + shift, end + shift, True, others)


def _values(choose: random.Random) -> changes.Values:
    values = changes._values(choose)
    values.update({("past", "1"): choose.choice(PAST), ("coming", "1"): choose.choice(COMING)})
    return values


def _of_other_thing(choose: random.Random, said: str, question: str) -> str | None:
    shared = [f"[{name}1]" for name in THINGS if f"[{name}1]" in question and f"[{name}1]" in said]
    return question.replace(slot := choose.choice(shared), f"{slot[:-2]}6]") if shared else None


def _filled(template: str, values: changes.Values, about: str) -> str:
    """Asked by the one who said it, or of them by name."""
    if not about:
        return changes._filled(template.format(**FIRST), values)
    third = {"I": about, "my": f"{about}'s", "me": about, "do": "does", "have": "has", "am": "is"}
    return changes._filled(template.format(**third, was="was"), values)


def _text(
    choose: random.Random,
    said: str,
    values: changes.Values,
    at: int,
    fillers: Sequence[str],
) -> tuple[str, int, int]:
    """What is said, perhaps with more around it, and where the answer stands in it."""
    lead = choose.choice(LEADS)
    before = f"{choose.choice(fillers)} " if choose.random() < 0.3 else ""
    if choose.random() < 0.2:
        more = choose.choice(NOTES)
        before += f"{_MARK.sub('', changes._filled(more.said, _values(choose)))} "
    marked = changes._filled(said, values)
    parts = re.split(r"[<>]", marked)
    inside = 2 * at + 1
    head = "".join(parts[:inside])
    start = len(before) + len(lead) + len(head)
    after = f" {choose.choice(fillers)}" if choose.random() < 0.35 else ""
    text = f"{before}{lead}{''.join(parts)}{after}"
    return text, start, start + len(parts[inside])


def _others(
    choose: random.Random,
    note: Note,
    values: changes.Values,
    name: str,
    other: str,
    in_talk: bool,
    fillers: Sequence[str],
) -> Iterator[str]:
    """Other things of the same person, the same of another, and chat."""
    for _ in range(3):
        some = choose.choice(NOTES)
        if some is note:
            continue
        text = _MARK.sub("", changes._filled(some.said, _values(choose)))
        yield f"{name}: {text}" if in_talk else text
    theirs = _MARK.sub("", changes._filled(note.said, _values(choose)))
    yield f"{other}: {theirs}" if in_talk else f"{other} said: {theirs}"
    yield f"{other}: {choose.choice(fillers)}"
    yield f"{name}: {choose.choice(fillers)}"
