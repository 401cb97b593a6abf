"""A text as symbols, which the grammar of times is written in.

N number, Q year, M month, W weekday, R near day, U unit, S last or next, E edge, P part of a day, C
before and H behind an hour, D beside a day, J between two days, n an hour in words, L limit, V
every, X another calendar, F filler, | another word; signs stand for themselves."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

from remem.core.language.times.phrases.words import TimeWord, lexicon

_SIGNS = {
    ".": ".",
    "/": "/",
    "-": "-",
    ":": ":",
    "年": "Y",
    "년": "Y",
    "月": "m",
    "월": "m",
    "'": "'",
}
# A repeat in a pattern ends after some symbols: a row of thousands takes time in proportion.
AT_MOST = ("*", "{0,9}")
# More ambiguous words in a row are read as their first meaning.
_AMBIGUOUS = 4
# Words that tell a language.
_TELLING = frozenset("MWRUSEPCHL")
# What single letters of a script without spaces may say within a word.
_WITHIN_WORDS = "DmYHhSULBG"


@dataclass(frozen=True, slots=True)
class TimeSymbol:
    symbol: str
    value: int | str
    digits: int = 0
    start: int = 0
    end: int = 0


# The meanings of each word in a row.
Options: TypeAlias = list[list[TimeSymbol]]


@dataclass(frozen=True, slots=True)
class Found:
    """The parts of a phrase that a pattern names."""

    match: re.Match[str]
    items: Sequence[TimeSymbol]

    def __getitem__(self, name: str) -> TimeSymbol | None:
        group = self.match.groupdict().get(name)
        return self.items[self.match.start(name)] if group else None

    def number(self, *names: str) -> int | None:
        for name in names:
            if item := self[name]:
                return int(item.value)
        return None


def options_of(tokens: Sequence[TimeWord], languages: Sequence[str]) -> Options:
    known = lexicon(tuple(languages))
    options: Options = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.is_number:
            is_name = (
                bool(options) and _is_part_of_name(tokens, at) and options[-1][0].symbol == "|"
            )
            value, digits = int(token.key[:9]), len(token.key)
            is_year = digits == 4 and (1900 <= value < 2200 or _is_before_year_sign(tokens, at))
            symbol = "|" if is_name else "Q" if is_year else "N"
            options.append([TimeSymbol(symbol, value, digits, token.start, token.end)])
            at += 1
            continue
        size, meanings = known.match(tokens, at)
        end = tokens[at + size - 1].end
        found = [
            TimeSymbol(meaning.symbol, meaning.value, 0, token.start, end) for meaning in meanings
        ]
        if size == 1 and token.is_letter and not _may_stand_alone(tokens, at, options):
            found = [item for item in found if item.symbol in _WITHIN_WORDS]
        sign = _SIGNS.get(token.key)
        if size == 1 and sign and (not found or sign in "mY"):
            found.insert(0, TimeSymbol(sign, token.key, 0, token.start, end))
        if at and tokens[at - 1].is_number and tokens[at - 1].end == token.start:
            found = [item for item in found if item.symbol in "DmY"] or found
        if found:
            options.append(found)
        elif token.is_word or token.key == "\n":
            options.append([TimeSymbol("|", token.key, 0, token.start, end)])
        at += size
    return options


def known_letters(tokens: Sequence[TimeWord], language: str) -> int:
    """How much of a text is words of time of a language."""
    meanings = lexicon((language,)).meanings
    return sum(
        token.end - token.start
        for token in tokens
        if any(meaning.symbol in _TELLING for meaning in meanings.get((token.key,), ()))
    )


def readings_of(options: Options) -> Iterator[list[TimeSymbol]]:
    """Each way to read words with several meanings."""
    several = [number for number, found in enumerate(options) if len(found) > 1][:_AMBIGUOUS]
    plain = [found[0] for found in options]
    for choice in product(*(options[number] for number in several)):
        items = list(plain)
        for number, item in zip(several, choice, strict=True):
            items[number] = item
        yield items


def _may_stand_alone(tokens: Sequence[TimeWord], at: int, options: Options) -> bool:
    """A single letter of a script without spaces is often a part of a word."""
    before = at > 0 and tokens[at - 1].end == tokens[at].start and tokens[at - 1].is_letter
    behind = at + 1 < len(tokens) and tokens[at + 1].is_letter
    is_after_known = before and bool(options) and options[-1][0].symbol != "|"
    return (not before or is_after_known) and not (behind and not is_after_known)


def _is_before_year_sign(tokens: Sequence[TimeWord], at: int) -> bool:
    """9999年 is a year too."""
    return at + 1 < len(tokens) and _SIGNS.get(tokens[at + 1].key) == "Y"


def _is_part_of_name(tokens: Sequence[TimeWord], at: int) -> bool:
    """ "b4", "n21": letters go before."""
    before = tokens[at - 1]
    return before.is_word and not before.is_letter and before.end == tokens[at].start
