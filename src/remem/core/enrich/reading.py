"""Extract the readable part of a text: paragraphs without markup, menus, bylines and code."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from remem.core.chunking.front_matter import read_front_matter, standard_fields
from remem.core.chunking.headings import Heading, fences_of, headings_of
from remem.core.enrich.byline import author_in
from remem.core.enrich.dates import is_dateline
from remem.core.language.prose.markup import inline
from remem.core.language.sentences import sentences

_IMAGE = re.compile(r"!\[[^\[\]]*\](?:\([^()]*\)|\[[^\[\]]*\])")
_LINK = re.compile(r"\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])")
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,200}>")
_ADDRESS = re.compile(r"<?\b\w+://[^\s<>]+>?|\bwww\.[^\s<>]+")
_MARKER = re.compile(
    r"^[ \t]*(?:[>#]+[ \t]*)*(?:(?:[-*+•‣·]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?)?"
)
_RULE = re.compile(r"[-=_*~|:+#. \t]{3,}+$")
_NOTICE = re.compile(
    r"(?:skip to|jump to|sign (?:in|up|out)\b|log ?(?:in|out)\b|subscribe|we use cookies|"
    r"accept all|this (?:site|website) uses cookies|all rights reserved|copyright|©|follow us|"
    r"advertisement|sponsored|javascript is|please enable|share this|\d+ (?:min|minutes?) read)",
    re.I,
)
_MENU = re.compile(
    r"(?:menu|search|home|contact|about|privacy|terms|cookies?|share|read more|learn more|"
    r"click here|(?:table of )?contents|related|comments?|reply|edit|view source|next|previous|"
    r"loading|print|download|go to|back to)\b",
    re.I,
)
_GREETING = re.compile(
    r"(?:hi|hello|hey|dear|good (?:morning|afternoon|evening)|(?:many )?thanks|thank you|cheers|"
    r"(?:best|kind|warm)?[ \t]*regards|best wishes|yours|sincerely|hallo|liebe[rs]?|bonjour|hola|"
    r"ciao|guten (?:tag|morgen)|mit freundlichen|viele grüße|cordialement|saludos)\b[^.!?]*$",
    re.I,
)
_NOTICE_LIMIT, _MENU_WORDS, _GREETING_LIMIT = 120, 3, 40
_TOP_LINES = 20
_BYLINE_LINES, _BYLINE_CHARS = 15, 3_000
_BYLINE_WORDS = 14


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of running text. `listed`: an item of a list or a line of a table."""

    text: str
    listed: bool


@dataclass(frozen=True, slots=True)
class ParsedText:
    """A parsed text: `head` is its beginning without front matter, whose values are `fields`; `top`
    are its first lines without markup."""

    head: str
    headings: tuple[Heading, ...]
    paragraphs: tuple[Paragraph, ...]
    top: tuple[str, ...]
    fields: Mapping[str, Any] = field(default_factory=dict)

    @property
    def running(self) -> str:
        return "\n".join(paragraph.text for paragraph in self.paragraphs)


def parse_text(content: str) -> ParsedText:
    """Parse a text into paragraphs in reading order. Bylines are left out, unless the text is
    nothing but a byline."""
    fields, head = front_matter(content)
    fences = fences_of(head)
    headings = headings_of(head, (), fences)
    hidden = [*fences, *((heading.start, _line_end(head, heading.start)) for heading in headings)]
    lines = _remove_spans(head, sorted(hidden)).split("\n")
    paragraphs = list(_paragraphs(lines)) or list(_paragraphs(lines, bylines=True))
    return ParsedText(head, tuple(headings), tuple(paragraphs), tuple(top_lines(head)), fields)


def top_lines(head: str) -> list[str]:
    lines = (strip_markup(line) for line in head[:_BYLINE_CHARS].split("\n"))
    return [line for line in lines if line][:_BYLINE_LINES]


def _paragraphs(text: Sequence[str], *, bylines: bool = False) -> Iterator[Paragraph]:
    lines: list[str] = []
    for number, line in enumerate(text):
        is_listed, is_break = _is_listed(line), not line.strip() or bool(_RULE.match(line))
        if is_listed or is_break:
            yield from _paragraph(lines, listed=False)
            lines = []
        if is_listed:
            yield from _paragraph([line], listed=True)
        elif not is_break and (
            bylines or number >= _TOP_LINES or not is_byline(strip_markup(line))
        ):
            lines.append(line)
    yield from _paragraph(lines, listed=False)


def _is_listed(line: str) -> bool:
    match = _MARKER.match(line)
    return line.lstrip().startswith("|") or bool(match and match[0].strip(" \t>#"))


def strip_markup(line: str) -> str:
    """A line without markup of lists, quotations, emphasis, links or pictures."""
    line = _MARKER.sub("", line, count=1)
    if "](" in line or "][" in line:
        line = _LINK.sub(r"\1", _IMAGE.sub(" ", line))
    if "<" in line:
        line = _TAG.sub(" ", line)
    if "://" in line or "www." in line:
        line = _ADDRESS.sub(" ", line)
    return " ".join(inline(line).split())


def is_menu(line: str) -> bool:
    """Whether a line belongs to the page or letter around the text, not to the text."""
    if len(line) <= _NOTICE_LIMIT and _NOTICE.match(line):
        return True
    if len(line) <= _GREETING_LIMIT and _GREETING.match(line):
        return True
    return bool(_MENU.match(line)) and len(line.split()) <= _MENU_WORDS and line[-1] != "."


def is_byline(line: str) -> bool:
    """Whether a line only gives the author or the date of the text."""
    if len(line.split()) > _BYLINE_WORDS or len(sentences(line)) > 1:
        return False
    return author_in([line]) is not None or is_dateline(line)


def front_matter(content: str) -> tuple[dict[str, Any], str]:
    """Split off the front matter: its fields by their standard names, and the text without it."""
    fields, end = read_front_matter(content)
    return standard_fields(fields), content[end:].lstrip()


def _paragraph(lines: list[str], *, listed: bool) -> Iterator[Paragraph]:
    texts = [text for text in map(strip_markup, lines) if text and not is_menu(text)]
    if texts:
        yield Paragraph(" ".join(texts), listed)


def _remove_spans(text: str, spans: list[tuple[int, int]]) -> str:
    parts, last = [], 0
    for start, end in spans:
        parts.append(text[last:start])
        last = max(last, end)
    return "\n\n".join([*parts, text[last:]])


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return end if end >= 0 else len(text)
