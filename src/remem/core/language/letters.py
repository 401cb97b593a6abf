"""Letters of all scripts: parts of words, and words without case and accents."""

import re
import unicodedata

# Scripts written without spaces are matched by pairs of characters.
UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
)
UNSPACED_CHAR = re.compile(rf"[{UNSPACED}]")
# Vowel signs of Indian scripts and points of Hebrew and Arabic occur inside words but are not
# letters.
_MARKS = "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0900-\u0963\u0966-\u0df3"
WORD = rf"[^\W{UNSPACED}]+(?:[{_MARKS}]+[^\W{UNSPACED}]*)*"
PART = re.compile(rf"[^\W_]+(?:[{_MARKS}]+[^\W_]*)*", re.U)


def fold(text: str) -> str:
    """Remove case and accents."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(char for char in decomposed if not unicodedata.combining(char))
    return unicodedata.normalize("NFKC", bare)
