"""Distinguish kinds of text by at least two signals: its content, its name, the claimed type."""

import csv
import json
import re
from collections.abc import Callable
from pathlib import PurePath

from remem.adapters.extractors import languages
from remem.core.content_kinds import BINARY_TYPES, KINDS

BY_EXTENSION = {end: kind.name for kind in KINDS.values() for end in kind.suffixes.split()}
TEXT_STARTS = tuple(
    (magic.decode(), kind.name)
    for kind in KINDS.values()
    if kind.form != "binary"
    for magic in kind.magic
)
MEDIA_TYPES = {media: kind.name for kind in KINDS.values() for media in kind.media.split()}
TAG_NAME = re.compile(r"<([a-zA-Z][\w:-]*)")
# A declaration, a comment, a document type, and the end of one that declares entities.
PROLOG = (("<?", "?>"), ("<!--", "-->"), ("<!", ">"), ("]", ">"))
PAGE_TAGS = ("!doctype html", "html", "head", "body")
# Types that a sender may claim for a text without other signals.
CLAIMABLE = KINDS.keys() - BINARY_TYPES

TAG = re.compile(
    r"<(p|div|span|h[1-6]|ul|ol|li|table|tr|td|a|img|section|article|main|br|meta)\b[^>]{0,300}>",
    re.I,
)
HEADER = re.compile(
    r"^(?:from|to|cc|subject|date|message-id|received|mime-version|return-path|content-type|"
    r"delivered-to|reply-to|dkim-signature|x-[\w-]+|list-id|sender):",
    re.IGNORECASE,
)
MBOX_START = re.compile(r"From \S++.*\b\d{4}\s*\n[\w-]+:")
CUE = re.compile(r"\d{1,2}:\d\d(?::\d\d)?[,.]\d{1,3} +--> +\d", re.ASCII)
MARKDOWN = (
    re.compile(r"^#{1,6} \S", re.MULTILINE),
    re.compile(r"^[ \t]*[-*+] \S.*\n[ \t]*[-*+] \S", re.MULTILINE),
    re.compile(r"^(?:```|~~~)", re.MULTILINE),
    re.compile(r"\[[^\[\]\n]{1,200}\]\([^)\s]{1,500}\)"),
    re.compile(r"\*\*[^*\n]{1,300}\*\*"),
    re.compile(r"^\|.+\|\s*\n\|[ :|-]+\|", re.MULTILINE),
    re.compile(r"^> \S", re.MULTILINE),
    re.compile(r"\A---\n[\w-]+:.*\n"),
)
# A text with fenced code contains more than code.
FENCE = re.compile(r"^ {0,3}(?:```|~~~)[^`]*$", re.MULTILINE)
DELIMITERS = ",;\t|"
SNIFFED_ROWS = 20


def text_kind(text: str, name: str | None, claim: str | None) -> str:
    """Return the kind of a text, from its beginning."""
    by_name = kind_by_name(name)
    claimed = kind_by_claim(claim)
    for start, kind in TEXT_STARTS:
        if text.startswith(start):
            return kind
    for kind, matches in CONTENT_TESTS:
        if matches(text, by_name, claimed):
            return kind
    if by_name not in (None, "text", "code") and _is_plausible(by_name, text):
        return by_name
    if languages.by_name(name):
        return "code"
    if by_name != "text" and not claimed and FENCE.search(text):
        return "markdown"
    if by_name != "text" and not claimed and languages.by_content(text):
        return "code"
    if claimed in ("note", "markdown", "code", "tweet"):
        return claimed
    return "markdown" if sum(1 for pattern in MARKDOWN if pattern.search(text)) >= 2 else "text"


def kind_by_name(name: str | None) -> str | None:
    suffix = PurePath((name or "").replace("\\", "/")).suffix.lower().lstrip(".")
    if suffix in BY_EXTENSION:
        return BY_EXTENSION[suffix]
    return "code" if languages.by_name(name) else None


def kind_by_claim(claim: str | None) -> str | None:
    bare = (claim or "").split(";")[0].strip().lower()
    return bare if bare in CLAIMABLE else MEDIA_TYPES.get(bare)


def _first_tag(text: str) -> str:
    """Return the name of the first tag, skipping the prolog."""
    rest = text.lstrip()
    while True:
        if rest[:14].lower() == "<!doctype html":
            return rest[1:14].lower()
        end = next((close for start, close in PROLOG if rest.startswith(start)), None)
        if end is None:
            tag = TAG_NAME.match(rest)
            return tag[1].lower() if tag else ""
        rest = rest.partition(end)[2].lstrip()


