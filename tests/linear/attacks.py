"""Attack texts for one regex: strings that its repeats match, repeated, with an end that fails."""

import itertools
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from re import _constants as op
from re import _parser as parser
from typing import Any

from tests.linear.regex_chars import accepts

# One alphabet for all classes, so that samples which two repeats match are found.
_ALPHABET = (
    "aA1 \n\t.-_/:,;'\"()[]{}<>#*`~|@&+=!?%$\\^•é中はй\u00a0\u3000\x00\u2019"
    "bcdefghijklmnopqrstuvwxyzBCDEFGHIJKLMNOPQRSTUVWXYZ023456789"
)
_SEPARATORS = " \n.-+/"
_PER_CLASS = 5
_RANDOM_PUMPS = 12
_MAX_ATTACKS = 70
_SINGLE = (op.LITERAL, op.NOT_LITERAL, op.IN, op.ANY)
_FAILING_ENDS = ("\x00", "\n", "x", "")


@dataclass(frozen=True, slots=True)
class Attack:
    """`prefix`, then `pump` repeated to the wanted length, then `suffix`."""

    prefix: str
    pump: str
    suffix: str

    def text(self, length: int) -> str:
        return self.prefix + self.pump * max(1, length // len(self.pump)) + self.suffix


def attacks_on(pattern: "re.Pattern[Any]") -> list[Attack]:
    tree = parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG)
    flags = tree.state.flags
    # What a repeat matches hurts most: all of it is tried, and of the rest a fixed random sample.
    chosen: dict[tuple[str, str], None] = {}
    for prefix, pump in _repeats(tree, flags, ""):
        chosen |= {(prefix, pump): None, ("", prefix + pump): None, ("", pump): None}
    others = [("", pump) for pump in dict.fromkeys(_pumps(tree, flags))]
    others = [pair for pair in others if pair not in chosen]
    generator = random.Random(len(others))
    sample_size = max(20, _MAX_ATTACKS - len(chosen))
    chosen |= dict.fromkeys(
        others if len(others) <= sample_size else generator.sample(others, sample_size)
    )
    ends = itertools.cycle(_FAILING_ENDS)
    return [Attack(prefix, pump, next(ends)) for prefix, pump in chosen if pump]


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
    """Whether the pattern matches exactly one character."""
    return len(tree) == 1 and tree[0][0] in _SINGLE


def _pumps(tree: Any, flags: int) -> Iterator[str]:
    """Whole samples, truncated samples, single characters, pairs, and mixtures of them."""
    samples = sorted({_sample(tree, flags, pick) for pick in range(4)})
    letters = sorted({char for _, chars in _classes(tree, flags) for char in chars})
    for sample in samples:
        yield from (sample, sample[:-1], sample[: len(sample) // 2], sample + "\n", sample + " ")
    yield from letters
    yield from (char + other for char in letters for other in _SEPARATORS)
    yield from (char + other for char in letters for other in letters)
    generator = random.Random(len(letters))
    parts = [*samples, *letters, " ", "\n", "a"]
    for _ in range(_RANDOM_PUMPS):
        yield "".join(generator.choice(parts) for _ in range(generator.randint(2, 4)))


def _repeats(tree: Any, flags: int, prefix: str) -> Iterator[tuple[str, str]]:
    """Each unbounded repeat, as a sample of what precedes it and one of what it matches."""
    for kind, value in tree:
        if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            yield from _unbounded(value, flags, prefix)
        for inner, inner_flags in _children(kind, value, flags):
            yield from _repeats(inner, inner_flags, prefix)
        prefix += _node_sample(kind, value, flags, 0)


def _unbounded(value: Any, flags: int, prefix: str) -> Iterator[tuple[str, str]]:
    _, maximum, body = value
    if maximum is not op.MAXREPEAT:
        return
    for pick in range(_PER_CLASS):
        yield prefix, _sample(body, flags, pick)
    for char in _SEPARATORS:
        yield prefix, _sample(body, flags, 0) + char


def _classes(tree: Any, flags: int) -> Iterator[tuple[Any, list[str]]]:
    for kind, value in tree:
        if kind in (op.LITERAL, op.NOT_LITERAL, op.IN, op.ANY):
            yield kind, _chars(kind, value, flags)[:_PER_CLASS]
        for inner, inner_flags in _children(kind, value, flags):
            yield from _classes(inner, inner_flags)


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
        minimum, maximum, body = value
        times = minimum if pick == 3 else max(minimum, min(1, maximum))
        return _sample(body, flags, pick) * min(times, 6)
    if kind in (op.ASSERT_NOT, op.ASSERT):
        return ""
    return "".join(
        _sample(part, inner_flags, pick) for part, inner_flags in _children(kind, value, flags)
    )


def _chars(kind: Any, value: Any, flags: int) -> list[str]:
    if kind is op.LITERAL:
        return [chr(value)]
    test = accepts(kind, value, flags)
    chars = [char for char in _ALPHABET if test[char]]
    if not chars and kind is op.IN:
        chars = [chr(item[1][0]) for item in value if item[0] is op.RANGE]
        chars += [chr(item[1]) for item in value if item[0] is op.LITERAL]
    return chars
