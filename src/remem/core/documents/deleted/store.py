"""SQL of deleted documents: their rows moved to a table that nothing else reads, and back."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from remem.core.db import Row, Tx
from remem.core.scope import Scope

# A vector goes with its chunk or memory; the database derives a voice from the speaker.
_WITHOUT_VECTOR = "'{embedded_with,embedded_hash,voice}'::text[]"
_CHAIN = "SELECT id FROM documents WHERE tenant_id = $1 AND root_id = $2"
_RESTING = (
    f"SELECT id FROM memories WHERE tenant_id = $1 AND document_id IN ({_CHAIN})"
    " UNION SELECT from_id FROM links WHERE tenant_id = $1 AND from_kind = 'memory'"
    f" AND to_kind = 'document' AND relation = 'derives' AND to_id IN ({_CHAIN})"
)
# Successors lose the name of what they replaced when that is erased. They do not go with the
# document: of them only that name is kept.
_MEMORIES = (
    f"{_RESTING} UNION SELECT id FROM memories WHERE tenant_id = $1"
    f" AND supersedes_id IN ({_RESTING})"
)
_NAME_ONLY = (
    "jsonb_build_object('id', t.id, 'root_id', t.root_id, 'version', t.version,"
    " 'supersedes_id', t.supersedes_id, 'document_id', NULL)"
)
_CONTENT = {
    "memory": f"CASE WHEN t.id IN ({_RESTING}) THEN to_jsonb(t) - {_WITHOUT_VECTOR}"
    f" ELSE {_NAME_ONLY} END"
}
# By the kinds of their ends too, for that is how their indexes begin.
_LINKS = " UNION ".join(
    f"SELECT id FROM links WHERE tenant_id = $1 AND {end}_kind = '{kind}' AND {end}_id IN ({ids})"
    for end in ("from", "to")
    for kind, ids in (("document", _CHAIN), ("memory", _RESTING))
)
_SOURCES = {
    "document": "documents t WHERE t.tenant_id = $1 AND t.root_id = $2",
    "chunk": f"chunks t WHERE t.tenant_id = $1 AND t.document_id IN ({_CHAIN})",
    "memory": f"memories t WHERE t.tenant_id = $1 AND t.id IN ({_MEMORIES})",
    # What a memory mentions is found anew when it is restored.
    "link": f"links t WHERE t.tenant_id = $1 AND t.relation <> 'mentions' AND t.id IN ({_LINKS})",
}
# The project may have been archived meanwhile, and what it had moved to another.
_PROJECT = "jsonb_build_object('project_id', d.project_id)"
_TABLES = {"document": "documents", "chunk": "chunks", "memory": "memories", "link": "links"}


async def keep_rows(
    tx: Tx, scope: Scope, root_id: UUID, project_id: UUID, expires_at: datetime
) -> None:
    """Copy every row that goes with a document, before they are erased."""
    for kind, source in _SOURCES.items():
        content = _CONTENT.get(kind, f"to_jsonb(t) - {_WITHOUT_VECTOR}")
        await tx.execute(
            "INSERT INTO deleted_rows (tenant_id, deletion_id, kind, id, project_id, content,"
            f" expires_at) SELECT $1, $2, '{kind}', t.id, $3, {content}, $4"
            f" FROM {source}",
            scope.tenant_id,
            root_id,
            project_id,
            expires_at,
        )


async def find_deletion(tx: Tx, scope: Scope, document_id: UUID) -> Row | None:
    """The deletion that a document, of any version, went with; locked."""
    return await tx.fetchrow(
        "SELECT deletion_id AS id, project_id FROM deleted_rows WHERE tenant_id = $1 AND id = $2"
        " AND kind = 'document' AND expires_at > now() FOR UPDATE",
        scope.tenant_id,
        document_id,
    )


async def memories(tx: Tx, scope: Scope, deletion_id: UUID) -> list[dict[str, Any]]:
    """As they were, older versions first."""
    found = await tx.fetch(
        "SELECT content FROM deleted_rows WHERE tenant_id = $1 AND deletion_id = $2"
        " AND kind = 'memory' ORDER BY (content->>'version')::int, id",
        scope.tenant_id,
        deletion_id,
    )
    return [row["content"] for row in found]


async def blob_keys(tx: Tx, scope: Scope, deletion_id: UUID) -> list[str | None]:
    """Of every version; None for one without an original."""
    found = await tx.fetch(
        "SELECT content->>'blob_key' AS key FROM deleted_rows WHERE tenant_id = $1"
        " AND deletion_id = $2 AND kind = 'document'",
        scope.tenant_id,
        deletion_id,
    )
    return [row["key"] for row in found]


async def insert_documents(tx: Tx, scope: Scope, deletion_id: UUID) -> list[UUID]:
    """Those that were done wait for their vectors. None is inserted where the latest one's content
    has been saved again."""
    replaced = (
        f"{_PROJECT} || jsonb_build_object('previous_id', NULL, 'status',"
        " CASE WHEN d.content->>'status' = 'done' AND (d.content->>'is_latest')::bool"
        " THEN 'embedding' ELSE d.content->>'status' END)"
    )
    inserted = await _insert(tx, scope, deletion_id, "document", replaced)
    await tx.execute(
        "UPDATE documents t SET previous_id = (d.content->>'previous_id')::uuid FROM deleted_rows d"
        " WHERE d.tenant_id = $1 AND d.deletion_id = $2 AND d.kind = 'document'"
        " AND t.tenant_id = $1 AND t.id = d.id AND EXISTS (SELECT FROM documents p"
        "  WHERE p.tenant_id = $1 AND p.id = (d.content->>'previous_id')::uuid)",
        scope.tenant_id,
        deletion_id,
    )
    return inserted


async def insert_chunks(tx: Tx, scope: Scope, deletion_id: UUID) -> list[UUID]:
    return await _insert(tx, scope, deletion_id, "chunk", _PROJECT)


async def insert_links(tx: Tx, scope: Scope, deletion_id: UUID) -> None:
    """Those whose two ends are there."""
    ends = " AND ".join(
        f"CASE d.content->>'{end}_kind'"
        + "".join(
            f" WHEN '{kind}' THEN EXISTS (SELECT FROM {table} x WHERE x.tenant_id = $1"
            f" AND x.id = (d.content->>'{end}_id')::uuid)"
            for kind, table in (
                ("document", "documents"), ("memory", "memories"), ("entity", "entities"),
            )
        )
        + " END"
        for end in ("from", "to")
    )  # fmt: skip
    await _insert(tx, scope, deletion_id, "link", "'{}'::jsonb", ends)


async def insert_memory(tx: Tx, scope: Scope, deletion_id: UUID, id: UUID) -> bool:
    """False when it is there, or another one says the same now. Where its project is gone, it is in
    that of the document."""
    gone = (
        "jsonb_build_object('{0}', (SELECT x.id FROM {1} x WHERE x.tenant_id = $1"
        " AND x.id = (d.content->>'{0}')::uuid))"
    )
    replaced = " || ".join(
        gone.format(column, table)
        for column, table in (
            ("supersedes_id", "memories"), ("session_id", "sessions"), ("document_id", "documents"),
        )
    )  # fmt: skip
    replaced += (
        " || jsonb_build_object('project_id', coalesce((SELECT p.id FROM projects p"
        " WHERE p.tenant_id = $1 AND p.id = (d.content->>'project_id')::uuid"
        " AND p.archived_at IS NULL), d.project_id))"
    )
    return bool(await _insert(tx, scope, deletion_id, "memory", replaced, "d.id = $3", id))


async def _insert(
    tx: Tx,
    scope: Scope,
    deletion_id: UUID,
    kind: str,
    replaced: str,
    condition: str = "true",
    *values: UUID,
) -> list[UUID]:
    table = _TABLES[kind]
    columns = await _columns(tx, scope, table)
    found = await tx.fetch(
        # From a lateral join, a row is made once; by `(…).*`, once for each of its columns.
        f"INSERT INTO {table} ({columns}) SELECT {columns} FROM ("
        "  SELECT r.* FROM deleted_rows d CROSS JOIN LATERAL"
        f"  jsonb_populate_record(NULL::{table}, d.content || {replaced}) r"
        "  WHERE d.tenant_id = $1 AND d.deletion_id = $2"
        f"  AND d.kind = '{kind}' AND {condition}) r ON CONFLICT DO NOTHING RETURNING id",
        scope.tenant_id,
        deletion_id,
        *values,
    )
    return [row["id"] for row in found]


async def _columns(tx: Tx, scope: Scope, table: str) -> str:
    """Every column that a row is written with."""
    return await tx.fetchval(
        "SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute"
        " WHERE attrelid = $1::text::regclass AND attnum > 0 AND NOT attisdropped"
        " AND attgenerated = ''",
        table,
    )


async def move_rows(tx: Tx, scope: Scope, project_id: UUID, to: UUID) -> None:
    await tx.execute(
        "UPDATE deleted_rows SET project_id = $3, updated_at = now()"
        " WHERE tenant_id = $1 AND project_id = $2",
        scope.tenant_id,
        project_id,
        to,
    )


async def delete_rows(tx: Tx, scope: Scope, deletion_id: UUID) -> None:
    await tx.execute(
        "DELETE FROM deleted_rows WHERE tenant_id = $1 AND deletion_id = $2",
        scope.tenant_id,
        deletion_id,
    )


async def delete_expired(tx: Tx, scope: Scope) -> None:
    await tx.execute(
        "DELETE FROM deleted_rows WHERE tenant_id = $1 AND expires_at <= now()", scope.tenant_id
    )


async def name_again(tx: Tx, scope: Scope, row: dict[str, Any]) -> None:
    """Let a memory that stayed name the document and the memory that are back, the latter instead
    of what that had replaced itself."""
    await tx.execute(
        "UPDATE memories m SET document_id = coalesce(m.document_id, (SELECT id FROM documents d"
        "  WHERE d.tenant_id = $1 AND d.id = $3)),"
        " supersedes_id = coalesce((SELECT s.id FROM memories s WHERE s.tenant_id = $1"
        "  AND s.id = $4 AND s.id <> m.id AND (m.supersedes_id IS NULL"
        "  OR m.supersedes_id = s.supersedes_id)), m.supersedes_id)"
        " WHERE m.tenant_id = $1 AND m.id = $2",
        scope.tenant_id,
        UUID(row["id"]),
        _uuid(row["document_id"]),
        _uuid(row["supersedes_id"]),
    )


def _uuid(text: str | None) -> UUID | None:
    return UUID(text) if text else None


async def missing_memories(tx: Tx, scope: Scope, ids: Sequence[UUID]) -> list[UUID]:
    """Those of the ids that are not there."""
    found = await tx.fetch(
        "SELECT i.id FROM unnest($2::uuid[]) AS i(id) WHERE NOT EXISTS"
        " (SELECT FROM memories m WHERE m.tenant_id = $1 AND m.id = i.id)",
        scope.tenant_id,
        list(ids),
    )
    return [row["id"] for row in found]
