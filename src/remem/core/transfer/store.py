"""SQL of exports: every kind of row as the database writes it, in the order of ids."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from remem.core.current import (
    current_documents,
    remembered_documents,
    shown_memories,
    whole_memories,
)
from remem.core.db import Row, Tx
from remem.core.scope import Scope
from remem.core.transfer.kinds import ENDS, Kind
from remem.core.transfer.model import ImportRun, ImportSource

_NO_REF = "jsonb_build_object('{0}', NULL)"
# A key begins with its tenant, which is another's when it arrives.
_RELATIVE = "jsonb_build_object('{0}', regexp_replace(t.{0}, '^[0-9a-f-]{{36}}/', ''))"


def _own(alias: str) -> str:
    """Sessions belong to a person, not to the tenant: nobody else's leave with an export."""
    return f"{alias}.user_id = (SELECT bound_user())"


def _there(kind: str, column: str) -> str:
    """Whether what a column names is exported as well."""
    table, alive = {
        "memory": ("memories", whole_memories("x")),
        "document": ("documents", remembered_documents("x")),
        "entity": ("entities", "true"),
        "session": ("sessions", _own("x")),
    }[kind]
    return (
        f"EXISTS (SELECT FROM {table} x WHERE x.tenant_id = t.tenant_id"
        f" AND x.id = t.{column} AND {alive})"
    )


def _unless_there(kind: str, column: str) -> str:
    return (
        f"CASE WHEN t.{column} IS NULL OR {_there(kind, column)} THEN '{{}}'::jsonb"
        f" ELSE {_NO_REF.format(column)} END"
    )


def _end_is_there(ends: tuple[str, str]) -> str:
    kind, id = ends
    cases = (
        f"t.{kind} = '{one}' AND {_there(one, id)}" for one in ("memory", "document", "entity")
    )
    return f"({' OR '.join(cases)})"


# What leaves, of those tables of which not everything does; and what is written otherwise.
_LEAVES = {
    "session": _own("t"),
    "turn": _there("session", "session_id"),
    "document": remembered_documents("t"),
    "chunk": _there("document", "document_id"),
    "memory": whole_memories("t"),
    # A signal has the words of its query.
    "signal": f"{_own('t')} AND (t.session_id IS NULL OR {_there('session', 'session_id')})",
    "link": " AND ".join(_end_is_there(ends) for ends in ENDS),
    "event": "t.subject_kind NOT IN ('api_key', 'member', 'import')",
    "original": "t.released_at IS NULL AND EXISTS (SELECT FROM documents x"
    f" WHERE x.tenant_id = t.tenant_id AND x.blob_key = t.key AND {remembered_documents('x')})",
}
_WRITTEN = {
    "document": f"{_unless_there('document', 'previous_id')} || {_RELATIVE.format('blob_key')}"
    f" || {_unless_there('session', 'session_id')}",
    "memory": f"{_unless_there('memory', 'supersedes_id')}"
    f" || {_unless_there('document', 'document_id')} || {_unless_there('session', 'session_id')}",
    "original": _RELATIVE.format("key"),
}


async def moment(tx: Tx, scope: Scope) -> datetime:
    """The moment this transaction sees."""
    return await tx.fetchval("SELECT now()")


async def count(tx: Tx, scope: Scope, kind: Kind) -> int:
    return await tx.fetchval(
        f"SELECT count(*) FROM {kind.table} t"
        f" WHERE t.tenant_id = $1 AND {_LEAVES.get(kind.name, 'true')}",
        scope.tenant_id,
    )


