"""The values of exports and imports, and how their lines are written."""

import json
import re
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, TypeAlias
from uuid import UUID

from remem.core.errors import Invalid
from remem.core.time import iso

FORMAT, VERSION = "remem-export", 1
HEADER, FOOTER = "header", "footer"
# The longest text is 20 MB in UTF-8, and escaping may double it.
LINE_BYTES = 64_000_000
# With base64, which adds a third, a line of bytes stays below a megabyte.
PART_BYTES = 720_000
MAX_PROBLEMS = 100
# How a line of a remem export begins, even if the rest is damaged.
_EXPORT_START = re.compile(rb'\s*\{\s*"kind"\s*:')

Problem: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """What an export contains besides the rows."""

    originals: bool = True
    vectors: bool = False


@dataclass(frozen=True, slots=True)
class ImportSource:
    """The product whose file it is (None for remem), the target project, whether linked pages are
    fetched, and the user who started the import."""

    origin: str | None = None
    project: str | None = None
    fetch: bool = False
    actor: str | None = None


@dataclass(frozen=True, slots=True)
class ImportRun:
    """An import and its progress: `done` of `total` lines in the current stage."""

    id: UUID
    blob_key: str | None
    stage: str
    place: int
    done: int
    total: int
    counts: dict[str, dict[str, int]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    projects: dict[str, str] = field(default_factory=dict)
    error: str | None = None
    source: ImportSource = ImportSource()

    @property
    def is_over(self) -> bool:
        return self.stage in ("done", "failed")


class BadLine(Invalid):
    """A line is not valid in an export; nothing of the file is imported."""

    def __init__(self, number: int, message: str) -> None:
        super().__init__(f"line {number}", f"{message}. Nothing was imported.", code="bad_line")
        self.number = number


def is_remem_export(path: Path) -> bool:
    """Whether a file is an export of remem, even a damaged one."""
    with path.open("rb") as file:
        return bool(_EXPORT_START.match(file.read(1_000)))


def row_line(kind: str, row: str) -> bytes:
    """The line of a row, whose JSON the database wrote: it is not parsed, so numbers stay exact."""
    return f'{{"kind":"{kind}","row":{row}}}\n'.encode()


def line(kind: str, **fields: Any) -> bytes:
    text = json.dumps({"kind": kind, **fields}, ensure_ascii=False, separators=(",", ":"))
    return f"{text}\n".encode()


def header(at: datetime, counts: dict[str, int], request: ExportRequest, model: str) -> bytes:
    parts = {"originals": request.originals, "vectors": request.vectors}
    return line(
        HEADER, format=FORMAT, version=VERSION, at=iso(at), counts=counts, **parts, model=model
    )


def footer(counts: dict[str, int], lines: int, digest: str) -> bytes:
    return line(FOOTER, lines=lines, counts=counts, sha256=digest)
