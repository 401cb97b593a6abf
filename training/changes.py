"""Pairs of everyday statements by the families of `changes.txt`; pure, by seed."""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

SAME, UPDATE, EXTENDS, UNRELATED = range(4)
KINDS = {"~": SAME, ">": UPDATE, "+": EXTENDS, "-": UNRELATED}
# How often each kind is drawn.
SHARES = {UPDATE: 0.52, UNRELATED: 0.24, EXTENDS: 0.12, SAME: 0.12}
# And how often something else has changed of the same person or thing.
OTHER_MATTER = 0.12
SLOT = re.compile(r"\[([a-z]+)(\d)\]")
# Words that two statements may share without being of the same matter.
EMPTY = frozenset(
    "have this that with from they them been were will since these days again more longer"
    " instead after until into back came went gave took moved move time once there than then"
    " next last year years month first other another favourite turned started start stop"
    " stopped called name also hour week only still here comes come make made".split()
)
# Said like this it is asked, supposed, hoped or somebody's opinion, and changes nothing.
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
    said: list[tuple[int, str]] = field(default_factory=list)


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
            families[-1].said += [(KINDS[mark], way) for way in ways]
    return lists, families


def _all() -> tuple[dict[str, list[str]], list[Family]]:
    lists: dict[str, list[str]] = {}
    families: list[Family] = []
    for name in ("changes.txt", "changes_more.txt"):
        more, others = read(Path(__file__).with_name(name))
        lists, families = lists | more, families + others
    return lists, families


LISTS, FAMILIES = _all()
# A thing by its own name: two statements that share it are of the same matter.
OWN_MATTER = frozenset("book film lang service med hobby subject thing".split())
# Slots that a statement may be of.
SUBJECTS = "name|petname|server|vehicle|room|app|device|appliance|plant|thing|group|event|shop|body"
# And those that can be exchanged for another of their kind, which makes it another matter.
EXCHANGED = (*SUBJECTS.split("|"), "service", "med", "trip", "hobby", "subject")
OTHER_OWNERS = (
    "[name6]'s", "My [kin6]'s", "The neighbour's", "My boss's", "[name6]'s old", "The other",
    "The second", "My [kin6]'s new", "The school's", "The hotel's",
)  # fmt: skip


def pairs(count: int, seed: int) -> Iterator[tuple[str, str, int]]:
    """(known, said after it, relation), every family as often as another."""
    choose = random.Random(seed)
    made = 0
    while made < count:
        pair = _pair(choose)
        if pair:
            made += 1
            yield styled(choose, *pair)


def _pair(choose: random.Random) -> tuple[str, str, int] | None:
    if choose.random() < OTHER_MATTER:
        return _of_another_matter(choose)
    family = choose.choice(FAMILIES)
    wanted = choose.choices(list(SHARES), list(SHARES.values()))[0]
    ways = [way for kind, way in family.said if kind == wanted]
    if not ways:
        return None
    new, relation = choose.choice(ways), wanted
    known = choose.choice(_known_of(choose, family, new))
    if family.several and relation != UNRELATED and not _shared(known, new):
        if relation == SAME or _slots(known) & _slots(new) or choose.random() < 0.6:
            return None
        relation = UNRELATED
    elif relation == UPDATE and choose.random() < 0.2:
        return _of_another(choose, known, new)
    if relation in (UPDATE, SAME) and _are_of_two(known, new):
        return None
    values = _values(choose)
    old, text = _filled(known, values), _filled(new, values)
    if relation == UPDATE and choose.random() < 0.1:
        return old, wrapped(choose, text), UNRELATED
    return old, text, relation


def _of_another_matter(choose: random.Random) -> tuple[str, str, int] | None:
    """ "Rufus is afraid of thunder" stays true when Rufus gets a basket of his own."""
    first, second = choose.choice(FAMILIES), choose.choice(FAMILIES)
    known = choose.choice(first.known)
    ways = [way for kind, way in second.said if kind == UPDATE]
    if not ways or _subject(known) is None:
        return None
    new = choose.choice(ways)
    if _subject(new) != _subject(known) or _shared(known, new):
        return None
    if first is second:
        if not first.several or not any(_shared(one, new) for one in first.known):
            return None
    elif _values_of(first) & _values_of(second) or len(_terms(first) & _terms(second)) > 1:
        return None
    values = _values(choose)
    return _filled(known, values), _filled(new, values), UNRELATED


