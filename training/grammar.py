"""Statements, questions and pairs of statements made by our own templates; pure, by seed.

Three things that public data hardly has: people who tell of themselves in a chat ("I went there
yesterday"), questions that name the wrong person, and everyday updates beside their look-alikes.
"""

import random
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SAME, UPDATE, EXTENDS, UNRELATED = range(4)

TABLES = tomllib.loads(Path(__file__).with_name("grammar.toml").read_text())
NAMES, CITIES, PLACES, PEOPLE = (TABLES[name] for name in ("names", "cities", "places", "people"))
TIMES, FUTURE, DURATIONS, REASONS = (
    TABLES[name] for name in ("times", "future", "durations", "reasons")
)
EVENTS, PLANS, OPENERS, CLOSERS = (
    TABLES[name] for name in ("events", "plans", "openers", "closers")
)
ADJECTIVES, EXTRAS = TABLES["adjectives"], TABLES["extras"]


def _values(row: dict[str, Any]) -> list[str]:
    return CITIES if row["values"] == "cities" else row["values"]


ATTRIBUTES = [(row["said"], row["changed"], _values(row)) for row in TABLES["attributes"]]
MANY = [(row["said"], _values(row)) for row in TABLES["many"]]
TWINS = [(row["said"], row["things"]) for row in TABLES["twins"]]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, its text with the answer's place (-1 when the text does not answer), and texts
    that look like an answer and are none."""

    question: str
    text: str
    start: int
    end: int
    relevant: bool
    others: tuple[str, ...]


def questions(count: int, fillers: Sequence[str], seed: int) -> Iterator[Asked]:
    """`fillers` are sentences of real chats, put around what is told."""
    choose = random.Random(seed)
    for _ in range(count):
        yield _asked(choose, fillers)


def _asked(choose: random.Random, fillers: Sequence[str]) -> Asked:
    name, other = choose.sample(NAMES, 2)
    slots = _slots(choose)
    said = _statement(choose, slots)
    kind = choose.choice(
        [kind for kind in ("what", "when", "where", "who", "why", "long") if kind in slots]
    )
    question = _question(choose, name, slots, kind)
    fate = choose.random()
    others = tuple(_distractors(choose, name, other, slots, fillers))
    if fate < 0.12:  # the question names somebody else
        return Asked(
            _question(choose, other, slots, kind), f"{name}: {said}", -1, -1, False, others
        )
    if fate < 0.24 and kind != "what":  # told, but not that part of it
        less = _statement(choose, {key: value for key, value in slots.items() if key != kind})
        return Asked(question, f"{name}: {less}", -1, -1, True, others)
    text = f"{name}: {_around(choose, said, fillers)}"
    start = text.find(slots[kind])
    return Asked(question, text, start, start + len(slots[kind]), True, others)


def _slots(choose: random.Random) -> dict[str, str]:
    is_plan = choose.random() < 0.25
    past, base, thing = choose.choice(PLANS if is_plan else EVENTS)
    slots = {"verb": past, "base": base, "what": thing, "plan": "yes" if is_plan else ""}
    if choose.random() < 0.6:
        slots["when"] = choose.choice(FUTURE if is_plan else TIMES)
    for key, values in (("where", PLACES), ("who", PEOPLE), ("why", REASONS), ("long", DURATIONS)):
        if choose.random() < (0.3 if key != "long" else 0.1):
            slots[key] = choose.choice(values)
    return slots


def _statement(choose: random.Random, slots: dict[str, str]) -> str:
    start = (
        choose.choice(["I'm going to ", "I plan to ", "We want to ", "I'd like to "])
        if slots["plan"]
        else "I "
    )
    parts = [start + slots["verb"]]
    if "who" in slots:
        parts.append(f"with {slots['who']}")
    if "where" in slots:
        parts.append(f"at {slots['where']}")
    if "long" in slots:
        parts.append(
            f"for {slots['long']}" if not slots["long"].startswith("since") else slots["long"]
        )
    if "when" in slots and choose.random() < 0.75:
        parts.append(slots["when"])
    elif "when" in slots:
        first = slots["when"]
        parts = [f"{first[0].upper()}{first[1:]} {parts[0]}", *parts[1:]]
        slots["when"] = f"{first[0].upper()}{first[1:]}"
    if "why" in slots:
        parts.append(slots["why"])
    opener, closer = choose.choice(OPENERS), choose.choice(CLOSERS)
    return f"{opener}{' '.join(parts)}.{closer.format(adjective=choose.choice(ADJECTIVES))}"


def _question(choose: random.Random, name: str, slots: dict[str, str], kind: str) -> str:
    base, thing = slots["base"], slots["what"].replace("my ", "the ")
    did, will = ("is", "going to ") if slots["plan"] else ("did", "")
    deed = f"{will}{base}" if base == "do" else f"{will}{base} {thing}"
    if base == "do":
        deed = f"{will}{'go ' if not slots['plan'] else ''}{thing}"
    ways = {
        "what": [
            f"What {did} {name} {will}{base}?",
            f"What has {name} told about wanting to {base}?"
            if slots["plan"]
            else f"Which thing {did} {name} {base}?",
        ],
        "when": [
            f"When {did} {name} {deed}?",
            f"What day {did} {name} {deed}?",
            f"When was it that {name} {slots['verb']}?"
            if not slots["plan"]
            else f"When is {name} planning to {base} {thing}?",
        ],
        "where": [f"Where {did} {name} {deed}?", f"At which place {did} {name} {deed}?"],
        "who": [f"Who {did} {name} {deed} with?", f"With whom {did} {name} {deed}?"],
        "why": [f"Why {did} {name} {deed}?", f"For what reason {did} {name} {deed}?"],
        "long": [f"How long {did} {name} {deed}?"],
    }
    return choose.choice(ways[kind]).replace("  ", " ")


def _around(choose: random.Random, said: str, fillers: Sequence[str]) -> str:
    before = f"{choose.choice(fillers)} " if choose.random() < 0.35 else ""
    after = f" {choose.choice(fillers)}" if choose.random() < 0.35 else ""
    return f"{before}{said}{after}"


def _distractors(
    choose: random.Random, name: str, other: str, slots: dict[str, str], fillers: Sequence[str]
) -> Iterator[str]:
    """The same person with something else, another with the same thing, a question about it."""
    for _ in range(3):
        yield f"{name}: {_around(choose, _statement(choose, _slots(choose)), fillers)}"
    yield f"{other}: {_statement(choose, _slots(choose))}"
    theirs = slots["what"].replace("my ", "your ")
    yield f"{other}: {choose.choice(['That sounds great! ', 'Wow, ', ''])}how was {theirs}?"
    yield f"{other}: {choose.choice(fillers)}"
    yield f"{name}: {choose.choice(fillers)}"


# --- pairs of statements


def pairs(count: int, seed: int) -> Iterator[tuple[str, str, int]]:
    """(stored, new, relation), about as many updates as look-alikes."""
    choose = random.Random(seed)
    makers = (
        _update,
        _update,
        _update,
        _same,
        _many,
        _many,
        _twin,
        _twin,
        _other_person,
        _extends,
        _random_pair,
    )
    for _ in range(count):
        old, new, relation = choose.choice(makers)(choose)
        yield _styled(choose, old, new, relation)


def _pick(choose: random.Random, values: Sequence[str]) -> tuple[str, str]:
    return tuple(choose.sample(values, 2)) if len(values) > 1 else ("", "")  # type: ignore[return-value]


def _update(choose: random.Random) -> tuple[str, str, int]:
    template, changes, values = choose.choice(ATTRIBUTES)
    old, new = _pick(choose, values)
    name, second = choose.sample(NAMES, 2)
    said = (
        choose.choice([template, *changes])
        if choose.random() < 0.15 and values != [""]
        else template
    )
    change = choose.choice(changes)
    return said.format(v=old, o=name, o2=second), change.format(v=new, o=name, o2=second), UPDATE


def _same(choose: random.Random) -> tuple[str, str, int]:
    template, changes, values = choose.choice(
        [row for row in ATTRIBUTES if row[2] != [""] and "{o" not in row[0]]
    )
    value = choose.choice(values)
    ways = [template, *(change for change in changes if "{v}" in change and "moved" not in change)]
    old, new = (choose.choice(ways).format(v=value) for _ in range(2))
    if old == new:
        new = f"{choose.choice(['Just to confirm: ', 'As I said, ', 'Still true: '])}{new}"
    return old, new, SAME


def _many(choose: random.Random) -> tuple[str, str, int]:
    template, values = choose.choice(MANY)
    old, new = _pick(choose, values)
    first = choose.choice(NAMES)
    second = first if choose.random() < 0.7 else choose.choice(NAMES)
    also = choose.random() < 0.3
    text = template.format(v=new, o=second)
    if also:
        text = text.replace("I ", "I also ", 1) if text.startswith("I ") else f"Also: {text}"
    return template.format(v=old, o=first), text, UNRELATED


def _twin(choose: random.Random) -> tuple[str, str, int]:
    template, things = choose.choice(TWINS)
    first, second = choose.sample(choose.choice(things), 2)
    old = template.format(a=first, n=choose.randint(2, 30), c=choose.choice(CITIES))
    new = template.format(a=second, n=choose.randint(2, 30), c=choose.choice(CITIES))
    return old, new, UNRELATED


def _other_person(choose: random.Random) -> tuple[str, str, int]:
    """What one says of themselves is nothing to what another says."""
    template, changes, values = choose.choice(
        [row for row in ATTRIBUTES if row[0].startswith(("I ", "I'm ", "My "))]
    )
    old, new = _pick(choose, values)
    a, b = choose.sample(NAMES, 2)
    first = f"{a}: {template.format(v=old)}"
    second = f"{b}: {choose.choice([template, *changes]).format(v=new)}"
    return first, second, UNRELATED


def _extends(choose: random.Random) -> tuple[str, str, int]:
    template, _, values = choose.choice(ATTRIBUTES)
    said = template.format(v=choose.choice(values), o=choose.choice(NAMES), o2="")
    return said, f"{said[:-1]}. {choose.choice(EXTRAS)}", EXTENDS


def _random_pair(choose: random.Random) -> tuple[str, str, int]:
    first, second = choose.sample(ATTRIBUTES, 2)
    name = choose.choice(NAMES)
    old = first[0].format(v=choose.choice(first[2]), o=name, o2=name)
    return (
        old,
        choose.choice(second[1]).format(v=choose.choice(second[2]), o=name, o2=name),
        UNRELATED,
    )


def _styled(choose: random.Random, old: str, new: str, relation: int) -> tuple[str, str, int]:
    """Told by somebody in a chat, or plainly."""
    if old.split(":")[0] in NAMES or choose.random() < 0.6:
        return old, new, relation
    name = choose.choice(NAMES)
    opener = choose.choice(["", "", "By the way, ", "Update: ", "So, ", "Just so you know, "])
    second = (
        f"{opener}{new[0].lower()}{new[1:]}"
        if opener and not new.startswith("I")
        else f"{opener}{new}"
    )
    return f"{name}: {old}", f"{name}: {second}", relation
