"""Keys that the forms of a word share, in texts that are not in English.

A key is the beginning of a word, its stem or a pair of its syllables: bench/README.md compares
them. The last part of a compound has a key of its own. Keys stand beside the terms of a text, with
a mark that no term has."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeAlias

from remem.core.language.letters import PART, UNSPACED_CHAR, fold
from remem.core.language.numerals import days_in, numbers_in
from remem.core.language.query_words import (
    ENGLISH,
    count_stop_words,
    is_clearly_english,
    likely_languages,
    query_languages,
    stop_words_of,
)
from remem.core.language.stems import stem_in
from remem.core.language.tokens import FIRST_IDEOGRAPH, query_terms, term_of, terms

MARK = "~"
_BEGINNING_CHARS = 4
# Languages that write compounds as one word, and scripts that have a stemmer.
_COMPOUNDING = ("de", "nl", "sv", "da", "no", "fi")
_STEMMED_SCRIPTS = (
    ("\u0600", "\u06ff", "ar"),
    ("\u0900", "\u097f", "hi"),
    ("\u0b80", "\u0bff", "ta"),
)
_HANGUL, _HEBREW = ("\uac00", "\ud7af"), ("\u0590", "\u05ff")
_HEBREW_PREFIXES = "הבלמשכו"
_END_CHARS, _MIN_COMPOUND_CHARS = 4, 8
_ARABIC_LETTERS = str.maketrans({"ى": "ي", "ی": "ي", "ک": "ك", "ـ": ""})
_ARABIC_AND = re.compile(r"^[وف](?=ال)")
# One form of letters that are written in several ways.
_LETTERS = str.maketrans(
    {"ى": "ي", "ی": "ي", "ک": "ك", "ة": "ه", "ـ": "", "ø": "o", "æ": "a", "œ": "o", "ł": "l"}
    | {"đ": "d", "ð": "d", "þ": "t", "ı": "i", "ß": "ss"}
)


def text_keys(text: str) -> Counter[str]:
    """The keys of a text with their counts; of an English text, only those of numbers and days."""
    keys = Counter(_numeral_keys(text))
    stop_words = count_stop_words(text)
    if not is_clearly_english(stop_words):
        language = _compounding_language(likely_languages(text, stop_words))
        for word in PART.findall(text):
            keys.update(_keys(word, language, _MIN_COMPOUND_CHARS))
    return keys


Keys: TypeAlias = Mapping[str, tuple[str, ...]]
NO_KEYS: Keys = {}


@dataclass(frozen=True, slots=True)
class QueryKeys:
    """The keys to search for beside the terms of a query, by the term that they stand for.
    `if_missing` are those of a query in an unknown language, for terms that are in no text."""

    keys: Keys = field(default_factory=dict)
    if_missing: Keys = field(default_factory=dict)

    def of_missing(self, terms: Sequence[str]) -> Keys:
        return {term: self.if_missing[term] for term in terms if term in self.if_missing}


@dataclass(frozen=True, slots=True)
class QueryWords:
    """What a query is matched by in a text that is not in the index: its terms and keys."""

    words: frozenset[str]
    has_keys: bool

    def found_in(self, text: str) -> frozenset[str]:
        words = terms(text).keys()
        return self.words.intersection(words | text_keys(text).keys() if self.has_keys else words)


def query_words(query: str) -> QueryWords:
    keys = all_keys(query_keys(query).keys)
    return QueryWords(frozenset((*query_terms(query), *keys)), bool(keys))


def all_keys(keys: Keys) -> list[str]:
    return list(dict.fromkeys(key for of_term in keys.values() for key in of_term))


def query_keys(query: str) -> QueryKeys:
    """English has keys only for numbers and days."""
    numerals = {key: (key,) for key in _numeral_keys(query)}
    languages = query_languages(query)
    if ENGLISH in languages:
        return QueryKeys(numerals)
    stop_words, compounding = stop_words_of(languages), _compounding_language(languages)
    of_words = {
        term_of(word): _keys(word, compounding, _END_CHARS)
        for word in PART.findall(query)
        if fold(word) not in stop_words
    }
    of_pairs = {term: _ideographs(term) for term in query_terms(query)}
    of_term = {term: keys for term, keys in (of_pairs | of_words).items() if keys}
    if languages or not query.isascii():
        return QueryKeys(of_term | numerals)
    return QueryKeys(numerals, if_missing=of_term)


def _ideographs(pair: str) -> tuple[str, ...]:
    """The ideographs of a pair, which are indexed alone too."""
    is_pair = len(pair) > 1 and UNSPACED_CHAR.match(pair)
    return tuple(char for char in pair if char >= FIRST_IDEOGRAPH) if is_pair else ()


def _numeral_keys(text: str) -> list[str]:
    days = [f"{MARK}{month}-{day}" for month, day in days_in(text)]
    return [*numbers_in(text), *days]


def _compounding_language(languages: frozenset[str]) -> str:
    """The language of these that writes compounds as one word; "" if none does."""
    return next((language for language in _COMPOUNDING if language in languages), "")


@lru_cache(maxsize=65_536)
def _keys(word: str, language: str, min_compound_chars: int) -> tuple[str, ...]:
    folded = fold(word.casefold().translate(_LETTERS))
    if not any(map(str.isalpha, folded)) or UNSPACED_CHAR.search(word):
        return ()
    if _HANGUL[0] <= word[0] <= _HANGUL[1]:
        pairs = [folded[index : index + 2] for index in range(len(folded) - 1)] or [folded]
        return tuple(MARK + pair for pair in pairs)
    for first, last, script_language in _STEMMED_SCRIPTS:
        if first <= word[0] <= last:
            # "and" and "so" are written together with the article.
            bare = _ARABIC_AND.sub("", word.translate(_ARABIC_LETTERS))
            return (MARK + fold(stem_in(script_language, bare).translate(_LETTERS)),)
    if len(folded) < _BEGINNING_CHARS:
        return ()
    keys = [MARK + folded[:_BEGINNING_CHARS]]
    if _HEBREW[0] <= word[0] <= _HEBREW[1] and folded[0] in _HEBREW_PREFIXES:
        keys.append(MARK + folded[1 : 1 + _BEGINNING_CHARS])
    if language:
        stem = fold(stem_in(language, word.casefold()).translate(_LETTERS))
        if len(stem) >= min_compound_chars:
            keys.append(MARK + MARK + stem[-_END_CHARS:])
    return tuple(keys)