def _is_html(text: str, by_name: str | None, claimed: str | None) -> bool:
    if _first_tag(text) in PAGE_TAGS:
        return True
    tags = {tag.lower() for tag in TAG.findall(text)}
    if by_name == "html" or claimed == "html":
        return bool(tags)
    return by_name is None and text.lstrip().startswith("<") and len(tags) >= 2


def _is_json(text: str, by_name: str | None, claimed: str | None) -> bool:
    start = text.lstrip()
    if not start.startswith(("{", "[")):
        return start.startswith("window.YTD.")
    if by_name == "json" or claimed in ("json", "tweet"):
        return True
    return by_name in (None, "text", "csv") and (_parses(text) or _parses(start.split("\n", 1)[0]))


def _parses(text: str) -> bool:
    """Whether a text is JSON, even if it is only the beginning of a file."""
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return error.pos >= len(text) - 200 and len(text) > 10_000 and text.count('":') > 2
    except RecursionError:
        return True
    return len(text) > 2


def _is_email(text: str, by_name: str | None, claimed: str | None) -> bool:
    if MBOX_START.match(text):
        return True
    head = re.split(r"\r?\n\r?\n", text.lstrip("\n"), maxsplit=1)[0]
    lines = [line for line in head.splitlines() if not line[:1].isspace()][:60]
    known = {line.split(":")[0].lower() for line in lines if HEADER.match(line)}
    needed = 2 if "email" in (by_name, claimed) else 3
    return (
        len(known) >= needed
        and 2 * len(known) >= len(lines)
        and bool(known & {"from", "date", "received"})
    )


def _is_subtitles(text: str, by_name: str | None, claimed: str | None) -> bool:
    if text.startswith("[Script Info]"):
        return "Format:" in text or by_name == "subtitles"
    cues = len(CUE.findall(text[:20_000]))
    has_header = text.startswith("WEBVTT") or bool(re.match(r"\s*\d+\s*\n\d\d:", text))
    return bool(cues) and (has_header or "subtitles" in (by_name, claimed))


def _is_svg(text: str, by_name: str | None, claimed: str | None) -> bool:
    return _first_tag(text) == "svg"


def _is_table(text: str, by_name: str | None, claimed: str | None) -> bool:
    if by_name not in (None, "text", "csv"):
        return False
    is_claimed = by_name == "csv" or claimed == "csv"
    return any(_rows_agree(text, delimiter, is_claimed) for delimiter in DELIMITERS)


def _rows_agree(text: str, delimiter: str, is_claimed: bool) -> bool:
    lines = text.split("\n")[: SNIFFED_ROWS + 1]
    is_cut = len(lines) > SNIFFED_ROWS or (len(lines) > 3 and not text.endswith("\n"))
    complete = lines[:-1] if is_cut else lines
    try:
        rows = [row for row in csv.reader(complete, delimiter=delimiter) if row]
    except csv.Error:
        return False
    if len(rows) < (2 if is_claimed else 3) or len(rows[0]) < 2:
        return False
    width = len(rows[0])
    agree = sum(1 for row in rows if len(row) == width)
    if is_claimed:
        return agree >= 0.5 * len(rows)
    # People write a space after a comma, programs do not.
    like_prose = sum(1 for line in complete if f"{delimiter} " in line) > 0.5 * len(rows)
    return agree == len(rows) and _is_header(rows[0]) and not like_prose


def _is_header(row: list[str]) -> bool:
    names = [cell.strip() for cell in row]
    short = all(0 < len(name) <= 40 and not name.endswith((".", "!", "?")) for name in names)
    return short and len(set(names)) == len(names) and not any(name.isdigit() for name in names)


def _is_plausible(by_name: str, text: str) -> bool:
    """Whether a text could be what its name says; most kinds would have shown it."""
    if by_name == "csv":
        return any(delimiter in text for delimiter in DELIMITERS)
    return by_name not in dict(CONTENT_TESTS)


CONTENT_TESTS: tuple[tuple[str, Callable[[str, str | None, str | None], bool]], ...] = (
    ("image", _is_svg),
    ("html", _is_html),
    ("subtitles", _is_subtitles),
    ("email", _is_email),
    ("json", _is_json),
    ("csv", _is_table),
)
