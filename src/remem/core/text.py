"""Text as we keep it: what is refused, how it is cleaned, how it is named and hashed."""

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import islice

from remem.core.language.sentences import sentence_spans

TITLE_LIMIT = 500
_BLANK_LINES = re.compile(r"\n{3,}")
# Thai and what follows it: Lao, Khmer, kana, Han.
_FIRST_WITHOUT_SPACES = "\u0e00"
_MARKUP = re.compile(r"^[#>*\-\s]+")


def unstorable(text: str) -> str | None:
    """Say why PostgreSQL could not keep this text, or None when it can."""
    if "\x00" in text:
        return "contains a NUL byte; remove it"
    try:
        text.encode()
    except UnicodeEncodeError:
        return "is not valid Unicode (a lone surrogate); send well-formed UTF-8"
    return None


def clean(text: str) -> str:
    """Normalise form and white space; wording, case and order stay as they came."""
    text = unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))
    text = "\n".join(line.rstrip(" \t") for line in text.split("\n"))
    return _BLANK_LINES.sub("\n\n", text).strip()


def content_hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def title_of(text: str, limit: int = 80) -> str:
    """The first line that says something, cut at a word."""
    for line in text.splitlines():
        line = _MARKUP.sub("", line).strip()
        if line:
            return shorten(line, limit)
    return "Untitled"


def shorten(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    cut = text[: limit - 1]
    space = cut.rfind(" ")
    return (cut[:space] if space > limit // 2 else cut).rstrip(" ,;:.-") + "…"


def lead(text: str, count: int = 3, limit: int = 400) -> str:
    """The opening sentences: a summary in the text's own words."""
    flat = " ".join(_MARKUP.sub("", line) for line in text.splitlines() if line.strip())
    return shorten(" ".join(islice(_sentences(flat), count)), limit)


def _sentences(text: str) -> Iterator[str]:
    return (text[start:end] for start, end in sentence_spans(text))


def unique_tags(tags: Iterable[str]) -> list[str]:
    """Each tag once, however it is capitalised, as it was written first."""
    first: dict[str, str] = {}
    for tag in tags:
        first.setdefault(tag.casefold(), tag)
    return list(first.values())


def tags_in(tags: Iterable[str], others: Iterable[str]) -> list[str]:
    """The tags that are among the others, however they are capitalised."""
    folded = {tag.casefold() for tag in others}
    return [tag for tag in tags if tag.casefold() in folded]


def tags_without(tags: Iterable[str], others: Iterable[str]) -> list[str]:
    """The tags that are not among the others, however they are capitalised."""
    folded = {tag.casefold() for tag in others}
    return [tag for tag in tags if tag.casefold() not in folded]


def begins_with(word: str) -> str:
    """A regular expression of PostgreSQL: the word, or one that begins so. Scripts without spaces
    between words match anywhere."""
    escaped = re.sub(r"(\W)", r"\\\1", word)
    return (r"\m" if word[0].isalnum() and word[0] < _FIRST_WITHOUT_SPACES else "") + escaped


def has_tags(column: str, asked: str) -> str:
    """SQL: whether a list of tags has all that are asked for, in whatever case."""
    return f"lower({column}::text)::text[] @> lower(({asked})::text)::text[]"
