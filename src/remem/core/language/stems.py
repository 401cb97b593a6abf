"""Stems of English words."""

import threading

import snowballstemmer


class _ThreadStemmer(threading.local):
    """One stemmer per thread, because a stemmer stores the word it works on."""

    def __init__(self) -> None:
        self.stemmer = snowballstemmer.stemmer("english")


_local = _ThreadStemmer()


def stem_of(word: str) -> str:
    """The stem of a word in lower-case ASCII letters. Frequent callers cache the result."""
    return _local.stemmer.stemWord(word)
