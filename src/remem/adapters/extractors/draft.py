"""Collects the text of a file part by part, with its marks, up to the limit of what is kept."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from remem.adapters.extractors.limits import FOUND_CHARS, TEXT_CHARS
from remem.core.chunking.model import Joint, Mark
from remem.core.errors import Unreadable
from remem.core.extraction_ports import Extracted
from remem.core.text import clean

# Never text: C0 controls but tab and newline, and halves of surrogate pairs.
UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")

# White space nobody typed; what cleans text afterwards takes its square in time.
DESERT = re.compile(r"[ \t]{50,}")


def printable(text: str) -> str:
    """Without what PostgreSQL cannot keep and nobody can see."""
    return UNPRINTABLE.sub("", text)


def tidy(text: str) -> str:
    """Printable, with no blanks at the ends of lines and no deserts of them inside."""
    lines = printable(text).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return DESERT.sub(" ", "\n".join(line.rstrip(" \t") for line in lines))


class Draft:
    """Text that grows; a mark stands where the next part will begin."""

    def __init__(self, limit: int = TEXT_CHARS) -> None:
        self._limit = limit
        self._parts: list[str] = []
        self.length = 0
        self._marks: list[Mark] = []
        self._waiting: list[Mark] = []
        self.cut: str | None = None

    @property
    def is_full(self) -> bool:
        return self.cut is not None

    def mark(self, joint: Joint, label: str = "", number: float | None = None) -> None:
        self._waiting.append(Mark(joint, 0, _short(label), number))

    def add(self, text: str, apart: str = "\n\n") -> None:
        """Put a part after the last, `apart` from it. Empty parts leave no trace but their marks,
        which wait for the next one."""
        text = clean(tidy(text))
        if not text or self.is_full:
            return
        apart = apart if self._parts else ""
        room = self._limit - self.length - len(apart)
        if len(text) > room:
            self.cut = only_first(self._limit)
            text = _cut_at_line(text, max(0, room))
        if text:
            self._append(apart)
            self._marks += [replace(mark, start=self.length) for mark in self._waiting]
            self._waiting.clear()
            self._append(text)

    def done(
        self, content_type: str, found: Mapping[str, Any], cut: str | None = None
    ) -> Extracted:
        content = "".join(self._parts)
        if not content:
            raise Unreadable(f"There is no text in this {named(content_type)}.")
        known = {key: value for key, value in found.items() if value not in (None, "", [], ())}
        reasons = [reason for reason in (cut, self.cut) if reason]
        return Extracted(
            content=content,
            content_type=content_type,
            marks=tuple(self._marks),
            found={key: _tidy(value) for key, value in known.items()},
            cut=" ".join(reasons) or None,
        )

    def _append(self, text: str) -> None:
        self._parts.append(text)
        self.length += len(text)


def only_first(count: int, what: str = "characters") -> str:
    return f"Only the first {count:,} {what} were kept."


def named(content_type: str) -> str:
    """How a person calls a file of this type."""
    words = {"text": "text file", "image": "picture", "audio": "recording", "email": "e-mail"}
    if content_type in ("pdf", "html", "json", "csv", "epub", "docx", "xlsx", "pptx"):
        return f"{content_type.upper()} file"
    return words.get(content_type, f"{content_type} file")


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
        return [_tidy(each) for each in value][:100]
    return value
