"""Pairs of everyday statements from the families of `changes.txt`; deterministic by seed."""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

SAME, UPDATE, EXTENDS, UNRELATED, CANCELS = range(5)
KINDS = {"~": SAME, ">": UPDATE, "+": EXTENDS, "-": UNRELATED, "x": CANCELS}
# The share of each relation.
SHARES = {UPDATE: 0.52, UNRELATED: 0.24, EXTENDS: 0.12, SAME: 0.12}
# The share of pairs in which something else of the same person or thing changes.
OTHER_MATTER = 0.12
SLOT = re.compile(r"\[([a-z]+)(\d)\]")
# Words that two statements may share without being about the same subject.
EMPTY = frozenset(
    "have this that with from they them been were will since these days again more longer"
    " instead after until into back came went gave took moved move time once there than then"
    " next last year years month first other another favourite turned started start stop"
    " stopped called name also hour week only still here comes come make made".split()
)
# In these forms a statement is a question, guess, hope or opinion, and changes nothing.
WRAPPERS = (
    "Maybe {}", "I wonder whether {}", "{name} thinks that {}", "If {}, tell me.",
    "Is it true that {}?", "What if {}?", "I dreamed that {}", "It would be nice if {}",
    "{name} hopes that {}", "Perhaps {}", "In the novel {}", "Suppose {}",
    "{name} asked whether {}",
)  # fmt: skip
OPENERS = (
    "By the way, ", "Update: ", "FYI: ", "So, ", "Just so you know, ", "News: ", "Oh, ",
    "Good news: ", "Note: ",
)  # fmt: skip


@dataclass
class Family:
    several: bool
    known: list[str] = field(default_factory=list)
    later: list[tuple[int, str]] = field(default_factory=list)


def read(path: Path) -> tuple[dict[str, list[str]], list[Family]]:
    lists: dict[str, list[str]] = {}
    families: list[Family] = []
    for line in path.read_text().splitlines():
        mark, _, rest = line.partition(" ")
        ways = [way.strip() for way in rest.split(" / ")]
        if mark.startswith("@"):
            lists[mark[1:]] = ways
        elif mark in ("=", "=*"):
            families.append(Family(mark == "=*", ways))
        elif mark in KINDS:
            families[-1].later += [(KINDS[mark], way) for way in ways]
    return lists, families


def _all() -> tuple[dict[str, list[str]], list[Family]]:
    lists: dict[str, list[str]] = {}
    families: list[Family] = []
    for name in ("changes.txt", "changes_more.txt"):
        more, others = read(Path(__file__).with_name(name))
        lists, families = lists | more, families + others
    return lists, families


LISTS, FAMILIES = _all()
# Named things: two statements with the same name are about the same subject.
OWN_MATTER = frozenset("book film lang service med hobby subject thing".split())
# Slots that can be the subject of a statement.
SUBJECTS = "name|petname|server|vehicle|room|app|device|appliance|plant|thing|group|event|shop|body"
# Slots that can be filled with another value, which makes it a different subject.
EXCHANGED = (*SUBJECTS.split("|"), "service", "med", "trip", "hobby", "subject")
OTHER_OWNERS = (
    "[name6]'s", "My [kin6]'s", "The neighbour's", "My boss's", "[name6]'s old", "The other",
    "The second", "My [kin6]'s new", "The school's", "The hotel's",
)  # fmt: skip


def pairs(count: int, seed: int) -> Iterator[tuple[str, str, int]]:
    """Yield (known statement, later statement, relation), with all families equally often."""
    rng = random.Random(seed)
    yielded = 0
    while yielded < count:
        pair = _pair(rng)
        if pair:
            yielded += 1
            yield styled(rng, *pair)


def _pair(rng: random.Random) -> tuple[str, str, int] | None:
    if rng.random() < OTHER_MATTER:
        return _of_another_matter(rng)
    family = rng.choice(FAMILIES)
    wanted = rng.choices(list(SHARES), list(SHARES.values()))[0]
    ways = [way for kind, way in family.later if kind == wanted]
    if not ways:
        return None
    new, relation = rng.choice(ways), wanted
    known = rng.choice(_known_of(rng, family, new))
    if family.several and relation != UNRELATED and not _shared(known, new):
        if relation == SAME or _slots(known) & _slots(new) or rng.random() < 0.6:
            return None
        relation = UNRELATED
    elif relation == UPDATE and rng.random() < 0.2:
        return _of_another(rng, known, new)
    if relation in (UPDATE, SAME) and _are_of_two(known, new):
        return None
    values = _values(rng)
    old, text = _filled(known, values), _filled(new, values)
    if relation == UPDATE and rng.random() < 0.1:
        return old, wrapped(rng, text), UNRELATED
    return old, text, relation


