"""Statements, questions and pairs of statements from our own templates; deterministic by seed.

Public data hardly has three things: people who talk about themselves in a chat ("I went there
yesterday"), questions that name the wrong person, and everyday updates with their look-alikes.
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
    """A question, its text with the position of the answer (-1 if the text does not answer it), and
    texts that only look like an answer."""

    question: str
    text: str
    start: int
    end: int
    relevant: bool
    others: tuple[str, ...]


def questions(count: int, fillers: Sequence[str], seed: int) -> Iterator[Asked]:
    """Yield questions; `fillers` are sentences of real chats that are put around the statement."""
    rng = random.Random(seed)
    for _ in range(count):
        yield _asked(rng, fillers)


def _asked(rng: random.Random, fillers: Sequence[str]) -> Asked:
    name, other = rng.sample(NAMES, 2)
    slots = _slots(rng)
    statement = _statement(rng, slots)
    kind = rng.choice(
        [kind for kind in ("what", "when", "where", "who", "why", "long") if kind in slots]
    )
    question = _question(rng, name, slots, kind)
    fate = rng.random()
    others = tuple(_distractors(rng, name, other, slots, fillers))
    if fate < 0.12:  # the question names somebody else
        return Asked(
            _question(rng, other, slots, kind), f"{name}: {statement}", -1, -1, False, others
        )
    if fate < 0.24 and kind != "what":  # told, but not that part of it
        less = _statement(rng, {key: value for key, value in slots.items() if key != kind})
        return Asked(question, f"{name}: {less}", -1, -1, True, others)
    text = f"{name}: {_around(rng, statement, fillers)}"
    start = text.find(slots[kind])
    return Asked(question, text, start, start + len(slots[kind]), True, others)


def _slots(rng: random.Random) -> dict[str, str]:
    is_plan = rng.random() < 0.25
    past, base, thing = rng.choice(PLANS if is_plan else EVENTS)
    slots = {"verb": past, "base": base, "what": thing, "plan": "yes" if is_plan else ""}
    if rng.random() < 0.6:
        slots["when"] = rng.choice(FUTURE if is_plan else TIMES)
    for key, values in (("where", PLACES), ("who", PEOPLE), ("why", REASONS), ("long", DURATIONS)):
        if rng.random() < (0.3 if key != "long" else 0.1):
            slots[key] = rng.choice(values)
    return slots


def _statement(rng: random.Random, slots: dict[str, str]) -> str:
    start = (
        rng.choice(["I'm going to ", "I plan to ", "We want to ", "I'd like to "])
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
    if "when" in slots and rng.random() < 0.75:
        parts.append(slots["when"])
    elif "when" in slots:
        first = slots["when"]
        parts = [f"{first[0].upper()}{first[1:]} {parts[0]}", *parts[1:]]
        slots["when"] = f"{first[0].upper()}{first[1:]}"
    if "why" in slots:
        parts.append(slots["why"])
    opener, closer = rng.choice(OPENERS), rng.choice(CLOSERS)
    return f"{opener}{' '.join(parts)}.{closer.format(adjective=rng.choice(ADJECTIVES))}"


def _question(rng: random.Random, name: str, slots: dict[str, str], kind: str) -> str:
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
    return rng.choice(ways[kind]).replace("  ", " ")


def _around(rng: random.Random, statement: str, fillers: Sequence[str]) -> str:
    before = f"{rng.choice(fillers)} " if rng.random() < 0.35 else ""
    after = f" {rng.choice(fillers)}" if rng.random() < 0.35 else ""
    return f"{before}{statement}{after}"


def _distractors(
    rng: random.Random, name: str, other: str, slots: dict[str, str], fillers: Sequence[str]
) -> Iterator[str]:
    """Other statements of the same and another person, a question about the thing, and chat."""
    for _ in range(3):
        yield f"{name}: {_around(rng, _statement(rng, _slots(rng)), fillers)}"
    yield f"{other}: {_statement(rng, _slots(rng))}"
    thing = slots["what"].replace("my ", "your ")
    yield f"{other}: {rng.choice(['That sounds great! ', 'Wow, ', ''])}how was {thing}?"
    yield f"{other}: {rng.choice(fillers)}"
    yield f"{name}: {rng.choice(fillers)}"


# --- pairs of statements


def pairs(count: int, seed: int) -> Iterator[tuple[str, str, int]]:
    """Yield (stored, new, relation), with about as many updates as look-alikes."""
    rng = random.Random(seed)
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
        old, new, relation = rng.choice(makers)(rng)
        yield _styled(rng, old, new, relation)


def _pick(rng: random.Random, values: Sequence[str]) -> tuple[str, str]:
    return tuple(rng.sample(values, 2)) if len(values) > 1 else ("", "")  # type: ignore[return-value]


def _update(rng: random.Random) -> tuple[str, str, int]:
    template, changes, values = rng.choice(ATTRIBUTES)
    old, new = _pick(rng, values)
    name, second = rng.sample(NAMES, 2)
    known = rng.choice([template, *changes]) if rng.random() < 0.15 and values != [""] else template
    change = rng.choice(changes)
    return known.format(v=old, o=name, o2=second), change.format(v=new, o=name, o2=second), UPDATE


def _same(rng: random.Random) -> tuple[str, str, int]:
    template, changes, values = rng.choice(
        [row for row in ATTRIBUTES if row[2] != [""] and "{o" not in row[0]]
    )
    value = rng.choice(values)
    ways = [template, *(change for change in changes if "{v}" in change and "moved" not in change)]
    old, new = (rng.choice(ways).format(v=value) for _ in range(2))
    if old == new:
        new = f"{rng.choice(['Just to confirm: ', 'As I said, ', 'Still true: '])}{new}"
    return old, new, SAME


def _many(rng: random.Random) -> tuple[str, str, int]:
    template, values = rng.choice(MANY)
    old, new = _pick(rng, values)
    first = rng.choice(NAMES)
    second = first if rng.random() < 0.7 else rng.choice(NAMES)
    also = rng.random() < 0.3
    text = template.format(v=new, o=second)
    if also:
        text = text.replace("I ", "I also ", 1) if text.startswith("I ") else f"Also: {text}"
    return template.format(v=old, o=first), text, UNRELATED


def _twin(rng: random.Random) -> tuple[str, str, int]:
    template, things = rng.choice(TWINS)
    first, second = rng.sample(rng.choice(things), 2)
    old = template.format(a=first, n=rng.randint(2, 30), c=rng.choice(CITIES))
    new = template.format(a=second, n=rng.randint(2, 30), c=rng.choice(CITIES))
    return old, new, UNRELATED


def _other_person(rng: random.Random) -> tuple[str, str, int]:
    """The same attribute of two speakers; neither changes the other."""
    template, changes, values = rng.choice(
        [row for row in ATTRIBUTES if row[0].startswith(("I ", "I'm ", "My "))]
    )
    old, new = _pick(rng, values)
    a, b = rng.sample(NAMES, 2)
    first = f"{a}: {template.format(v=old)}"
    second = f"{b}: {rng.choice([template, *changes]).format(v=new)}"
    return first, second, UNRELATED


def _extends(rng: random.Random) -> tuple[str, str, int]:
    template, _, values = rng.choice(ATTRIBUTES)
    known = template.format(v=rng.choice(values), o=rng.choice(NAMES), o2="")
    return known, f"{known[:-1]}. {rng.choice(EXTRAS)}", EXTENDS


def _random_pair(rng: random.Random) -> tuple[str, str, int]:
    first, second = rng.sample(ATTRIBUTES, 2)
    name = rng.choice(NAMES)
    old = first[0].format(v=rng.choice(first[2]), o=name, o2=name)
    return (
        old,
        rng.choice(second[1]).format(v=rng.choice(second[2]), o=name, o2=name),
        UNRELATED,
    )


def _styled(rng: random.Random, old: str, new: str, relation: int) -> tuple[str, str, int]:
    """The pair as turns of a chat, or as plain statements."""
    if old.split(":")[0] in NAMES or rng.random() < 0.6:
        return old, new, relation
    name = rng.choice(NAMES)
    opener = rng.choice(["", "", "By the way, ", "Update: ", "So, ", "Just so you know, "])
    second = (
        f"{opener}{new[0].lower()}{new[1:]}"
        if opener and not new.startswith("I")
        else f"{opener}{new}"
    )
    return f"{name}: {old}", f"{name}: {second}", relation
