"""Collect the text of a file part by part, with its marks, up to a limit."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from remem.adapters.extractors.limits import FOUND_CHARS, TEXT_CHARS
from remem.core.chunking.model import Joint, Mark
from remem.core.content_kinds import describe_type
from remem.core.errors import Unreadable
from remem.core.extraction_ports import Extracted
from remem.core.text import clean

# Never text: C0 controls except tab and newline, lone surrogates and noncharacters.
UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")

# Long runs of blanks; later clean-up takes quadratic time on them.
BLANK_RUN = re.compile(r"[ \t]{50,}")


def printable(text: str) -> str:
    """Remove invisible characters that PostgreSQL cannot store."""
    return UNPRINTABLE.sub("", text)


def tidy(text: str) -> str:
    """Return printable text, without trailing blanks and with long runs of blanks shortened."""
    lines = printable(text).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return BLANK_RUN.sub(" ", "\n".join(line.rstrip(" \t") for line in lines))


class Draft:
    """Text that is built part by part. A mark is placed at the start of the next part."""

    def __init__(self, limit: int = TEXT_CHARS) -> None:
        self._limit = limit
        self._parts: list[str] = []
        self.length = 0
        self._marks: list[Mark] = []
        self._pending_marks: list[Mark] = []
        self.cut: str | None = None

    @property
    def is_full(self) -> bool:
        return self.cut is not None

    def mark(self, joint: Joint, label: str = "", number: float | None = None) -> None:
        self._pending_marks.append(Mark(joint, 0, _short(label), number))

    def add(self, text: str, separator: str = "\n\n") -> None:
        """Append a part after `separator`. An empty part is skipped, and its marks apply to the
        next one."""
        text = clean(tidy(text))
        if not text or self.is_full:
            return
        separator = separator if self._parts else ""
        room = self._limit - self.length - len(separator)
        if len(text) > room:
            self.cut = truncation_note(self._limit)
            text = _cut_at_line(text, max(0, room))
        if text:
            self._append(separator)
            self._marks += [replace(mark, start=self.length) for mark in self._pending_marks]
            self._pending_marks.clear()
            self._append(text)

    def finish(
        self, content_type: str, metadata: Mapping[str, Any], cut: str | None = None
    ) -> Extracted:
        content = "".join(self._parts)
        if not content:
            raise Unreadable(f"There is no text in this {describe_type(content_type)}.")
        filled = {key: value for key, value in metadata.items() if value not in (None, "", [], ())}
        reasons = [reason for reason in (cut, self.cut) if reason]
        return Extracted(
            content=content,
            content_type=content_type,
            marks=tuple(self._marks),
            found={key: _tidy(value) for key, value in filled.items()},
            cut=" ".join(reasons) or None,
        )

    def _append(self, text: str) -> None:
        self._parts.append(text)
        self.length += len(text)


def truncation_note(count: int, unit: str = "characters") -> str:
    return f"Only the first {count:,} {unit} were kept."


def _cut_at_line(text: str, room: int) -> str:
    head = text[:room]
    end = head.rfind("\n")
    return (head[:end] if end > room // 2 else head).rstrip()


def _short(label: str) -> str:
    return " ".join(printable(label).split())[:FOUND_CHARS]


def _tidy(value: Any) -> Any:
    if isinstance(value, str):
        return _short(value)
    if isinstance(value, list | tuple):
        return [_tidy(item) for item in value][:100]
    return value
