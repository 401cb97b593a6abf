"""Functions for the tests of analysis: one returns, one never ends, one fails, one exits."""

import os
import re
from typing import NoReturn

_STUCK = re.compile(r"(?:a+)+b")


def process_of(text: str) -> int:
    """The id of the process that analyses the text."""
    assert text
    return os.getpid()


def never_done(text: str) -> bool:
    """Run a regex that never ends, and during which Python handles no signal."""
    return _STUCK.search(text + "a" * 60) is not None


def fails(text: str) -> NoReturn:
    raise ValueError(text)


def dies(text: str) -> NoReturn:
    os._exit(len(text))
