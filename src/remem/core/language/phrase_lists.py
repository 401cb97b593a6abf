"""Phrases of several languages as one pattern, with or without spaces between words; pure."""

import re
from collections.abc import Iterable

# Scripts that write words without spaces.
_UNSPACED = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def split_phrases(listed: str) -> list[str]:
    """The phrases of a list, which are separated by semicolons."""
    return [phrase for entry in listed.split(";") if (phrase := entry.strip())]


def is_unspaced(phrase: str) -> bool:
    return _UNSPACED.search(phrase) is not None


def any_of(phrases: Iterable[str]) -> str:
    """A pattern of whole words that matches the longest of the phrases."""
    return "|".join(map(_pattern, sorted(set(phrases), key=len, reverse=True)))


def _pattern(phrase: str) -> str:
    text = re.escape(phrase).replace(r"\ ", r"\s")
    if is_unspaced(phrase):
        return text
    start = r"(?<!\w)" if phrase[0].isalnum() else ""
    return start + text + (r"(?!\w)" if phrase[-1].isalnum() else "")
