"""Everyday statements with later statements, written for the judge; `later.txt.xz` in English,
`later_languages.txt.xz` in others and in the style of typed notes (`# de` begins a language).

= Mum's operation is on the 9th.        the known statement; a second one has the same meaning
> Mum has her new hip.                  an update: the known statement is no longer true
~ Mum is operated on the 9th.           the same in other words
+ Dr Okafor operates on Mum.            adds something; the known statement stays true
- Dad's operation is on the 23rd.       only looks like an update
x op cancelled, mum is too ill          ends it without a successor
"""

import lzma
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import changes
from groups import likeness

PATH = Path(__file__).with_name("later.txt.xz")
LANGUAGES = Path(__file__).with_name("later_languages.txt.xz")
# How often a change is also turned into a doubt or hope, and into a change of another person.
DOUBTED, RENAMED = 0.12, 0.5
# How often a change is paired with the known statement of the most similar other subject.
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
    later: list[tuple[int, str]] = field(default_factory=list)

    def ends(self) -> list[str]:
        """What makes the known statement untrue."""
        ending = (changes.UPDATE, changes.CANCELS)
        return [text for relation, text in self.later if relation in ending]

    def changes(self) -> list[str]:
        return [text for relation, text in self.later if relation == changes.UPDATE]


def matters(path: Path = PATH) -> list[Matter]:
    return _matters(lzma.decompress(path.read_bytes()).decode())


def _matters(text: str) -> list[Matter]:
    return [_matter(group.splitlines()) for group in re.split(r"\n\s*\n", text.strip())]


def _matter(lines: list[str]) -> Matter:
    matter = Matter()
    for line in lines:
        mark, _, text = line.partition(" ")
        if mark == "=":
            matter.known.append(text)
        else:
            matter.later.append((changes.KINDS[mark], text))
    return matter


def pairs(
    most_similar: Callable[[list[str], list[str]], list[int]], seed: int
) -> Iterator[tuple[str, str, int, bool]]:
    """Yield (known statement, later statement, relation, whether it is held out). `most_similar`
    returns, for each text of the first list, the index of the most similar text in the second."""
    rng = random.Random(seed)
    all_matters = matters()
    names = _names(all_matters)
    nearest = _nearest(all_matters, most_similar)
    for number, matter in enumerate(all_matters):
        texts = [*_own(matter), *_doubted(matter, rng), *_renamed(matter, names, rng)]
        texts += _of_others(matter, nearest[number], rng)
        for old, new, relation in dict.fromkeys(texts):
            yield *changes.styled(rng, old, new, relation), number % 25 == 0


def pairs_in_languages(seed: int) -> Iterator[tuple[str, str, int, bool]]:
    """Yield pairs as `pairs` does; the changes of a matter are also paired with known statements
    whose words are most like them."""
    rng = random.Random(seed)
    text = lzma.decompress(LANGUAGES.read_bytes()).decode()
    for section in re.split(r"^# .+$", text, flags=re.M)[1:]:
        known = _matters(section)
        statements = [matter.known[0] for matter in known]
        for number, matter in enumerate(known):
            dev = number % 25 == 0
            yield from ((*pair, dev) for pair in _own(matter))
            for later in matter.ends():
                near = [other for other in likeness(later, statements)[:3] if other != number]
                yield statements[rng.choice(near)], later, changes.UNRELATED, dev


def _own(matter: Matter) -> Iterator[tuple[str, str, int]]:
    for known in matter.known:
        for relation, text in matter.later:
            yield known, text, relation
            if relation == changes.SAME:
                yield text, known, relation
    for first, second in zip(matter.known, matter.known[1:], strict=False):
        yield first, second, changes.SAME


def _doubted(matter: Matter, rng: random.Random) -> Iterator[tuple[str, str, int]]:
    for text in matter.changes():
        if rng.random() < DOUBTED and ": " not in text:
            yield rng.choice(matter.known), changes.wrapped(rng, text), changes.UNRELATED


def _renamed(
    matter: Matter, names: list[str], rng: random.Random
) -> Iterator[tuple[str, str, int]]:
    """The same change, with the name of another person."""
    for known in matter.known:
        for text in matter.changes():
            shared = [name for name in _named(known) if re.search(rf"\b{name}\b", text)]
            if not shared or rng.random() >= RENAMED:
                continue
            name, other = rng.choice(shared), rng.choice(names)
            if other not in known and other not in text:
                yield known, re.sub(rf"\b{name}\b", other, text), changes.UNRELATED


def _of_others(
    matter: Matter, others: list[Matter], rng: random.Random
) -> Iterator[tuple[str, str, int]]:
    for text, other in zip(matter.changes(), others, strict=True):
        if rng.random() < OF_OTHER_MATTER:
            yield rng.choice(other.known), text, changes.UNRELATED


def _nearest(
    all_matters: list[Matter], most_similar: Callable[[list[str], list[str]], list[int]]
) -> list[list[Matter]]:
    """The most similar other subject for each change. Changes of even-numbered subjects are
    compared with odd-numbered subjects and vice versa, so that no subject matches itself."""
    nearest: dict[tuple[int, int], Matter] = {}
    for rest in (0, 1):
        all_changes = [
            (number, at, text)
            for number, matter in enumerate(all_matters)
            if number % 2 == rest
            for at, text in enumerate(matter.changes())
        ]
        others = [matter for number, matter in enumerate(all_matters) if number % 2 != rest]
        places = most_similar(
            [text for _, _, text in all_changes], [matter.known[0] for matter in others]
        )
        for (number, at, _), place in zip(all_changes, places, strict=True):
            nearest[number, at] = others[place]
    return [
        [nearest[number, at] for at in range(len(matter.changes()))]
        for number, matter in enumerate(all_matters)
    ]


def _named(text: str) -> list[str]:
    return [name for name in _NAME.findall(text) if name not in _NO_NAMES]


def _names(all_matters: list[Matter]) -> list[str]:
    return sorted(
        {name for matter in all_matters for known in matter.known for name in _named(known)}
    )
