"""Questions about what people say of themselves, in talks and notes; deterministic by seed.

A question about another person, or about something that was not said, has no answer."""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import changes
from grammar import Asked

# The shares of answered and unanswered questions. Unanswered ones are about another person, another
# thing, another subject, or a subject whose answer would look similar ("How much do I earn?" for a
# note about the rent).
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
    return [
        Note(said, tuple(tuple(templates.split(" / ")) for templates in asked))
        for said, *asked in parts
    ]


NOTES = _read()
_ANSWER, _KIND = re.compile(r"<([^<>]*)>"), re.compile(r"\[([a-z]+)|(\w+)")
_PLAIN_WORD = re.compile(r"\b[a-z]{3,}\b")
_ASKING = frozenset("what when where who which how the did does was kind".split())


def _kinds(said: str) -> list[str]:
    """The kind of each answer: the name of its list, or its first word."""
    words = [_KIND.findall(answer) for answer in _ANSWER.findall(said)]
    return [next((name for name, _ in kinds if name), kinds[0][1]) for kinds in words]


def _question_words(templates: Sequence[str]) -> set[str]:
    return set(_PLAIN_WORD.findall(" ".join(templates).lower())) - _ASKING


def _look_alikes() -> dict[tuple[int, int], list[str]]:
    """For each answer of each note, questions of other notes with the same kind of answer."""
    places = [
        (number, at, kind)
        for number, note in enumerate(NOTES)
        for at, kind in enumerate(_kinds(note.said))
    ]
    asked_words = [
        _question_words(
            [template for templates in note.questions for template in templates] + [note.said]
        )
        for note in NOTES
    ]
    return {
        (number, at): [
            question
            for other, place, other_kind in places
            if other_kind == kind and other != number
            for question in NOTES[other].questions[place]
            if len(_question_words([question]) & asked_words[number]) * 2
            <= len(_question_words([question]))
        ]
        for number, at, kind in places
    }


LOOK_ALIKES = _look_alikes()


def questions(count: int, fillers: Sequence[str], seed: int) -> Iterator[Asked]:
    """Yield questions; `fillers` are sentences of real chats that are put around the statement."""
    rng = random.Random(seed)
    for _ in range(count):
        yield _asked(rng, fillers)


def _asked(rng: random.Random, fillers: Sequence[str]) -> Asked:
    number, values = rng.randrange(len(NOTES)), _values(rng)
    note, at = NOTES[number], rng.randrange(len(NOTES[number].questions))
    template = rng.choice(note.questions[at])
    name, other = rng.sample(changes.LISTS["name"], 2)
    in_talk = rng.random() < 0.75
    fate = rng.choices([kind for kind, _ in FATES], [share for _, share in FATES])[0]
    if fate == "person" and not in_talk and rng.random() < 0.5:
        fate = "said"
    if fate == "thing":
        template = _about_other_thing(rng, note.said, template) or template
        fate = "thing" if template not in note.questions[at] else "said"
    if fate == "like":
        alike = LOOK_ALIKES[number, at]
        template, fate = (rng.choice(alike), "like") if alike else (template, "said")
    about = other if fate == "person" else name if in_talk else ""
    question = _filled(template, values, about)
    text, start, end = _text(rng, note.said, values, at, fillers)
    speaker = f"{name}: " if in_talk else ""
    others = tuple(_others(rng, note, values, name, other, in_talk, fillers))
    if fate == "matter":
        return Asked(question, others[0], -1, -1, False, (*others[1:],))
    if fate != "said":
        return Asked(question, f"{speaker}{text}", -1, -1, False, others)
    shift = len(speaker)
    return Asked(question, f"{speaker}{text}", start + shift, end + shift, True, others)


def _values(rng: random.Random) -> changes.Values:
    values = changes._values(rng)
    values.update({("past", "1"): rng.choice(PAST), ("coming", "1"): rng.choice(COMING)})
    return values


def _about_other_thing(rng: random.Random, said: str, question: str) -> str | None:
    shared = [f"[{name}1]" for name in THINGS if f"[{name}1]" in question and f"[{name}1]" in said]
    return question.replace(slot := rng.choice(shared), f"{slot[:-2]}6]") if shared else None


def _filled(template: str, values: changes.Values, about: str) -> str:
    """The question in the first person, or about a person by name."""
    if not about:
        return changes._filled(template.format(**FIRST), values)
    third = {"I": about, "my": f"{about}'s", "me": about, "do": "does", "have": "has", "am": "is"}
    return changes._filled(template.format(**third, was="was"), values)


def _text(
    rng: random.Random,
    said: str,
    values: changes.Values,
    at: int,
    fillers: Sequence[str],
) -> tuple[str, int, int]:
    """The statement, perhaps with text around it, and the position of the answer."""
    lead = rng.choice(LEADS)
    before = f"{rng.choice(fillers)} " if rng.random() < 0.3 else ""
    if rng.random() < 0.2:
        more = rng.choice(NOTES)
        before += f"{_MARK.sub('', changes._filled(more.said, _values(rng)))} "
    marked = changes._filled(said, values)
    parts = re.split(r"[<>]", marked)
    inside = 2 * at + 1
    head = "".join(parts[:inside])
    start = len(before) + len(lead) + len(head)
    after = f" {rng.choice(fillers)}" if rng.random() < 0.35 else ""
    text = f"{before}{lead}{''.join(parts)}{after}"
    return text, start, start + len(parts[inside])


def _others(
    rng: random.Random,
    note: Note,
    values: changes.Values,
    name: str,
    other: str,
    in_talk: bool,
    fillers: Sequence[str],
) -> Iterator[str]:
    """Other statements of the same person, the same statement of another person, and chat."""
    for _ in range(3):
        other_note = rng.choice(NOTES)
        if other_note is note:
            continue
        text = _MARK.sub("", changes._filled(other_note.said, _values(rng)))
        yield f"{name}: {text}" if in_talk else text
    theirs = _MARK.sub("", changes._filled(note.said, _values(rng)))
    yield f"{other}: {theirs}" if in_talk else f"{other} said: {theirs}"
    yield f"{other}: {rng.choice(fillers)}"
    yield f"{name}: {rng.choice(fillers)}"
