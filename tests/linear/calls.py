"""Functions for the tests of analysis: one that answers, one that never does, one that dies."""

import os
import re
from typing import NoReturn

_STUCK = re.compile(r"(?:a+)+b")


def process_of(text: str) -> int:
    """The process that reads the text."""
    assert text
    return os.getpid()


def never_done(text: str) -> bool:
    """A regex that is stuck, and hears no signal that Python would have to handle."""
    return _STUCK.search(text + "a" * 60) is not None


def fails(text: str) -> NoReturn:
    raise ValueError(text)


def dies(text: str) -> NoReturn:
    os._exit(len(text))
