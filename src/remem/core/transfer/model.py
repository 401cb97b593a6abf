"""The values of a transfer, and how its lines are written."""

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
# A line of bytes stays below a megabyte with a third more for its letters.
PART_BYTES = 720_000
PROBLEMS_KEPT = 100
# How a line of ours begins, whatever is wrong with the rest.
_OWN = re.compile(rb'\s*\{\s*"kind"\s*:')

Problem: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """What an export has beyond the rows."""

    originals: bool = True
    vectors: bool = False


@dataclass(frozen=True, slots=True)
class ImportSource:
    """Whose file it is (None: our own), where its things go, whether pages that are only named in
    it are fetched, and who began to import it."""

    origin: str | None = None
    project: str | None = None
    fetch: bool = False
    actor: str | None = None


@dataclass(frozen=True, slots=True)
class ImportRun:
    """An import and how far it has come. `done` of `total` lines, in this stage."""

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
    """A line that is not as an export writes it; nothing of its file is taken."""

    def __init__(self, number: int, message: str) -> None:
        super().__init__(f"line {number}", f"{message}. Nothing was imported.", code="bad_line")
        self.number = number


def is_own(path: Path) -> bool:
    """Whether a file is, or was, an export of remem's."""
    with path.open("rb") as file:
        return bool(_OWN.match(file.read(1_000)))


def row_line(kind: str, row: str) -> bytes:
    """A row is text of the database's own making: no number in it is read and written again."""
    return f'{{"kind":"{kind}","row":{row}}}\n'.encode()


def line(kind: str, **fields: Any) -> bytes:
    text = json.dumps({"kind": kind, **fields}, ensure_ascii=False, separators=(",", ":"))
    return f"{text}\n".encode()


def header(at: datetime, counts: dict[str, int], wish: ExportRequest, model: str) -> bytes:
    parts = {"originals": wish.originals, "vectors": wish.vectors}
    return line(
        HEADER, format=FORMAT, version=VERSION, at=iso(at), counts=counts, **parts, model=model
    )


def footer(counts: dict[str, int], lines: int, digest: str) -> bytes:
    return line(FOOTER, lines=lines, counts=counts, sha256=digest)
