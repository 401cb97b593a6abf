"""English words without their endings."""

import threading

import snowballstemmer


class _Own(threading.local):
    """A stemmer keeps the word it works on: two threads at one would spoil each other's."""

    def __init__(self) -> None:
        self.stemmer = snowballstemmer.stemmer("english")


_own = _Own()


def stem_of(word: str) -> str:
    """For a word of small ASCII letters; who asks often keeps the answers."""
    return _own.stemmer.stemWord(word)
