"""Split text into search terms, in the same way for stored texts and queries."""

import re
import unicodedata
from collections import Counter
from functools import lru_cache

from remem.core.language.lists import word_set
from remem.core.language.stems import stem_of

TERM_LIMIT = 64
# Scripts written without spaces are matched by pairs of characters.
_UNSPACED = "\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
# Vowel signs of Indian scripts and points of Hebrew and Arabic occur inside words but are not
# letters.
_MARKS = "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0900-\u0963\u0966-\u0df3"
_WORD = rf"[^\W{_UNSPACED}]+(?:[{_MARKS}]+[^\W{_UNSPACED}]*)*"
_RUN = re.compile(rf"[{_UNSPACED}]+|{_WORD}(?:['’._/#:@+-]+{_WORD})*", re.U)
_FIRST_UNSPACED = re.compile(rf"[{_UNSPACED}]")
_FIRST_IDEOGRAPH = "\u3400"
_PART = re.compile(rf"[^\W_]+(?:[{_MARKS}]+[^\W_]*)*", re.U)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")

STOP_WORDS = word_set("stopwords", "search")


def terms(text: str) -> Counter[str]:
    """The terms of a text with their counts."""
    counts: Counter[str] = Counter()
    for run in _runs(text):
        counts.update(_terms_of_run(run))
        if _is_unspaced(run) and len(run) > 1:
            # A single ideograph is often a word, and searched for alone.
            counts.update(char for char in run if char >= _FIRST_IDEOGRAPH)
    return counts


def query_terms(text: str) -> list[str]:
    """The terms to search for: without stop words, unless all of them are stop words."""
    all_terms = list(dict.fromkeys(term for run in _runs(text) for term in _terms_of_run(run)))
    without_stop_words = [term for term in all_terms if term not in STOP_WORDS]
    return without_stop_words or all_terms


def has_unspaced(text: str) -> bool:
    """Whether any character is in a script written without spaces."""
    return _FIRST_UNSPACED.search(text) is not None


def _runs(text: str) -> list[str]:
    return _RUN.findall(unicodedata.normalize("NFKC", text))


def _is_unspaced(run: str) -> bool:
    return _FIRST_UNSPACED.match(run) is not None


def _terms_of_run(run: str) -> list[str]:
    if _is_unspaced(run):
        return _pairs(run)
    parts = [piece for part in _PART.findall(run) for piece in _CAMEL.split(part)]
    run_terms = [_word(part) for part in parts]
    if len(parts) > 1:
        run_terms.append(_fold(run)[:TERM_LIMIT])
    return [term for term in run_terms if term]


def _pairs(run: str) -> list[str]:
    return [run] if len(run) == 1 else [run[i : i + 2] for i in range(len(run) - 1)]


@lru_cache(maxsize=65_536)
def _word(word: str) -> str:
    folded = _fold(word)[:TERM_LIMIT]
    if folded in STOP_WORDS or not folded.isascii() or not folded.isalpha():
        return folded
    return stem_of(folded)


def _fold(text: str) -> str:
    """Remove case and accents."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(char for char in decomposed if not unicodedata.combining(char))
    return unicodedata.normalize("NFKC", bare)
