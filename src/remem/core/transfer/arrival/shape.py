"""Turn the lines of a file into rows of this store: their owner, project and keys here."""

import json
import re
from collections.abc import Container, Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from remem.core.flags import COLUMNS as FLAG_COLUMNS
from remem.core.judgements import StatementContext
from remem.core.memories.fingerprint import fingerprint
from remem.core.memories.highlights.model import HIGHLIGHT, highlight_hash
from remem.core.memories.model import heading_in
from remem.core.projects.model import NAME_LIMIT
from remem.core.scope import Scope
from remem.core.text import content_hash, shorten
from remem.core.transfer.arrival.arrival_store import Lines
from remem.core.transfer.kinds import BY_NAME, DOCUMENT, EVENT, MEMORY, OWNER, PROJECT, Kind
from remem.core.transfer.lines import Line
from remem.core.transfer.model import BadLine
from remem.core.validate import read_moment

_KEY = re.compile(r"[a-z0-9-]+(/[a-z0-9-]+)*")
KEY_CHARS = 150
_UNREAD = re.compile(r"(?:file|url):[0-9a-f]{64}")


def shape_rows(scope: Scope, lines: Iterable[Line], projects: Mapping[str, str]) -> Iterator[Lines]:
    """Group consecutive lines of one kind that have the same fields."""
    for columns, group in groupby(lines, key=_columns):
        same = list(group)
        kind = BY_NAME[same[0].kind]
        patches = [json.dumps(_patch(scope, kind, line, projects)) for line in same]
        yield Lines(
            kind, columns, [line.number for line in same], [line.text for line in same], patches
        )


def _columns(line: Line) -> tuple[str, ...]:
    added = ("actor", "claimed_actor") if line.kind == EVENT.name else ()
    return tuple(sorted({*line.row, *added}))


def _patch(scope: Scope, kind: Kind, line: Line, projects: Mapping[str, str]) -> dict[str, Any]:
    patch: dict[str, Any] = {}
    for column in ("project_id", "parent_id"):
        if (project_id := projects.get(str(line.row.get(column)))) is not None:
            patch[column] = project_id
    if kind.key and line.row.get(kind.key) is not None:
        patch[kind.key] = local_key(scope, line, line.row[kind.key])
    if kind is DOCUMENT and _awaits_vectors(line.row):
        patch["status"] = "embedding"
    if kind is DOCUMENT:
        patch |= _own_flags(scope, line.row)
    if kind is EVENT:
        patch |= _claimed_actor(scope, line.row)
    if OWNER in line.row:
        patch[OWNER] = str(scope.user_id)
    if "content_hash" in line.row:
        patch["content_hash"] = _content_hash(kind, line.row)
    return patch | _upgraded(kind, line.row)


def _own_flags(scope: Scope, row: dict[str, Any]) -> dict[str, list[str] | None]:
    """An export has only the flags of who made it, which become those of who imports it."""
    columns = (column for column in FLAG_COLUMNS.values() if column in row)
    return {column: [str(scope.user_id)] if row[column] else None for column in columns}


def _content_hash(kind: Kind, row: dict[str, Any]) -> str:
    """The hash by which a text is recognised when it is saved again. A wrong one would make that
    save vanish, so it is computed here and never taken from the file."""
    content, stored = row.get("content") or "", str(row["content_hash"])
    if kind is MEMORY and row.get("source") == HIGHLIGHT:
        return highlight_hash(str(row.get("id")), content)
    if kind is MEMORY:
        return fingerprint(content, _saying(row))
    # A document without content yet is recognised by its file or URL.
    return stored if not content and _UNREAD.fullmatch(stored) else content_hash(content)


def _saying(row: dict[str, Any]) -> StatementContext:
    heading = heading_in(row.get("title"), row.get("context") or {})
    moments = {
        name: read_moment(name, row[name]) for name in ("occurred_at", "due_at") if row.get(name)
    }
    return StatementContext(row.get("speaker"), row.get("dates") or (), heading, **moments)


def _claimed_actor(scope: Scope, row: dict[str, Any]) -> dict[str, Any]:
    """The actor in the file is only a claim; the actor of the imported row is the importing
    user."""
    claim = row.get("claimed_actor") or row.get("actor") or "unknown"
    return {"actor": scope.actor, "claimed_actor": claim}


def _upgraded(kind: Kind, row: dict[str, Any]) -> dict[str, Any]:
    """Fix what earlier versions allowed: empty tags, long project names, and old column names."""
    upgraded = {name: row[name] for name in kind.renamed.values() if name in row}
    if "" in (row.get("tags") or ()):
        upgraded["tags"] = [tag for tag in row["tags"] if tag]
    if kind is PROJECT and len(row.get("name") or "") > NAME_LIMIT:
        upgraded["name"] = shorten(row["name"], NAME_LIMIT)
    return upgraded


def _awaits_vectors(row: dict[str, Any]) -> bool:
    """Whether a document is searchable only by word until its vectors are loaded or embedded."""
    return (
        row.get("is_latest") is True
        and bool(row.get("content"))
        and row.get("status") in ("done", "indexing")
    )


def local_key(scope: Scope, line: Line, key: object) -> str:
    if not isinstance(key, str) or len(key) > KEY_CHARS or not _KEY.fullmatch(key):
        raise BadLine(line.number, "names its bytes by a key that is not a-z, 0-9, - and /")
    return f"{scope.tenant_id}/{key}"


def refuse_unknown(line: Line, known: Container[str]) -> None:
    for name in line.row:
        if name not in known:
            raise BadLine(
                line.number,
                f"has a field '{name[:40]}', which this remem does not know; upgrade it",
            )