async def page(tx: Tx, scope: Scope, kind: Kind, after: UUID | None) -> list[tuple[UUID, str]]:
    """The next rows in order, each as the JSON of its line."""
    written = _WRITTEN.get(kind.name, "'{}'::jsonb")
    rows = await tx.fetch(
        f"SELECT t.id, ((to_jsonb(t) || {written}) - $3::text[])::text AS row FROM {kind.table} t"
        f" WHERE t.tenant_id = $1 AND ($2::uuid IS NULL OR t.id > $2)"
        f" AND {_LEAVES.get(kind.name, 'true')} ORDER BY t.id LIMIT {kind.page:d}",
        scope.tenant_id,
        after,
        ["tenant_id", *kind.behind],
    )
    return [(row["id"], row["row"]) for row in rows]


async def originals(tx: Tx, scope: Scope, ids: Sequence[UUID]) -> dict[UUID, tuple[str, int, str]]:
    """The key, size and SHA-256 of each."""
    rows = await tx.fetch(
        "SELECT id, key, size, sha256 FROM blobs WHERE tenant_id = $1 AND id = ANY($2)",
        scope.tenant_id,
        list(ids),
    )
    return {row["id"]: (row["key"], row["size"], row["sha256"]) for row in rows}


# What has a vector: pieces of what is latest, and memories that are shown.
_EMBEDDED = {
    "chunk": "chunks t WHERE EXISTS (SELECT FROM documents d WHERE d.tenant_id = t.tenant_id"
    f" AND d.id = t.document_id AND {current_documents('d')})",
    "memory": f"memories t WHERE {shown_memories('t')}",
}


async def count_embedded(tx: Tx, scope: Scope, kind: str, model: str) -> int:
    return await tx.fetchval(
        f"SELECT count(*) FROM {_EMBEDDED[kind]} AND t.tenant_id = $1 AND t.embedded_with = $2"
        " AND t.embedded_hash IS NOT NULL",
        scope.tenant_id,
        model,
    )


async def embedded(
    tx: Tx, scope: Scope, kind: str, model: str, after: UUID | None, limit: int
) -> dict[UUID, str]:
    """The next ids in order that have a vector of the model, with the hash of what was embedded."""
    rows = await tx.fetch(
        f"SELECT t.id, t.embedded_hash FROM {_EMBEDDED[kind]} AND t.tenant_id = $1"
        " AND t.embedded_with = $2 AND t.embedded_hash IS NOT NULL"
        " AND ($3::uuid IS NULL OR t.id > $3) ORDER BY t.id LIMIT $4",
        scope.tenant_id,
        model,
        after,
        limit,
    )
    return {row["id"]: row["embedded_hash"] or "" for row in rows}


# Imports

_ARRIVAL = "id, blob_key, stage, place, done, total, counts, problems, projects, error"
_SOURCE = "origin, project, fetches, actor"


async def insert(
    tx: Tx, scope: Scope, id: UUID, blob_key: str, total: int, source: ImportSource
) -> None:
    await tx.execute(
        f"INSERT INTO imports (tenant_id, id, blob_key, total, {_SOURCE})"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        scope.tenant_id,
        id,
        blob_key,
        total,
        source.origin,
        source.project,
        source.fetch,
        scope.actor,
    )


async def find(tx: Tx, scope: Scope, id: UUID, *, lock: bool = False) -> ImportRun | None:
    row = await tx.fetchrow(
        f"SELECT {_ARRIVAL}, {_SOURCE} FROM imports WHERE tenant_id = $1 AND id = $2"
        f"{' FOR UPDATE' if lock else ''}",
        scope.tenant_id,
        id,
    )
    return _arrival(row)


def _arrival(row: Row | None) -> ImportRun | None:
    if row is None:
        return None
    values = dict(row)
    source = ImportSource(*(values.pop(name) for name in _SOURCE.split(", ")))
    return ImportRun(**values, source=source)


async def change(tx: Tx, scope: Scope, id: UUID, **values: Any) -> None:
    marks = ", ".join(f"{name} = ${place}" for place, name in enumerate(values, start=3))
    await tx.execute(
        f"UPDATE imports SET {marks}, updated_at = now() WHERE tenant_id = $1 AND id = $2",
        scope.tenant_id,
        id,
        *values.values(),
    )
