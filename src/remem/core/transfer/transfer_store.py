"""SQL of exports and imports. Exported rows are written by the database, in the order of ids."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from remem.core.current import (
    current_documents,
    shown_memories,
    top_level_memories,
    unexpired_documents,
)
from remem.core.flags import own_flags_sql
from remem.core.transaction import Row, Tx
from remem.core.transfer.kinds import LINK_ENDS, Kind
from remem.core.transfer.model import ImportRun, ImportSource

_NULL_REFERENCE = "jsonb_build_object('{0}', NULL)"
# The tenant at the start of a key is removed, because the importing tenant is another one.
_RELATIVE_KEY = "jsonb_build_object('{0}', regexp_replace(t.{0}, '^[0-9a-f-]{{36}}/', ''))"


def _is_own(alias: str) -> str:
    """Sessions belong to a user, not to the tenant, so an export has only the caller's own."""
    return f"{alias}.user_id = (SELECT bound_user())"


def _is_exported(kind: str, column: str) -> str:
    """The condition that the row a column refers to is exported as well."""
    table, alive = {
        "memory": ("memories", top_level_memories("x")),
        "document": ("documents", unexpired_documents("x")),
        "entity": ("entities", "true"),
        "session": ("sessions", _is_own("x")),
    }[kind]
    return (
        f"EXISTS (SELECT FROM {table} x WHERE x.tenant_id = $1 AND x.id = t.{column} AND {alive})"
    )


def _null_if_missing(kind: str, column: str) -> str:
    return (
        f"CASE WHEN t.{column} IS NULL OR {_is_exported(kind, column)} THEN '{{}}'::jsonb"
        f" ELSE {_NULL_REFERENCE.format(column)} END"
    )


def _link_end_exists(ends: tuple[str, str]) -> str:
    kind, id = ends
    cases = (
        f"t.{kind} = '{noun}' AND {_is_exported(noun, id)}"
        for noun in ("memory", "document", "entity")
    )
    return f"({' OR '.join(cases)})"


# Which rows are exported, for tables that are not exported in full; and columns that are changed.
_EXPORTED = {
    "session": _is_own("t"),
    "instruction": _is_own("t"),
    "turn": _is_exported("session", "session_id"),
    "document": unexpired_documents("t"),
    "chunk": _is_exported("document", "document_id"),
    "memory": top_level_memories("t"),
    # A signal contains its query, so only the caller's own are exported.
    "signal": f"{_is_own('t')} AND (t.session_id IS NULL"
    f" OR {_is_exported('session', 'session_id')})",
    "link": " AND ".join(_link_end_exists(ends) for ends in LINK_ENDS),
    "event": "t.subject_kind NOT IN ('api_key', 'member', 'import')",
    "original": "t.released_at IS NULL AND EXISTS (SELECT FROM documents x"
    f" WHERE x.tenant_id = $1 AND x.blob_key = t.key AND {unexpired_documents('x')})",
}
_OVERRIDES = {
    "document": f"{_null_if_missing('document', 'previous_id')}"
    f" || {_RELATIVE_KEY.format('blob_key')}"
    f" || {_null_if_missing('session', 'session_id')} || {own_flags_sql('t')}",
    "memory": f"{_null_if_missing('memory', 'supersedes_id')}"
    f" || {_null_if_missing('document', 'document_id')}"
    f" || {_null_if_missing('session', 'session_id')}",
    "original": _RELATIVE_KEY.format("key"),
}


async def transaction_time(tx: Tx) -> datetime:
    """The moment whose data this transaction sees."""
    return await tx.system.fetchval("SELECT now()")


async def count(tx: Tx, kind: Kind) -> int:
    return await tx.fetchval(
        f"SELECT count(*) FROM {kind.table} t"
        f" WHERE t.tenant_id = $1 AND {_EXPORTED.get(kind.name, 'true')}"
    )


