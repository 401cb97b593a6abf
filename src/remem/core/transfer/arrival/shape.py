"""Lines of a file as rows of this store: whose they are now, and where they belong here."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from remem.core.scope import Scope
from remem.core.transfer.arrival.store import Lines
from remem.core.transfer.kinds import BY_NAME, DOCUMENT, Kind
from remem.core.transfer.lines import Line
from remem.core.transfer.model import BadLine

_KEY = re.compile(r"[a-z0-9-]+(/[a-z0-9-]+)*")
KEY_CHARS = 150


def shape(scope: Scope, lines: Iterable[Line], projects: Mapping[str, str]) -> Iterator[Lines]:
    """Lines of one kind, together as far as they say the same fields."""
    for columns, some in groupby(lines, key=_columns):
        same = list(some)
        kind = BY_NAME[same[0].kind]
        patches = [json.dumps(_patch(scope, kind, line, projects)) for line in same]
        yield Lines(
            kind, columns, [line.number for line in same], [line.text for line in same], patches
        )


def _columns(line: Line) -> tuple[str, ...]:
    return tuple(sorted(line.row))


def _patch(scope: Scope, kind: Kind, line: Line, projects: Mapping[str, str]) -> dict[str, Any]:
    patch: dict[str, Any] = {}
    for column in ("project_id", "parent_id"):
        if (there := projects.get(str(line.row.get(column)))) is not None:
            patch[column] = there
    if kind.key and line.row.get(kind.key) is not None:
        patch[kind.key] = key_here(scope, line, line.row[kind.key])
    if kind is DOCUMENT and _awaits_vectors(line.row):
        patch["status"] = "embedding"
    return patch


def _awaits_vectors(row: dict[str, Any]) -> bool:
    """Until its vectors are found in the file or made anew, it is found by word alone."""
    return (
        row.get("is_latest") is True
        and bool(row.get("content"))
        and row.get("status") in ("done", "indexing")
    )


def key_here(scope: Scope, line: Line, key: object) -> str:
    if not isinstance(key, str) or len(key) > KEY_CHARS or not _KEY.fullmatch(key):
        raise BadLine(line.number, "names its bytes by a key that is not a-z, 0-9, - and /")
    return f"{scope.tenant_id}/{key}"


def refuse_unknown(line: Line, known: frozenset[str]) -> None:
    for name in line.row:
        if name not in known:
            raise BadLine(
                line.number,
                f"has a field '{name[:40]}', which this remem does not know; upgrade it",
            )