def _of_another_matter(rng: random.Random) -> tuple[str, str, int] | None:
    """Another attribute of the same subject changes: "Rufus is afraid of thunder" stays true when
    Rufus gets a basket of his own."""
    first, second = rng.choice(FAMILIES), rng.choice(FAMILIES)
    known = rng.choice(first.known)
    ways = [way for kind, way in second.later if kind == UPDATE]
    if not ways or _subject(known) is None:
        return None
    new = rng.choice(ways)
    if _subject(new) != _subject(known) or _shared(known, new):
        return None
    if first is second:
        if not first.several or not any(_shared(text, new) for text in first.known):
            return None
    elif _values_of(first) & _values_of(second) or len(_terms(first) & _terms(second)) > 1:
        return None
    values = _values(rng)
    return _filled(known, values), _filled(new, values), UNRELATED


def _subject(text: str) -> str | None:
    """The subject of a statement: the slot it begins with, a relative, or the speaker."""
    if match := re.match(rf"(?:The )?\[({SUBJECTS})1\]", text):
        return match[1]
    if text.startswith("My [kin1]"):
        return "kin"
    is_speaker = re.match(r"(?:I|I'm|I've|My|We|Our)\b", text) and "[name1]" not in text
    return "I" if is_speaker else None


def _are_of_two(known: str, new: str) -> bool:
    """Whether one statement is about a named person, the other about the speaker or a relative."""
    people = {_subject(known), _subject(new)} & {"I", "kin", "name"}
    return len(people) == 2


def _values_of(family: Family) -> set[str]:
    return {name for known in family.known for name, _ in SLOT.findall(known)} - {"name", "petname"}


def _terms(family: Family) -> set[str]:
    return set().union(*(_words(known) for known in family.known))


def _known_of(rng: random.Random, family: Family, new: str) -> list[str]:
    """The known statements to choose from; for a family with several values, mostly those that
    share a word with the new statement."""
    shared = [known for known in family.known if _shared(known, new)]
    return shared if family.several and shared and rng.random() < 0.85 else family.known


def _shared(known: str, new: str) -> set[str]:
    own = {f"[{name}{number}]" for name, number in SLOT.findall(known) if name in OWN_MATTER}
    return _words(known) & _words(new) | {slot for slot in own if slot in new}


def _words(text: str) -> set[str]:
    stems = re.findall(r"[a-z]{4,}", SLOT.sub("", text).lower())
    return {word[:4] for word in stems if word not in EMPTY}


def _slots(text: str) -> set[str]:
    return set(SLOT.findall(text))  # type: ignore[arg-type]


def _of_another(rng: random.Random, known: str, new: str) -> tuple[str, str, int] | None:
    """The same change, but of another person or thing."""
    values = _values(rng)
    shared = [
        slot
        for name in EXCHANGED
        if (slot := f"[{name}1]") in known and slot in new and len(LISTS[name]) > 5
    ]
    owner = re.match(r"(?:The|My|Our) (?=[a-z])", new)
    if owner and re.match(r"(?:The|My|Our) [a-z]", known) and (not shared or rng.random() < 0.3):
        new = f"{rng.choice(OTHER_OWNERS)} {new[owner.end() :]}"
    elif shared:
        slot = rng.choice(shared)
        new = new.replace(slot, f"{slot[:-2]}6]")
    else:
        return None
    return _filled(known, values), _filled(new, values), UNRELATED


class Values(dict[tuple[str, str], str]):
    """Random words for the numbered slots of a list, drawn on the first access."""

    def __init__(self, rng: random.Random) -> None:
        self.choose = rng

    def __missing__(self, slot: tuple[str, str]) -> str:
        words = LISTS[slot[0]]
        drawn = self.choose.sample(words, min(6, len(words)))
        self.update({(slot[0], str(number)): word for number, word in enumerate(drawn, 1)})
        return self[slot]


def _values(rng: random.Random) -> Values:
    return Values(rng)


def _filled(text: str, values: Values) -> str:
    filled = SLOT.sub(lambda slot: values[slot[1], slot[2]], text)
    return filled[0].upper() + filled[1:]


def wrapped(rng: random.Random, text: str) -> str:
    clause = text.rstrip(".")
    clause = _lowered(clause)
    sentence = rng.choice(WRAPPERS).format(clause, name=rng.choice(LISTS["name"]))
    return sentence if sentence.endswith(("?", ".")) else f"{sentence}."


def styled(rng: random.Random, old: str, new: str, relation: int) -> tuple[str, str, int]:
    if rng.random() < 0.12:
        new = rng.choice(OPENERS) + _lowered(new)
    if rng.random() < 0.1:
        name = rng.choice(LISTS["name"])
        return f"{name}: {old}", f"{name}: {new}", relation
    if rng.random() < 0.05:
        return old.lower().rstrip("."), new.lower().rstrip("."), relation
    return old, new, relation


NAMES = frozenset(
    word
    for values in LISTS.values()
    for value in values
    if value[0].isupper()
    for word in value.split()
)


def _lowered(text: str) -> str:
    first = re.split(r"[^A-Za-z]", text, maxsplit=1)[0]
    return text if first == "I" or first in NAMES else text[0].lower() + text[1:]
