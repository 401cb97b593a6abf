"""Everyday statements and what was said after them, written for the judge; `later.txt.xz`.

= Mum's operation is on the 9th.        what is known; a second one says the same
> Mum has her new hip.                  it is no longer so
~ Mum is operated on the 9th.           the same again
+ Dr Okafor operates on Mum.            more, and it stays true
- Dad's operation is on the 23rd.       only looks like a change
"""

import lzma
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import changes

PATH = Path(__file__).with_name("later.txt.xz")
# How often a change is also doubted or hoped for, and how often it is said of somebody else.
DOUBTED, RENAMED = 0.12, 0.5
# How often a change stands beside what is known of the likest other matter.
OF_OTHER_MATTER = 0.6
_NAME = re.compile(
    r"\b([A-Z][a-z]{2,})(?='s\b| (?:is|has|was|will|wants|lives|works|got|and)\b|: )"
)
_NO_NAMES = frozenset(
    "The This That There Here Our She They What Who How When Then And But".split()
)


@dataclass(frozen=True, slots=True)
class Matter:
    known: list[str] = field(default_factory=list)
    said: list[tuple[int, str]] = field(default_factory=list)

    def changes(self) -> list[str]:
        return [text for relation, text in self.said if relation == changes.UPDATE]


def matters(path: Path = PATH) -> list[Matter]:
    text = lzma.decompress(path.read_bytes()).decode()
    return [_matter(group.splitlines()) for group in re.split(r"\n\s*\n", text.strip())]


def _matter(lines: list[str]) -> Matter:
    matter = Matter()
    for line in lines:
        mark, _, text = line.partition(" ")
        if mark == "=":
            matter.known.append(text)
        else:
            matter.said.append((changes.KINDS[mark], text))
    return matter


def pairs(
    alike: Callable[[list[str], list[str]], list[int]], seed: int
) -> Iterator[tuple[str, str, int, bool]]:
    """(known, said after it, relation, whether it is left out of training); `alike` gives for each
    text of the first list the place of the likest in the second."""
    choose = random.Random(seed)
    all_matters = matters()
    names = _names(all_matters)
    nearest = _nearest(all_matters, alike)
    for number, matter in enumerate(all_matters):
        found = [*_own(matter), *_doubted(matter, choose), *_renamed(matter, names, choose)]
        found += _of_others(matter, nearest[number], choose)
        for old, new, relation in dict.fromkeys(found):
            yield *changes.styled(choose, old, new, relation), number % 25 == 0


def _own(matter: Matter) -> Iterator[tuple[str, str, int]]:
    for known in matter.known:
        for relation, text in matter.said:
            yield known, text, relation
            if relation == changes.SAME:
                yield text, known, relation
    for first, second in zip(matter.known, matter.known[1:], strict=False):
        yield first, second, changes.SAME


def _doubted(matter: Matter, choose: random.Random) -> Iterator[tuple[str, str, int]]:
    for text in matter.changes():
        if choose.random() < DOUBTED and ": " not in text:
            yield choose.choice(matter.known), changes.wrapped(choose, text), changes.UNRELATED


def _renamed(
    matter: Matter, names: list[str], choose: random.Random
) -> Iterator[tuple[str, str, int]]:
    """The same change of somebody else by name."""
    for known in matter.known:
        for text in matter.changes():
            shared = [name for name in _named(known) if re.search(rf"\b{name}\b", text)]
            if not shared or choose.random() >= RENAMED:
                continue
            name, other = choose.choice(shared), choose.choice(names)
            if other not in known and other not in text:
                yield known, re.sub(rf"\b{name}\b", other, text), changes.UNRELATED


def _of_others(
    matter: Matter, others: list[Matter], choose: random.Random
) -> Iterator[tuple[str, str, int]]:
    for text, other in zip(matter.changes(), others, strict=True):
        if choose.random() < OF_OTHER_MATTER:
            yield choose.choice(other.known), text, changes.UNRELATED


def _nearest(
    all_matters: list[Matter], alike: Callable[[list[str], list[str]], list[int]]
) -> list[list[Matter]]:
    """For each change of a matter the likest other matter; those of the same one are left out by
    asking among every second matter at a time."""
    found: dict[tuple[int, int], Matter] = {}
    for rest in (0, 1):
        asked = [
            (number, at, text)
            for number, matter in enumerate(all_matters)
            if number % 2 == rest
            for at, text in enumerate(matter.changes())
        ]
        others = [matter for number, matter in enumerate(all_matters) if number % 2 != rest]
        places = alike([text for _, _, text in asked], [one.known[0] for one in others])
        for (number, at, _), place in zip(asked, places, strict=True):
            found[number, at] = others[place]
    return [
        [found[number, at] for at in range(len(matter.changes()))]
        for number, matter in enumerate(all_matters)
    ]


def _named(text: str) -> list[str]:
    return [name for name in _NAME.findall(text) if name not in _NO_NAMES]


def _names(all_matters: list[Matter]) -> list[str]:
    return sorted({name for matter in all_matters for one in matter.known for name in _named(one)})
