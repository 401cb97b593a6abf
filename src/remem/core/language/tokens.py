"""Split text into search terms, in the same way for stored texts and queries."""

import re
import unicodedata
from collections import Counter
from functools import lru_cache

from remem.core.language.letters import PART, UNSPACED, UNSPACED_CHAR, WORD, fold
from remem.core.language.lists import word_set
from remem.core.language.query_words import query_languages, stop_words_of, without_phrases
from remem.core.language.stems import stem_of

TERM_LIMIT = 64
_RUN = re.compile(rf"[{UNSPACED}]+|{WORD}(?:['’._/#:@+-]+{WORD})*", re.U)
FIRST_IDEOGRAPH = "\u3400"
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")

STOP_WORDS = word_set("stopwords", "search")


def terms(text: str) -> Counter[str]:
    """The terms of a text with their counts."""
    counts: Counter[str] = Counter()
    for run in _runs(text):
        counts.update(_terms_of_run(run))
        if _is_unspaced(run) and len(run) > 1:
            # A single ideograph is often a word, and searched for alone.
            counts.update(char for char in run if char >= FIRST_IDEOGRAPH)
    return counts


def query_terms(text: str) -> list[str]:
    """The terms to search for: without the stop words of the query's language, unless all of them
    are stop words."""
    all_terms = list(dict.fromkeys(term for run in _runs(text) for term in _terms_of_run(run)))
    without_stop_words = [
        term
        for term in dict.fromkeys(term for run in _runs(text) for term in _searched(run, text))
        if term not in STOP_WORDS
    ]
    return without_stop_words or all_terms


def _searched(run: str, query: str) -> list[str]:
    """The terms of a run without the words of a question."""
    if _is_unspaced(run):
        parts = without_phrases(run, query)
        return [term for part in parts for term in _pairs(part) if _is_searchable(term)]
    stop_words = stop_words_of(query_languages(query))
    if not stop_words:
        return _terms_of_run(run)
    parts = PART.findall(run)
    kept = [part for part in parts if fold(part) not in stop_words]
    of_run = _terms_of_run(run)
    if len(kept) == len(parts):
        return of_run
    return [term for part in kept for term in _terms_of_run(part) if term in of_run]


def _is_searchable(term: str) -> bool:
    """Only ideographs are indexed alone."""
    return len(term) > 1 or term >= FIRST_IDEOGRAPH


def has_unspaced(text: str) -> bool:
    """Whether any character is in a script written without spaces."""
    return UNSPACED_CHAR.search(text) is not None


def _runs(text: str) -> list[str]:
    return _RUN.findall(unicodedata.normalize("NFKC", text))


def _is_unspaced(run: str) -> bool:
    return UNSPACED_CHAR.match(run) is not None


def _terms_of_run(run: str) -> list[str]:
    if _is_unspaced(run):
        return _pairs(run)
    parts = [piece for part in PART.findall(run) for piece in _CAMEL.split(part)]
    run_terms = [term_of(part) for part in parts]
    if len(parts) > 1:
        run_terms.append(fold(run)[:TERM_LIMIT])
    return [term for term in run_terms if term]


def _pairs(run: str) -> list[str]:
    return [run] if len(run) == 1 else [run[i : i + 2] for i in range(len(run) - 1)]


@lru_cache(maxsize=65_536)
def term_of(word: str) -> str:
    """The term of one word without separators."""
    folded = fold(word)[:TERM_LIMIT]
    if folded in STOP_WORDS or not folded.isascii() or not folded.isalpha():
        return folded
    return stem_of(folded)