def _subject(text: str) -> str | None:
    """Whose statement it is: the slot it begins with, or the one who speaks."""
    if found := re.match(rf"(?:The )?\[({SUBJECTS})1\]", text):
        return found[1]
    if text.startswith("My [kin1]"):
        return "kin"
    own = re.match(r"(?:I|I'm|I've|My|We|Our)\b", text) and "[name1]" not in text
    return "I" if own else None


def _are_of_two(known: str, new: str) -> bool:
    """Whether the one is told of somebody by name and the other of the speaker or a relative."""
    people = {_subject(known), _subject(new)} & {"I", "kin", "name"}
    return len(people) == 2


def _values_of(family: Family) -> set[str]:
    return {name for known in family.known for name, _ in SLOT.findall(known)} - {"name", "petname"}


def _terms(family: Family) -> set[str]:
    return set().union(*(_words(known) for known in family.known))


def _known_of(choose: random.Random, family: Family, new: str) -> list[str]:
    """Of several matters mostly the one that is spoken of."""
    shared = [known for known in family.known if _shared(known, new)]
    return shared if family.several and shared and choose.random() < 0.85 else family.known


def _shared(known: str, new: str) -> set[str]:
    own = {f"[{name}{number}]" for name, number in SLOT.findall(known) if name in OWN_MATTER}
    return _words(known) & _words(new) | {slot for slot in own if slot in new}


def _words(text: str) -> set[str]:
    found = re.findall(r"[a-z]{4,}", SLOT.sub("", text).lower())
    return {word[:4] for word in found if word not in EMPTY}


def _slots(text: str) -> set[str]:
    return set(SLOT.findall(text))  # type: ignore[arg-type]


def _of_another(choose: random.Random, known: str, new: str) -> tuple[str, str, int] | None:
    """The same change, told of somebody or something else."""
    values = _values(choose)
    shared = [
        slot
        for name in EXCHANGED
        if (slot := f"[{name}1]") in known and slot in new and len(LISTS[name]) > 5
    ]
    owner = re.match(r"(?:The|My|Our) (?=[a-z])", new)
    if owner and re.match(r"(?:The|My|Our) [a-z]", known) and (not shared or choose.random() < 0.3):
        new = f"{choose.choice(OTHER_OWNERS)} {new[owner.end() :]}"
    elif shared:
        slot = choose.choice(shared)
        new = new.replace(slot, f"{slot[:-2]}6]")
    else:
        return None
    return _filled(known, values), _filled(new, values), UNRELATED


class Values(dict[tuple[str, str], str]):
    """Different words of a list for its numbered slots, drawn when the first is asked for."""

    def __init__(self, choose: random.Random) -> None:
        self.choose = choose

    def __missing__(self, slot: tuple[str, str]) -> str:
        words = LISTS[slot[0]]
        drawn = self.choose.sample(words, min(6, len(words)))
        self.update({(slot[0], str(number)): word for number, word in enumerate(drawn, 1)})
        return self[slot]


def _values(choose: random.Random) -> Values:
    return Values(choose)


def _filled(text: str, values: Values) -> str:
    filled = SLOT.sub(lambda slot: values[slot[1], slot[2]], text)
    return filled[0].upper() + filled[1:]


def wrapped(choose: random.Random, text: str) -> str:
    said = text.rstrip(".")
    said = _lowered(said)
    wrapped = choose.choice(WRAPPERS).format(said, name=choose.choice(LISTS["name"]))
    return wrapped if wrapped.endswith(("?", ".")) else f"{wrapped}."


def styled(choose: random.Random, old: str, new: str, relation: int) -> tuple[str, str, int]:
    if choose.random() < 0.12:
        new = choose.choice(OPENERS) + _lowered(new)
    if choose.random() < 0.1:
        name = choose.choice(LISTS["name"])
        return f"{name}: {old}", f"{name}: {new}", relation
    if choose.random() < 0.05:
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
