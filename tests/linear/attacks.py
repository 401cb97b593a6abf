"""Texts made to hurt one regex: what its repeats take, over and over, with an end that fails."""

import itertools
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from re import _constants as op
from re import _parser as parser
from typing import Any

from tests.linear.regex_chars import accepts

# Shared by all, so that a text which two repeats take is found.
_ALPHABET = (
    "aA1 \n\t.-_/:,;'\"()[]{}<>#*`~|@&+=!?%$\\^•é中はй\u00a0\u3000\x00\u2019"
    "bcdefghijklmnopqrstuvwxyzBCDEFGHIJKLMNOPQRSTUVWXYZ023456789"
)
_SEPARATORS = " \n.-+/"
_PER_CLASS = 5
_RANDOM = 12
_ATTACKS_MOST = 70
_SINGLE = (op.LITERAL, op.NOT_LITERAL, op.IN, op.ANY)
_FAILING = ("\x00", "\n", "x", "")


@dataclass(frozen=True, slots=True)
class Attack:
    """`before`, then `pump` as often as asked, then `behind`."""

    before: str
    pump: str
    behind: str

    def text(self, length: int) -> str:
        return self.before + self.pump * max(1, length // len(self.pump)) + self.behind


def attacks_on(pattern: "re.Pattern[Any]") -> list[Attack]:
    tree = parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG)
    flags = tree.state.flags
    # What a repeat takes hurts most: all of it is tried, and of the rest a part by a fixed chance.
    chosen: dict[tuple[str, str], None] = {}
    for before, pump in _repeats(tree, flags, ""):
        chosen |= {(before, pump): None, ("", before + pump): None, ("", pump): None}
    others = [("", pump) for pump in dict.fromkeys(_pumps(tree, flags))]
    others = [one for one in others if one not in chosen]
    chance = random.Random(len(others))
    room = max(20, _ATTACKS_MOST - len(chosen))
    chosen |= dict.fromkeys(others if len(others) <= room else chance.sample(others, room))
    ends = itertools.cycle(_FAILING)
    return [Attack(before, pump, next(ends)) for before, pump in chosen if pump]


def possessive_groups(pattern: "re.Pattern[Any]") -> bool:
    """Whether more than a single character is repeated possessively, as in `(?:ab)*+`."""
    tree = parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG)
    return _has_possessive_group(tree, tree.state.flags)


def _has_possessive_group(tree: Any, flags: int) -> bool:
    for kind, value in tree:
        if kind is op.POSSESSIVE_REPEAT and not _is_single(value[2]):
            return True
        if any(_has_possessive_group(*child) for child in _children(kind, value, flags)):
            return True
    return False


def _is_single(tree: Any) -> bool:
    """Whether it matches one character."""
    return len(tree) == 1 and tree[0][0] in _SINGLE


def _pumps(tree: Any, flags: int) -> Iterator[str]:
    """Whole samples, samples cut short, single characters, pairs, and mixtures of them."""
    samples = sorted({_sample(tree, flags, pick) for pick in range(4)})
    letters = sorted({char for _, chars in _classes(tree, flags) for char in chars})
    for sample in samples:
        yield from (sample, sample[:-1], sample[: len(sample) // 2], sample + "\n", sample + " ")
    yield from letters
    yield from (char + other for char in letters for other in _SEPARATORS)
    yield from (char + other for char in letters for other in letters)
    chance = random.Random(len(letters))
    parts = [*samples, *letters, " ", "\n", "a"]
    for _ in range(_RANDOM):
        yield "".join(chance.choice(parts) for _ in range(chance.randint(2, 4)))


def _repeats(tree: Any, flags: int, before: str) -> Iterator[tuple[str, str]]:
    """Each endless repeat, as what leads to it and what it takes."""
    for kind, value in tree:
        if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            yield from _endless(value, flags, before)
        for inner, within in _children(kind, value, flags):
            yield from _repeats(inner, within, before)
        before += _node_sample(kind, value, flags, 0)


def _endless(value: Any, flags: int, before: str) -> Iterator[tuple[str, str]]:
    _, most, body = value
    if most is not op.MAXREPEAT:
        return
    for pick in range(_PER_CLASS):
        yield before, _sample(body, flags, pick)
    for char in _SEPARATORS:
        yield before, _sample(body, flags, 0) + char


def _classes(tree: Any, flags: int) -> Iterator[tuple[Any, list[str]]]:
    for kind, value in tree:
        if kind in (op.LITERAL, op.NOT_LITERAL, op.IN, op.ANY):
            yield kind, _chars(kind, value, flags)[:_PER_CLASS]
        for inner, within in _children(kind, value, flags):
            yield from _classes(inner, within)


def _children(kind: Any, value: Any, flags: int) -> list[tuple[Any, int]]:
    if kind is op.SUBPATTERN:
        _, added, removed, body = value
        return [(body, (flags | added) & ~removed)]
    if kind is op.BRANCH:
        return [(part, flags) for part in value[1]]
    if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
        return [(value[2], flags)]
    if kind in (op.ASSERT, op.ASSERT_NOT):
        return [(value[1], flags)]
    return [(value, flags)] if kind is op.ATOMIC_GROUP else []


def _sample(tree: Any, flags: int, pick: int) -> str:
    return "".join(_node_sample(kind, value, flags, pick) for kind, value in tree)


def _node_sample(kind: Any, value: Any, flags: int, pick: int) -> str:
    if kind in (op.LITERAL, op.NOT_LITERAL, op.IN, op.ANY):
        chars = _chars(kind, value, flags)
        return chars[pick % len(chars)] if chars else ""
    if kind is op.BRANCH:
        return _sample(value[1][pick % len(value[1])], flags, pick)
    if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
        least, most, body = value
        often = least if pick == 3 else max(least, min(1, most))
        return _sample(body, flags, pick) * min(often, 6)
    if kind in (op.ASSERT_NOT, op.ASSERT):
        return ""
    return "".join(_sample(part, within, pick) for part, within in _children(kind, value, flags))


def _chars(kind: Any, value: Any, flags: int) -> list[str]:
    if kind is op.LITERAL:
        return [chr(value)]
    test = accepts(kind, value, flags)
    found = [char for char in _ALPHABET if test[char]]
    if not found and kind is op.IN:
        found = [chr(item[1][0]) for item in value if item[0] is op.RANGE]
        found += [chr(item[1]) for item in value if item[0] is op.LITERAL]
    return found
