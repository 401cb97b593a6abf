"""Enclose recalled text in a tag that the text itself cannot close."""

import html
import re
import unicodedata
from urllib.parse import unquote

# Recalled text is enclosed in this tag, so that it is not saved again as part of a session.
MARK = "remem-recalled"
_NAME = "rememrecalled"
# A character that looks like "<", or the first one of an encoded "<".
_OPENING = re.compile(
    r"[<\uff1c\ufe64\u2039\u3008\u2329\u27e8\u02c2\u1438\u276e\u2770\u00ab\u227a\u2770"
    r"\u29fc\u2d26\u300a\U0001d236&%\\]"
)
_ESCAPE = re.compile(r"\\(?:u\{?0*|x|U0*)([0-9a-fA-F]{2,4})\}?")
_ANGLES = frozenset(
    "<\u2039\u3008\u2329\u27e8\u02c2\u1438\u276e\u2770\u00ab\u227a\u29fc\u2d26\u300a\U0001d236"
)
_WINDOW, _ROUNDS = 2_000, 6
# Letters that together look like another one.
_PAIRS = (("rn", "m"), ("cl", "d"))


def enclose(text: str) -> str:
    return f"<{MARK}>\n{neutralise(text)}\n</{MARK}>"


def neutralise(text: str) -> str:
    """Replace the "<" of everything that could be read as the tag, however it is spelled: in other
    case, with spaces, as entities, with invisible characters or with letters that look alike."""
    return _OPENING.sub(
        lambda match: "(" if _is_tag(text[match.start() : match.start() + _WINDOW]) else match[0],
        text,
    )


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
        decoded = _ESCAPE.sub(lambda match: chr(int(match[1], 16)), decoded)
        if decoded == text:
            break
        text = decoded
    return unicodedata.normalize("NFKC", text)


def _may_be(char: str, letter: str) -> bool:
    """Whether a character is that letter or may look like it: any letter that is not ASCII."""
    return char.casefold() == letter or not char.isascii() or (letter == "l" and char in "1I|")
