"""English words without their endings."""

import threading
from functools import lru_cache

import snowballstemmer


class _Own(threading.local):
    """A stemmer keeps the word it works on: two threads at one would spoil each other's."""

    def __init__(self) -> None:
        self.stemmer = snowballstemmer.stemmer("english")


_own = _Own()


@lru_cache(maxsize=65_536)
def stem_of(word: str) -> str:
    """For a word of small ASCII letters."""
    return _own.stemmer.stemWord(word)
