"""Statements in what another assistant answers when a person asks it what it remembers."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from remem.core.errors import Invalid
from remem.core.memories.model import CONTENT_LIMIT
from remem.core.text import shorten
from remem.core.time import now
from remem.core.validate import check_text

TEXT_LIMIT, STATEMENTS_LIMIT = 200_000, 500
PROMPT = "\n\n".join(
    [
        "I am moving to another assistant and want to take along what you know about me. List"
        " everything that you remember about me from our conversations and from your memory of me:"
        " facts, preferences, people, projects, plans, dates, and how I want you to answer.",
        "Write one statement in a line, in my own words and my language where you have them, as a"
        " full sentence that can be understood on its own. Put the date on which you learned it in"
        " front if you know it. Use this format, in one code block, without headings and without a"
        " summary:",
        "[YYYY-MM-DD] - statement\n[unknown] - statement",
        "Do not leave anything out, do not group or shorten, and add nothing that I did not tell"
        " you.",
    ]
)

_FENCE = re.compile(r"^\s*(?:```|~~~)")
_LIST = re.compile(r"^\s*(?:(?:[-*+–·]|\d{1,4}[.)])\s+|(?:[•‣▪●○・]|\d{1,4}、)\s*)")
_DATED = re.compile(r"^\[?(\d{4}-\d{2}-\d{2})(?:[T ][^\]]*)?\]?\s*[-–—:]*\s*")
_UNDATED = re.compile(r"^\[[^\]\d]{1,40}\]\s*[-–—:]+\s*")
_EMPHASIS = re.compile(r"\*\*|__")
_HEADING = re.compile(r"^\s*(?:#|\*\*.*\*\*:?\s*$)|[:：]\s*$")
_RULE = re.compile(r"^[\s\-=*_|:]*$")
_TEXT_NAMES = ("content", "memory", "statement", "text", "fact")


@dataclass(frozen=True, slots=True)
class PastedStatement:
    """`said_at` is when the other assistant learned it, if it says so."""

    content: str
    said_at: datetime | None = None


def read_pasted(text: str) -> list[PastedStatement]:
    """The statements of an answer, each once, in its order."""
    check_text("text", text, TEXT_LIMIT, least=1)
    by_content: dict[str, PastedStatement] = {}
    for line in _lines(text):
        if statement := _statement(line):
            by_content.setdefault(statement.content.casefold(), statement)
    if not by_content:
        raise Invalid("text", "has no statements; paste the whole answer")
    return list(by_content.values())[:STATEMENTS_LIMIT]


def _lines(text: str) -> Iterator[str]:
    """The lines with a statement: those of JSON or of a code block if there is one, else those of a
    list, else all."""
    inside = list(_fenced(text))
    body = "\n".join(inside) if inside else text
    items = _json_items(body)
    if items is not None:
        yield from items
        return
    joined = list(_joined(body.splitlines()))
    marked = [line for line in joined if _LIST.match(line) or _is_dated(line)]
    yield from joined if inside or not marked else marked


def _fenced(text: str) -> Iterator[str]:
    is_inside = False
    for line in text.splitlines():
        if _FENCE.match(line):
            is_inside = not is_inside
        elif is_inside:
            yield line


def _joined(lines: list[str]) -> Iterator[str]:
    """Join a line that continues the item above: it is indented and no item itself."""
    current = ""
    for line in lines:
        if current and line[:1].isspace() and line.strip() and not _LIST.match(line):
            current = f"{current} {line.strip()}"
            continue
        yield current
        current = line
    yield current


def _json_items(text: str) -> list[str] | None:
    try:
        value: Any = json.loads(text)
    except ValueError:
        return None
    if isinstance(value, dict):
        value = next((item for item in value.values() if isinstance(item, list)), [value])
    if not isinstance(value, list):
        return None
    return [line for item in value for line in _json_line(item)]


def _json_line(item: Any) -> Iterator[str]:
    if isinstance(item, str):
        yield item
    elif isinstance(item, dict):
        text = next((item[name] for name in _TEXT_NAMES if isinstance(item.get(name), str)), None)
        if text:
            yield f"[{item.get('date') or 'unknown'}] - {text}"


def _statement(line: str) -> PastedStatement | None:
    is_item = _LIST.match(line) is not None or _is_dated(line)
    if _RULE.match(line) or (not is_item and _HEADING.search(line)):
        return None
    text = _EMPHASIS.sub("", _LIST.sub("", line)).strip()
    dated = _DATED.match(text)
    said_at = _moment(dated[1]) if dated else None
    text = _UNDATED.sub("", text[dated.end() :] if dated else text).strip().strip('"“”').strip()
    if not any(char.isalnum() for char in text):
        return None
    return PastedStatement(shorten(text, CONTENT_LIMIT), said_at)


def _is_dated(line: str) -> bool:
    return bool(_DATED.match(line.strip()) or _UNDATED.match(line.strip()))


def _moment(day: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(day).replace(tzinfo=UTC)
    except ValueError:
        return None
    return moment if moment <= now() else None
