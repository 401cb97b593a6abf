"""The title of a text: as given, its heading, or its first informative line."""

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any

from remem.core.chunking.headings import Heading
from remem.core.chunking.messenger import SYSTEM, Message
from remem.core.enrich.reading import ParsedText, is_byline, is_menu, strip_markup
from remem.core.language.sentences import sentences
from remem.core.text import TITLE_LIMIT, shorten, title_of

_LINE_LIMIT, _MIN_TITLE_CHARS = 90, 25
_EARLY_CHARS = 1_500
_JUNK = re.compile(
    r"(?:untitled|no ?title|new (?:document|note|file|tab|page)|index|home|"
    r"(?:doc(?:ument)?|dokument|file|page|scan|image|img|note|slide|presentation|book|sheet)"
    r"[ _-]?\d*|default|title|about:blank|null|none|undefined)(?:\.\w{1,5})?",
    re.I,
)
_PROGRAM_PREFIX = re.compile(r"^microsoft (?:word|powerpoint|excel) - ", re.I)
_SUFFIX = re.compile(r"\.(?:docx?|pptx?|xlsx?|odt|pdf|txt|md|html?)$", re.I)
_NAMES = ("name", "file_name", "filename")


def given_title(given: str | None, metadata: Mapping[str, Any]) -> str:
    """The title given by the owner or the file; "" when there is none."""
    titles = (
        _clean_title(title) for title in (given, metadata.get("title"), metadata.get("subject"))
    )
    return shorten(next(filter(None, titles), ""), TITLE_LIMIT)


def file_name(metadata: Mapping[str, Any]) -> str:
    return next((PurePath(str(metadata[key])).name for key in _NAMES if metadata.get(key)), "")


def chat_title(messages: Sequence[Message], metadata: Mapping[str, Any]) -> str:
    """The name of an export's file, or of the people who write."""
    stem = PurePath(file_name(metadata)).stem
    names = dict.fromkeys(message.speaker for message in messages if message.speaker != SYSTEM)
    return shorten(stem if " " in stem else ", ".join(names), TITLE_LIMIT)


def title_in(text: ParsedText) -> str:
    """The title from the text itself: its heading or its first informative line."""
    head = text.head[:_EARLY_CHARS]
    return _heading(text.headings) or _first_line(head) or title_of(head)


def _clean_title(title: Any) -> str:
    """Clean up a given title; "" when it is only a program's default."""
    text = _PROGRAM_PREFIX.sub("", _SUFFIX.sub("", " ".join(str(title or "").split())))
    return "" if _JUNK.fullmatch(text) else text


def _heading(headings: Sequence[Heading]) -> str:
    early = [
        heading
        for heading in headings
        if heading.start < _EARLY_CHARS and _clean_title(heading.text)
    ]
    top = [heading for heading in early if heading.level == 1] or early
    return shorten(top[0].text, TITLE_LIMIT) if top else ""


def _first_line(head: str) -> str:
    lines = [strip_markup(line) for line in head.split("\n")]
    for line in lines:
        if any(map(str.isalpha, line)) and not is_menu(line) and not is_byline(line):
            opening = sentences(line)[0]
            title = opening if len(opening) >= _MIN_TITLE_CHARS or not opening.isascii() else line
            return shorten(title.rstrip(" :,;"), _LINE_LIMIT)
    return ""
