"""The language a text is written in, where there is enough of it to tell."""

import re
from functools import cache
from typing import Any

SAMPLE_CHARS = 2_000
ENOUGH_LETTERS = 40
# Scripts that one language, or nearly one, is written in need no statistics.
_SCRIPTS = (
    ("ja", re.compile(r"[\u3040-\u30ff]")),
    ("ko", re.compile(r"[\uac00-\ud7af]")),
    ("zh", re.compile(r"[\u4e00-\u9fff]")),
    ("th", re.compile(r"[\u0e00-\u0e7f]")),
    ("el", re.compile(r"[\u0370-\u03ff]")),
    ("he", re.compile(r"[\u0590-\u05ff]")),
)
_LETTER = re.compile(r"[^\W\d_]")


def language_of(text: str, content_type: str) -> str | None:
    if content_type in ("code", "csv", "json"):
        return None
    sample = text[:SAMPLE_CHARS]
    letters = len(_LETTER.findall(sample))
    for language, script in _SCRIPTS:
        if letters and len(script.findall(sample)) * 5 > letters:
            return language
    if letters < ENOUGH_LETTERS:
        return None
    return str(_identifier().classify(sample)[0])


@cache
def _identifier() -> Any:
    # Its model takes a second to load, which most starts never need.
    import py3langid

    return py3langid
