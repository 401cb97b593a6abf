"""Find a quotation in a text by its letters and digits, whatever markup is between them; pure."""

import re
import unicodedata
from collections.abc import Iterator
from itertools import takewhile

from remem.core.language.prose.markup import plain_text

# What a rendered text does not show: images, addresses of links, tags, entities, fence lines.
_HIDDEN = re.compile(
    r"!\[[^\]\n]{0,500}\]\([^()\s]{0,2000}\)"
    r"|(?<=\])\((?:[^()\s]|\([^()\s]{0,500}\)){0,2000}(?: \"[^\"\n]{0,500}\")?\)"
    r"|</?[a-z][\w-]{0,20}(?: [^<>\n]{0,500})?/?>"
    r"|&(?:\#\d{1,7}|[a-z]\w{1,20});"
    r"|^ {0,3}(?:```|~~~)[^\n]*$"
    r"|^\[[^\]\n]{1,200}\]: [^\n]*$",
    re.I | re.M,
)
# The bracket of a link that ends behind a passage, or begins before it.
_OPENED = re.compile(r"\[(?=[^\[\]]*\Z)")
_CLOSED = re.compile(r"\A([^\[\]]*)\](?:\([^()\s]{0,2000}\))?")
# Signs that a reader does not see, which are never the end of a passage.
_MARKUP = frozenset("*_`~#|\\")
_CONTEXT_LETTERS = 60
_MAX_OCCURRENCES = 1_000


def find_quote(
    text: str, quote: str, before: str = "", after: str = "", near: int = 0
) -> tuple[int, int] | None:
    """The offsets of a quotation; of several occurrences, the one with the most similar text
    `before` and `after` it, then the one nearest to `near`."""
    letters, places = _letters(text, hidden=True)
    wanted = _letters(quote)[0]
    if not wanted:
        start = text.find(quote)
        return (start, start + len(quote)) if quote and start >= 0 else None
    head, tail = _letters(before)[0], _letters(after)[0]

    def likeness(at: int) -> tuple[int, int]:
        here = letters[max(0, at - _CONTEXT_LETTERS) : at]
        end = at + len(wanted)
        same = _common(reversed(here), reversed(head)) + _common(
            iter(letters[end : end + _CONTEXT_LETTERS]), iter(tail)
        )
        return same, -abs(places[at] - near)

    found = max(_occurrences(letters, wanted), key=likeness, default=None)
    if found is None:
        return None
    return _with_signs(text, quote, places[found], places[found + len(wanted) - 1] + 1)


def quoted_words(text: str, start: int, end: int) -> str:
    """The words between two offsets as a reader sees them, without markup."""
    whole = _OPENED.sub("", _CLOSED.sub(r"\1", text[start:end]))
    return " ".join(plain_text(whole).split())


def _letters(text: str, *, hidden: bool = False) -> tuple[str, list[int]]:
    """The letters and digits of a text in small letters without accents, and the offset of each.
    With `hidden`, without what is not shown."""
    if hidden:
        text = _HIDDEN.sub(lambda match: " " * len(match[0]), text)
    letters: list[str] = []
    places: list[int] = []
    for offset, character in enumerate(text):
        if character.isascii():
            parts = character.lower() if character.isalnum() else ""
        else:
            decomposed = unicodedata.normalize("NFKD", character.lower())
            parts = "".join(filter(str.isalnum, decomposed))
        letters.extend(parts)
        places.extend([offset] * len(parts))
    return "".join(letters), places


def _occurrences(letters: str, wanted: str) -> Iterator[int]:
    at = letters.find(wanted)
    for _ in range(_MAX_OCCURRENCES):
        if at < 0:
            return
        yield at
        at = letters.find(wanted, at + 1)


def _common(first: Iterator[str], second: Iterator[str]) -> int:
    pairs = zip(first, second, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _with_signs(text: str, quote: str, start: int, end: int) -> tuple[int, int]:
    """The offsets with the signs around the outer letters that belong to them or to the quotation:
    accents, brackets, a full stop."""
    seen = "".join(sign for sign in quote if sign not in _MARKUP).strip()
    signs = list(takewhile(lambda sign: not sign.isalnum(), seen))
    while signs and start and text[start - 1] == signs.pop():
        start -= 1
    while end < len(text) and unicodedata.category(text[end]).startswith("M"):
        end += 1
    signs = list(takewhile(lambda sign: not sign.isalnum(), reversed(seen)))
    while signs and end < len(text) and text[end] == (sign := signs.pop()):
        end += len(sign)
    return start, end
