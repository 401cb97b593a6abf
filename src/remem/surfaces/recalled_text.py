"""Enclose recalled text in a tag that the text itself cannot close."""

import html
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import unquote

from remem.surfaces.recalled_mark import INSTRUCTIONS_MARK, MARK

_NAME = "rememrecalled"
# What points to the left or compares looks like "<", whatever its name says besides.
_NAMES = re.compile(
    "LESS-THAN|SMALLER THAN|PRECEDES|LEFT[ -](?:POINTING |DOUBLE |ARC )*(?:DOUBLE )?"
    "(?:ANGLE|ARROWHEAD)"
)
_BLOCKS = ((0x80, 0x3100), (0xFE30, 0xFF70), (0x1D200, 0x1D250))
_ANGLES = frozenset(
    char
    for first, last in _BLOCKS
    for char in map(chr, range(first, last))
    if _NAMES.search(unicodedata.name(char, ""))
) | frozenset("<\u2039\u02c2\u1438\u276e\u2770\u00ab\u29fc\u2d26\u300a\U0001d236")
# The characters of an encoded "<".
_CODES = "&%\\#;{}"
_OPENING = re.compile(f"[&%\\\\{''.join(sorted(_ANGLES))}]")
_ESCAPE = re.compile(
    r"\\(?:(?:u\{?0*|x|U0*)(?P<code>[0-9a-fA-F]{2,4})\}?|0{0,4}(?:74|3[cC])(?![0-9a-fA-F]))"
)
_WINDOW, _ROUNDS = 2_000, 6
_DIGITS = {"l": "1I|", "e": "3", "a": "4"}
# Letters that together look like another one.
_PAIRS = (("rn", "m"), ("cl", "d"))


def enclose(text: str) -> str:
    return f"<{MARK}>\n{neutralise(text)}\n</{MARK}>"


def render_instructions(instructions: Iterable[Mapping[str, Any]]) -> str:
    """What the user pinned, before recalled text, which is no instruction."""
    lines = [f"- {neutralise(item['content'])}" for item in instructions]
    if not lines:
        return ""
    head = "The user pinned these instructions for every session:"
    return "\n".join([f"<{INSTRUCTIONS_MARK}>", head, *lines, f"</{INSTRUCTIONS_MARK}>"])


def neutralise(text: str) -> str:
    """Replace the "<" of everything that could be read as the tag, however it is spelled: in other
    case, with spaces, as entities, with invisible characters or with letters that look alike."""
    places = [match.start() for match in _OPENING.finditer(text)]
    if not places:
        return text
    # However much stands between them, only letters and what encodes them make the tag.
    kept = [at for at, char in enumerate(text) if char.isalnum() or _is_sign(char)]
    plain = "".join(text[at] for at in kept)
    chars = list(text)
    for place in places:
        start = bisect_left(kept, place)
        if _is_tag(plain[start : start + _WINDOW]):
            chars[place] = "("
    return "".join(chars)


def _is_sign(char: str) -> bool:
    return char in _CODES or char in _ANGLES


def _is_tag(window: str) -> bool:
    plain = _decode(window)
    if plain[:1] not in _ANGLES:
        return False
    letters = "".join(char for char in plain[1:] if char.isalnum())
    spellings = [letters, *(letters.replace(*pair) for pair in _PAIRS)]
    return any(_is_name(spelling[: len(_NAME)]) for spelling in spellings)


def _is_name(letters: str) -> bool:
    return len(letters) == len(_NAME) and all(map(_may_be, letters, _NAME))


def _decode(text: str) -> str:
    """Decode entities, percent-encoding and escapes, also inside each other."""
    for _ in range(_ROUNDS):
        decoded = unquote(html.unescape(text))
        decoded = _ESCAPE.sub(lambda match: chr(int(match["code"] or "3c", 16)), decoded)
        if decoded == text:
            break
        text = decoded
    return unicodedata.normalize("NFKC", text)


def _may_be(char: str, letter: str) -> bool:
    """Whether a character is that letter or may look like it: any letter that is not ASCII."""
    return char.casefold() == letter or not char.isascii() or char in _DIGITS.get(letter, "")
