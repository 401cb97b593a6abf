"""Read a file of questions with their expected sources. Pure."""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from remem.core.errors import Invalid

QUESTIONS_LIMIT = 500
_TABLE = re.compile(r"^[ \t]*\[\[[ \t]*question[ \t]*\]\]", re.M)
_EXPECTED = ("id", "title", "text")
_FIELDS = ("ask", *_EXPECTED, "project", "mode")
_MODES = ("fast", "balanced", "deep", "best")


@dataclass(frozen=True, slots=True)
class Question:
    """A result is right if it has one of the ids or titles, or contains one of the texts."""

    ask: str
    ids: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    project: str | None = None
    mode: Literal["fast", "balanced", "deep", "best"] = "balanced"


@dataclass(frozen=True, slots=True)
class QuestionGuard:
    """The operator's questions, which another embedding model must not lose, unless the loss is
    accepted."""

    questions: Sequence[Question]
    accepts_loss: bool = False


def read_questions(text: str) -> list[Question]:
    """Raises Invalid, which names the line and the field."""
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        last_line = f"at line {len(text.splitlines())}"
        reason = str(error).replace("at end of document", last_line)
        raise Invalid("questions", f"is no TOML: {reason}") from error
    others = [name for name in tables if name != "question"]
    if others:
        raise Invalid(others[0], "is not known; each question is a table [[question]]")
    rows = tables.get("question")
    if not isinstance(rows, list) or not rows:
        raise Invalid("question", "is missing; write [[question]] with ask and title")
    if len(rows) > QUESTIONS_LIMIT:
        raise Invalid("question", f"occurs {len(rows)} times; at most {QUESTIONS_LIMIT} are asked")
    starts = [text.count("\n", 0, match.start()) + 1 for match in _TABLE.finditer(text)]
    lines = starts if len(starts) == len(rows) else [1] * len(rows)
    return [_question(row, text, line) for row, line in zip(rows, lines, strict=True)]


def _question(row: Any, text: str, line: int) -> Question:
    if not isinstance(row, dict):
        raise Invalid(f"line {line}, question", "is no table; write [[question]] above its fields")
    for name in row:
        if name not in _FIELDS:
            raise _wrong(text, line, name, f"is not known; use {', '.join(_FIELDS)}")
    ask = row.get("ask")
    if not isinstance(ask, str) or not ask.strip():
        raise _wrong(text, line, "ask", "is missing; write the question as you would ask it")
    expected = {name: _texts(row, name, text, line) for name in _EXPECTED}
    if not any(expected.values()):
        raise _wrong(text, line, "title", "is missing; give an id, a title or a text of the source")
    for name in ("project", "mode"):
        if not isinstance(row.get(name, ""), str):
            raise _wrong(text, line, name, "is no text; put it in quotation marks")
    mode = row.get("mode", "balanced")
    if mode not in _MODES:
        raise _wrong(text, line, "mode", f"is not known; use {', '.join(_MODES)}")
    ids, titles, texts = (expected[name] for name in _EXPECTED)
    return Question(ask.strip(), ids, titles, texts, row.get("project"), mode)


def _texts(row: dict[str, Any], name: str, text: str, line: int) -> tuple[str, ...]:
    values = row.get(name, [])
    values = values if isinstance(values, list) else [values]
    if not all(isinstance(value, str) and value.strip() for value in values):
        raise _wrong(text, line, name, "is no text; write one, or a list of texts")
    return tuple(values)


def _wrong(text: str, line: int, field: str, reason: str) -> Invalid:
    """Names the line of the field, or of its table if the field is missing."""
    for number, row in enumerate(text.splitlines()[line:], line + 1):
        if _TABLE.match(row):
            break
        if row.split("=")[0].strip() == field:
            return Invalid(f"line {number}, {field}", reason)
    return Invalid(f"line {line}, {field}", reason)
