"""Stored text: what is refused, and how text is cleaned, titled and hashed."""

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import islice

from remem.core.language.prose.markup import plain_line
from remem.core.language.sentences import sentence_spans

TITLE_LIMIT = 500
_BLANK_LINES = re.compile(r"\n{3,}")
# From Thai on: Thai, Lao, Khmer, kana, Han.
_FIRST_WITHOUT_SPACES = "\u0e00"
_MARKUP = re.compile(r"^[#>*\-\s]+")


def unstorable_reason(text: str) -> str | None:
    """Why PostgreSQL cannot store this text, or None if it can."""
    if "\x00" in text:
        return "contains a NUL byte; remove it"
    try:
        text.encode()
    except UnicodeEncodeError:
        return "is not valid Unicode (a lone surrogate); send well-formed UTF-8"
    return None


def clean(text: str) -> str:
    """Normalise Unicode and white space; wording, case and order stay the same."""
    text = unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))
    text = "\n".join(line.rstrip(" \t") for line in text.split("\n"))
    return _BLANK_LINES.sub("\n\n", text).strip()


def content_hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def title_of(text: str, limit: int = 80) -> str:
    """The first line that is not blank or markup only, without markup, cut at a word."""
    for line in text.splitlines():
        line = _MARKUP.sub("", plain_line(line))
        if line:
            return shorten(line, limit)
    return "Untitled"


def shown_title(title: str) -> str:
    """A title that was given, without markup."""
    return plain_line(title) or title


def shorten(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    cut = text[: limit - 1]
    space = cut.rfind(" ")
    return (cut[:space] if space > limit // 2 else cut).rstrip(" ,;:.-") + "…"


def lead(text: str, count: int = 3, limit: int = 400) -> str:
    """The first sentences, as a summary in the text's own words."""
    flat = " ".join(_MARKUP.sub("", line) for line in text.splitlines() if line.strip())
    return shorten(" ".join(islice(_sentences(flat), count)), limit)


def _sentences(text: str) -> Iterator[str]:
    return (text[start:end] for start, end in sentence_spans(text))


def unique_tags(tags: Iterable[str]) -> list[str]:
    """Remove duplicate tags, ignoring case; the first spelling wins."""
    by_folded_name: dict[str, str] = {}
    for tag in tags:
        by_folded_name.setdefault(tag.casefold(), tag)
    return list(by_folded_name.values())


def tags_in(tags: Iterable[str], others: Iterable[str]) -> list[str]:
    """The tags that are among the others, ignoring case."""
    folded = {tag.casefold() for tag in others}
    return [tag for tag in tags if tag.casefold() in folded]


def tags_without(tags: Iterable[str], others: Iterable[str]) -> list[str]:
    """The tags that are not among the others, ignoring case."""
    folded = {tag.casefold() for tag in others}
    return [tag for tag in tags if tag.casefold() not in folded]


def word_prefix_pattern(word: str) -> str:
    """A PostgreSQL regular expression for words that begin with this word. In scripts without
    spaces between words it matches anywhere."""
    escaped = re.sub(r"(\W)", r"\\\1", word)
    return (r"\m" if word[0].isalnum() and word[0] < _FIRST_WITHOUT_SPACES else "") + escaped


def has_tags_sql(column: str, requested: str) -> str:
    """The SQL condition that a list of tags has all requested tags, ignoring case."""
    return f"lower({column}::text)::text[] @> lower(({requested})::text)::text[]"
