"""Lines of a file as rows of this store: whose they are now, and where they belong here."""

import json
import re
from collections.abc import Container, Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from remem.core.judgements import Saying
from remem.core.memories.fingerprint import fingerprint
from remem.core.memories.model import heading_in
from remem.core.projects.model import NAME_LIMIT
from remem.core.scope import Scope
from remem.core.text import content_hash, shorten
from remem.core.transfer.arrival.store import Lines
from remem.core.transfer.kinds import BY_NAME, DOCUMENT, EVENT, MEMORY, OWNER, PROJECT, Kind
from remem.core.transfer.lines import Line
from remem.core.transfer.model import BadLine
from remem.core.validate import read_moment

_KEY = re.compile(r"[a-z0-9-]+(/[a-z0-9-]+)*")
KEY_CHARS = 150
_UNREAD = re.compile(r"(?:file|url):[0-9a-f]{64}")


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
    added = ("actor", "claimed_actor") if line.kind == EVENT.name else ()
    return tuple(sorted({*line.row, *added}))


def _patch(scope: Scope, kind: Kind, line: Line, projects: Mapping[str, str]) -> dict[str, Any]:
    patch: dict[str, Any] = {}
    for column in ("project_id", "parent_id"):
        if (there := projects.get(str(line.row.get(column)))) is not None:
            patch[column] = there
    if kind.key and line.row.get(kind.key) is not None:
        patch[kind.key] = key_here(scope, line, line.row[kind.key])
    if kind is DOCUMENT and _awaits_vectors(line.row):
        patch["status"] = "embedding"
    if kind is EVENT:
        patch |= _claimed(scope, line.row)
    if OWNER in line.row:
        patch[OWNER] = str(scope.user_id)
    if "content_hash" in line.row:
        patch["content_hash"] = _hash_of(kind, line.row)
    return patch | _tidied(kind, line.row)


def _hash_of(kind: Kind, row: dict[str, Any]) -> str:
    """By its hash a text is known when it is saved again: a wrong one would make that save vanish,
    so it is computed here and never taken from the file."""
    content, given = row.get("content") or "", str(row["content_hash"])
    if kind is MEMORY:
        return fingerprint(content, _saying(row))
    # What was not read yet is known by its file or address.
    return given if not content and _UNREAD.fullmatch(given) else content_hash(content)


def _saying(row: dict[str, Any]) -> Saying:
    heading = heading_in(row.get("title"), row.get("context") or {})
    given = {
        name: read_moment(name, row[name]) for name in ("occurred_at", "due_at") if row.get(name)
    }
    return Saying(row.get("speaker"), row.get("dates") or (), heading, **given)


def _claimed(scope: Scope, row: dict[str, Any]) -> dict[str, Any]:
    """Who did it is what the file says; that it stands here is the doing of who imports it."""
    claim = row.get("claimed_actor") or row.get("actor") or "unknown"
    return {"actor": scope.actor, "claimed_actor": claim}


def _tidied(kind: Kind, row: dict[str, Any]) -> dict[str, Any]:
    """What earlier versions kept and this one does not: empty tags, long names of projects, and
    columns under another name."""
    tidied = {name: row[name] for name in kind.renamed.values() if name in row}
    if "" in (row.get("tags") or ()):
        tidied["tags"] = [tag for tag in row["tags"] if tag]
    if kind is PROJECT and len(row.get("name") or "") > NAME_LIMIT:
        tidied["name"] = shorten(row["name"], NAME_LIMIT)
    return tidied


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


def refuse_unknown(line: Line, known: Container[str]) -> None:
    for name in line.row:
        if name not in known:
            raise BadLine(
                line.number,
                f"has a field '{name[:40]}', which this remem does not know; upgrade it",
            )
