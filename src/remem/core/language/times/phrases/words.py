"""The words of time of each language, as symbols of the grammar."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple, TypeAlias

from remem.core.language.lists import table

Key: TypeAlias = tuple[str, ...]
# Scripts that are written without spaces, or with particles behind their words.
_JOINED = ((0x0E00, 0x0E7F), (0x3040, 0x30FF), (0x3400, 0x9FFF), (0xAC00, 0xD7AF))
_ACCENTED = ((0x00C0, 0x024F), (0x0370, 0x03FF), (0x1E00, 0x1FFF))
_ARABIC = str.maketrans({"أ": "ا", "إ": "ا", "آ": "ا", "ى": "ي", "ة": "ه", "ـ": "", "\u093c": ""})
_SIGNS = {
    "–": "-", "—": "-", "−": "-", "‐": "-", "‑": "-", "~": "-", "～": "-", "〜": "-",
    "’": "'", "ʼ": "'", "：": ":", "／": "/",
}  # fmt: skip
# Numbers up to 99 in Han characters, before what is counted or dated.
_NUMERALS, _NUMERAL_START = "〇一二三四五六七八九", frozenset("一二三四五六七八九十")
_NUMERAL = re.compile(
    r"(?<![周週拜期曜第])(?:[一二三四五六七八九]?十[一二三四五六七八九]?|[一二三四五六七八九])"
    r"(?=[月日号號点點時时个個天周週年])"
)
# Languages whose months and weekdays take endings.
_INFLECTED = frozenset("tr fi hu".split())
_MIN_STEM, _MAX_ENDING = 4, 4


class Meaning(NamedTuple):
    """What a word says: the symbol of its kind, and a number or word of the kind."""

    symbol: str
    value: int | str


@dataclass(frozen=True, slots=True)
class TimeWord:
    start: int
    end: int
    key: str
    is_number: bool = False
    is_word: bool = False
    is_letter: bool = False
    """Of a script without spaces."""


@dataclass(frozen=True, slots=True)
class Lexicon:
    meanings: dict[Key, tuple[Meaning, ...]]
    # The length of the longest phrase that begins with a word.
    longest: dict[str, int]
    is_inflected: bool

    def match(self, tokens: Sequence[TimeWord], at: int) -> tuple[int, tuple[Meaning, ...]]:
        """How many tokens from this one on are a known phrase, and what it may say."""
        longest = self.longest.get(tokens[at].key, 0)
        for size in range(min(longest, len(tokens) - at), 0, -1):
            key = tuple(token.key for token in tokens[at : at + size])
            if found := self.meanings.get(key):
                return size, found
        return (1, self._inflected(tokens[at].key)) if self.is_inflected else (1, ())

    def _inflected(self, key: str) -> tuple[Meaning, ...]:
        for size in range(len(key) - 1, max(_MIN_STEM, len(key) - _MAX_ENDING) - 1, -1):
            found = self.meanings.get((key[:size],), ())
            if kept := tuple(meaning for meaning in found if meaning.symbol in "MW"):
                return kept
        return ()


def tokens_of(text: str) -> list[TimeWord]:
    """Numbers, words and signs; words of joined scripts are single letters."""
    tokens: list[TimeWord] = []
    at = 0
    while at < len(text):
        if text[at] in _NUMERAL_START and (numeral := _NUMERAL.match(text, at)):
            tokens.append(TimeWord(at, numeral.end(), str(han_number(numeral[0])), is_number=True))
            at = numeral.end()
            continue
        kind = _kind(text[at])
        end = at + 1
        if kind in ("number", "word"):
            while end < len(text) and _kind(text[end]) == kind:
                end += 1
        if kind != "space":
            key = _digits(text[at:end]) if kind == "number" else folded(text[at:end])
            is_word = kind in ("word", "joined")
            tokens.append(TimeWord(at, end, key, kind == "number", is_word, kind == "joined"))
        elif "\n" in text[at:end]:
            tokens.append(TimeWord(at, end, "\n"))
        at = end
    return tokens


def han_number(numeral: str) -> int:
    """Of 十五: 15."""
    tens, found, ones = numeral.partition("十")
    if not found:
        return int("".join(str(_NUMERALS.index(char) % 10) for char in numeral))
    return 10 * (_NUMERALS.index(tens) if tens else 1) + (_NUMERALS.index(ones) if ones else 0)


@lru_cache(8_192)
def _kind(char: str) -> str:
    if char.isspace():
        return "space"
    if char.isdecimal():
        return "number"
    if any(first <= ord(char) <= last for first, last in _JOINED):
        return "joined"
    return "word" if unicodedata.category(char)[0] in "LM" else "sign"


def _digits(text: str) -> str:
    return "".join(str(unicodedata.digit(char)) for char in text)


def folded(text: str) -> str:
    """Lower case, without accents, and with one form of each Arabic letter and dash."""
    plain = unicodedata.normalize("NFC", text.translate(_ARABIC)).casefold().replace("İ", "i")
    return "".join(_without_accent(_SIGNS.get(char, char)) for char in plain)


def _without_accent(char: str) -> str:
    if unicodedata.category(char) == "Mn" and not 0x0900 <= ord(char) <= 0x0DFF:
        return ""
    if any(first <= ord(char) <= last for first, last in _ACCENTED):
        return unicodedata.normalize("NFD", char)[0]
    return char


@cache
def lexicon(languages: tuple[str, ...]) -> Lexicon:
    """The words of languages; of a word in several, what the first one says."""
    meanings: dict[Key, tuple[Meaning, ...]] = {}
    for language in languages:
        own: dict[Key, tuple[Meaning, ...]] = {}
        for key, meaning in _entries(language):
            own[key] = (*own.get(key, ()), meaning)
        meanings = own | meanings
    longest: dict[str, int] = {}
    for key in meanings:
        longest[key[0]] = max(len(key), longest.get(key[0], 0))
    return Lexicon(meanings, longest, not _INFLECTED.isdisjoint(languages))


def _entries(language: str) -> Iterator[tuple[Key, Meaning]]:
    words = table("times", "any").get(language)
    if words is None:
        return
    for months in (table("months", "any").get(language, ""), words.get("months", "")):
        for number, forms in enumerate(months.split(";"), 1):
            yield from _keys(forms, Meaning("M", number))
    for number, forms in enumerate(words["weekdays"].split(";")):
        yield from _keys(forms, Meaning("W", number))
    for number, form in enumerate(words.get("hours", "").split(), 1):
        yield from _keys(form, Meaning("n", number))
    for symbol, name in _TABLES.items():
        for row in words.get(name, "").split(";"):
            value, _, forms = row.strip().partition(" ")
            yield from _keys(forms, Meaning(symbol, int(value) if name in _NUMBERED else value))
    for symbol, name in _LISTS.items():
        yield from _keys(words.get(name, ""), Meaning(symbol, name))


# The symbol of each kind of word.
_TABLES = {"R": "near", "S": "steps", "U": "units", "E": "edges", "P": "parts"}
_NUMBERED = ("near", "steps")
_LISTS = {
    "I": "in", "B": "after", "G": "ago", "C": "clock", "H": "hour", "b": "half_before",
    "h": "half_after", "p": "half_prefix", "D": "day", "J": "join", "F": "filler",
    "X": "other_calendar", "L": "limit", "V": "every",
}  # fmt: skip


def _keys(forms: str, meaning: Meaning) -> Iterator[tuple[Key, Meaning]]:
    for form in forms.split():
        if key := tuple(token.key for token in tokens_of(form.replace("_", " "))):
            yield key, meaning