async def page(tx: Tx, kind: Kind, after: UUID | None) -> list[tuple[UUID, str]]:
    """The next rows in order, each as the JSON of its line."""
    overrides = _OVERRIDES.get(kind.name, "'{}'::jsonb")
    rows = await tx.fetch(
        f"SELECT t.id, ((to_jsonb(t) || {overrides}) - $3::text[])::text AS row FROM {kind.table} t"
        f" WHERE t.tenant_id = $1 AND ($2::uuid IS NULL OR t.id > $2)"
        f" AND {_EXPORTED.get(kind.name, 'true')} ORDER BY t.id LIMIT {kind.page_size:d}",
        after,
        ["tenant_id", *kind.excluded],
    )
    return [(row["id"], row["row"]) for row in rows]


async def originals(tx: Tx, ids: Sequence[UUID]) -> dict[UUID, tuple[str, int, str]]:
    """The key, size and SHA-256 of each original."""
    rows = await tx.fetch(
        "SELECT id, key, size, sha256 FROM blobs WHERE tenant_id = $1 AND id = ANY($2)", list(ids)
    )
    return {row["id"]: (row["key"], row["size"], row["sha256"]) for row in rows}


# What has a vector: chunks of current documents, and shown memories.
_EMBEDDED = {
    "chunk": "chunks t WHERE EXISTS (SELECT FROM documents d WHERE d.tenant_id = $1"
    f" AND d.id = t.document_id AND {current_documents('d')})",
    "memory": f"memories t WHERE {shown_memories('t')}",
}


async def count_embedded(tx: Tx, kind: str, models: Sequence[str]) -> int:
    return await tx.fetchval(
        f"SELECT count(*) FROM {_EMBEDDED[kind]} AND t.tenant_id = $1 AND t.embedded_with = ANY($2)"
        " AND t.embedded_hash IS NOT NULL",
        list(models),
    )


async def embedded(
    tx: Tx, kind: str, models: Sequence[str], after: UUID | None, limit: int
) -> dict[UUID, str]:
    """The next ids in order that have a vector of the model, with the hash of what was embedded."""
    rows = await tx.fetch(
        f"SELECT t.id, t.embedded_hash FROM {_EMBEDDED[kind]} AND t.tenant_id = $1"
        " AND t.embedded_with = ANY($2) AND t.embedded_hash IS NOT NULL"
        " AND ($3::uuid IS NULL OR t.id > $3) ORDER BY t.id LIMIT $4",
        list(models),
        after,
        limit,
    )
    return {row["id"]: row["embedded_hash"] or "" for row in rows}


# Imports

_ARRIVAL = "id, blob_key, stage, place, done, total, counts, problems, projects, error"
_SOURCE = "origin, project, fetches, actor"


async def insert(tx: Tx, id: UUID, blob_key: str, total: int, source: ImportSource) -> None:
    await tx.execute(
        f"INSERT INTO imports (tenant_id, id, blob_key, total, {_SOURCE})"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        id,
        blob_key,
        total,
        source.origin,
        source.project,
        source.fetch,
        tx.scope.actor,
    )


async def find(tx: Tx, id: UUID, *, lock: bool = False) -> ImportRun | None:
    row = await tx.fetchrow(
        f"SELECT {_ARRIVAL}, {_SOURCE} FROM imports WHERE tenant_id = $1 AND id = $2"
        f"{' FOR UPDATE' if lock else ''}",
        id,
    )
    return _arrival(row)


def _arrival(row: Row | None) -> ImportRun | None:
    if row is None:
        return None
    values = dict(row)
    source = ImportSource(*(values.pop(name) for name in _SOURCE.split(", ")))
    return ImportRun(**values, source=source)


async def change(tx: Tx, id: UUID, **values: Any) -> None:
    assignments = ", ".join(f"{name} = ${place}" for place, name in enumerate(values, start=3))
    await tx.execute(
        f"UPDATE imports SET {assignments}, updated_at = now() WHERE tenant_id = $1 AND id = $2",
        id,
        *values.values(),
    )
