"""A summary in the text's own words: its opening sentences that say something."""

import re

from remem.core.text import shorten

SENTENCES = 3
SUMMARY_CHARS = 400
_END = re.compile(r"(?<=[.!?])[\"'”’)\]]*\s+|(?<=[。！？])")
_MARKUP = re.compile(r"^\s*(?:#{1,6}|>|[-*+]|\d+[.)])\s+")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_EMPHASIS = re.compile(r"[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}")
_FENCE = re.compile(r"^(?:```|~~~).*?^(?:```|~~~)[^\n]*$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^\s*(?:#{1,6}\s|[=-]{3,}\s*$|\|)")
_NO_PROSE = re.compile(
    r"^\s*(?:by\s+[A-Z]|published\b|posted\b|share\b|subscribe\b|sign up\b|cookie|copyright|©|"
    r"all rights reserved|read more|advertisement|skip to\b|\d+ min(?:ute)?s? read)",
    re.IGNORECASE,
)
_COMMENT = re.compile(
    r'\A(?:#!.*\n|\s)*(?:"""(.*?)"""|\'\'\'(.*?)\'\'\'|/\*+(.*?)\*/|((?:(?:#|//|--).*\n?)+))',
    re.DOTALL,
)
_DEFINED = re.compile(
    r"^\s*(?:export\s+|public\s+|async\s+|pub\s+|static\s+)*"
    r"(?:def|class|function|func|fn|interface|struct|trait|enum|module)\s+(\w+)",
    re.MULTILINE,
)


def summary_of(text: str, content_type: str) -> str | None:
    said = _of_code(text) if content_type == "code" else _of_prose(text)
    return shorten(said, SUMMARY_CHARS) if said else None


def _of_prose(text: str) -> str:
    body = [line for line in _FENCE.sub("", text).splitlines() if _is_prose(line)]
    lines = body or [line for line in text.splitlines() if line.strip()]
    flat = " ".join(_plain(line) for line in lines)
    return " ".join(part.strip() for part in _END.split(flat, maxsplit=SENTENCES)[:SENTENCES])


def _is_prose(line: str) -> bool:
    return bool(line.strip()) and not _HEADING.match(line) and not _NO_PROSE.match(line)


def _plain(line: str) -> str:
    return _EMPHASIS.sub("", _LINK.sub(r"\1", _MARKUP.sub("", line))).strip()


def _of_code(text: str) -> str:
    """What its author says at the top, and the names it defines."""
    top = _COMMENT.match(text)
    comment = next((part for part in top.groups() if part), "") if top else ""
    says = " ".join(re.sub(r"^[\s#/*-]+", "", line).strip() for line in comment.splitlines())
    names = list(dict.fromkeys(_DEFINED.findall(text)))[:12]
    defines = f"Defines {', '.join(names)}." if names else ""
    return " ".join(part for part in (" ".join(says.split()), defines) if part)
