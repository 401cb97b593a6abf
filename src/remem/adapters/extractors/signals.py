"""Tells kinds of text apart by at least two signals: marks in the text, its name, the claim."""

import csv
import json
import re
from collections.abc import Callable
from pathlib import PurePath

from remem.adapters.extractors import languages

NAMES = {
    "html": "html htm xhtml xht mhtml",
    "markdown": "md markdown mdx mkd rmd",
    "json": "json jsonl ndjson geojson ipynb",
    "csv": "csv tsv tab",
    "email": "eml mbox mbx",
    "subtitles": "srt vtt ass ssa sub",
    "text": "txt text log rst adoc org tex",
}
BY_EXTENSION = {end: kind for kind, ends in NAMES.items() for end in ends.split()}
MEDIA_TYPES = {
    "text/html": "html",
    "application/xhtml+xml": "html",
    "text/markdown": "markdown",
    "application/json": "json",
    "application/x-ndjson": "json",
    "text/csv": "csv",
    "text/tab-separated-values": "csv",
    "message/rfc822": "email",
    "application/mbox": "email",
    "text/vtt": "subtitles",
    "application/x-subrip": "subtitles",
    "image/svg+xml": "image",
    "text/plain": "text",
}
FIRST_TAG = re.compile(r"<([a-zA-Z][\w:-]*)")
# A declaration, a comment, a document type, and the end of one that declares entities.
PROLOG = (("<?", "?>"), ("<!--", "-->"), ("<!", ">"), ("]", ">"))
PAGE_TAGS = ("!doctype html", "html", "head", "body")
# What may be claimed of a text that shows no other signs.
CLAIMABLE = frozenset("text markdown html code json csv email tweet subtitles note".split())

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
# Who marks code in a text writes more than code.
FENCE = re.compile(r"^ {0,3}(?:```|~~~)[^`]*$", re.MULTILINE)
DELIMITERS = ",;\t|"
SNIFFED_ROWS = 20


def text_kind(text: str, name: str | None, claim: str | None) -> str:
    """The kind of a text, from its beginning."""
    said = said_by_name(name)
    claimed = said_by_claim(claim)
    for kind, shows in BY_CONTENT:
        if shows(text, said, claimed):
            return kind
    if said in ("markdown", "csv", "json", "subtitles", "email", "html") and _plausible(said, text):
        return said
    if languages.by_name(name):
        return "code"
    if said != "text" and not claimed and FENCE.search(text):
        return "markdown"
    if said != "text" and not claimed and languages.by_content(text):
        return "code"
    if claimed in ("note", "markdown", "code", "tweet"):
        return claimed
    return "markdown" if sum(1 for sign in MARKDOWN if sign.search(text)) >= 2 else "text"


def said_by_name(name: str | None) -> str | None:
    suffix = PurePath((name or "").replace("\\", "/")).suffix.lower().lstrip(".")
    if suffix in BY_EXTENSION:
        return BY_EXTENSION[suffix]
    return "code" if languages.by_name(name) else None


def said_by_claim(claim: str | None) -> str | None:
    bare = (claim or "").split(";")[0].strip().lower()
    return bare if bare in CLAIMABLE else MEDIA_TYPES.get(bare)


def _opening(text: str) -> str:
    """The name of the first tag, behind what may stand before it."""
    rest = text.lstrip()
    while True:
        if rest[:14].lower() == "<!doctype html":
            return rest[1:14].lower()
        end = next((close for start, close in PROLOG if rest.startswith(start)), None)
        if end is None:
            tag = FIRST_TAG.match(rest)
            return tag[1].lower() if tag else ""
        rest = rest.partition(end)[2].lstrip()


def _is_html(text: str, said: str | None, claimed: str | None) -> bool:
    if _opening(text) in PAGE_TAGS:
        return True
    tags = {tag.lower() for tag in TAG.findall(text)}
    if said == "html" or claimed == "html":
        return bool(tags)
    return said is None and text.lstrip().startswith("<") and len(tags) >= 2


def _is_json(text: str, said: str | None, claimed: str | None) -> bool:
    start = text.lstrip()
    if not start.startswith(("{", "[")):
        return start.startswith("window.YTD.")
    if said == "json" or claimed in ("json", "tweet"):
        return True
    return said in (None, "text", "csv") and (_parses(text) or _parses(start.split("\n", 1)[0]))


def _parses(text: str) -> bool:
    """Whether it is JSON, also when only its beginning was read."""
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return error.pos >= len(text) - 200 and len(text) > 10_000 and text.count('":') > 2
    except RecursionError:
        return True
    return len(text) > 2


def _is_email(text: str, said: str | None, claimed: str | None) -> bool:
    if MBOX_START.match(text):
        return True
    head = re.split(r"\r?\n\r?\n", text.lstrip("\n"), maxsplit=1)[0]
    lines = [line for line in head.splitlines() if not line[:1].isspace()][:60]
    known = {line.split(":")[0].lower() for line in lines if HEADER.match(line)}
    needed = 2 if "email" in (said, claimed) else 3
    return (
        len(known) >= needed
        and 2 * len(known) >= len(lines)
        and bool(known & {"from", "date", "received"})
    )


def _is_subtitles(text: str, said: str | None, claimed: str | None) -> bool:
    if text.startswith("[Script Info]"):
        return "Format:" in text or said == "subtitles"
    cues = len(CUE.findall(text[:20_000]))
    opened = text.startswith("WEBVTT") or bool(re.match(r"\s*\d+\s*\n\d\d:", text))
    return bool(cues) and (opened or "subtitles" in (said, claimed))


def _is_svg(text: str, said: str | None, claimed: str | None) -> bool:
    return _opening(text) == "svg"


def _is_table(text: str, said: str | None, claimed: str | None) -> bool:
    if said not in (None, "text", "csv"):
        return False
    named = said == "csv" or claimed == "csv"
    return any(_rows_agree(text, delimiter, named) for delimiter in DELIMITERS)


def _rows_agree(text: str, delimiter: str, named: bool) -> bool:
    lines = text.split("\n")[: SNIFFED_ROWS + 1]
    is_cut = len(lines) > SNIFFED_ROWS or (len(lines) > 3 and not text.endswith("\n"))
    whole = lines[:-1] if is_cut else lines
    try:
        rows = [row for row in csv.reader(whole, delimiter=delimiter) if row]
    except csv.Error:
        return False
    if len(rows) < (2 if named else 3) or len(rows[0]) < 2:
        return False
    width = len(rows[0])
    agree = sum(1 for row in rows if len(row) == width)
    if named:
        return agree >= 0.5 * len(rows)
    # Writers put a blank after a comma, programs do not.
    like_prose = sum(1 for line in whole if f"{delimiter} " in line) > 0.5 * len(rows)
    return agree == len(rows) and _is_header(rows[0]) and not like_prose


def _is_header(row: list[str]) -> bool:
    names = [cell.strip() for cell in row]
    short = all(0 < len(name) <= 40 and not name.endswith((".", "!", "?")) for name in names)
    return short and len(set(names)) == len(names) and not any(name.isdigit() for name in names)


def _plausible(said: str, text: str) -> bool:
    """Whether a text could be what its name says, lacking better signs."""
    if said in ("json", "email", "subtitles", "html"):
        return False
    return said == "markdown" or any(delimiter in text for delimiter in DELIMITERS)


BY_CONTENT: tuple[tuple[str, Callable[[str, str | None, str | None], bool]], ...] = (
    ("image", _is_svg),
    ("html", _is_html),
    ("subtitles", _is_subtitles),
    ("email", _is_email),
    ("json", _is_json),
    ("csv", _is_table),
)
