"""Stems of words, by language."""

import threading
from typing import Any

import snowballstemmer

_ALGORITHMS = {
    "ar": "arabic",
    "da": "danish",
    "de": "german",
    "fi": "finnish",
    "hi": "hindi",
    "nl": "dutch",
    "no": "norwegian",
    "sv": "swedish",
    "ta": "tamil",
}


class _ThreadStemmers(threading.local):
    """The stemmers of one thread, because a stemmer stores the word it works on."""

    def __init__(self) -> None:
        self.english = snowballstemmer.stemmer("english")
        self.others: dict[str, Any] = {}


_local = _ThreadStemmers()


def stem_of(word: str) -> str:
    """The stem of a word in lower-case ASCII letters. Frequent callers cache the result."""
    return _local.english.stemWord(word)


def stem_in(language: str, word: str) -> str:
    """The stem of a word in lower case, in one of the languages above."""
    stemmer = _local.others.get(language)
    if stemmer is None:
        stemmer = _local.others[language] = snowballstemmer.stemmer(_ALGORITHMS[language])
    return stemmer.stemWord(word)
