"""SQL of deleted documents: move their rows to a table that nothing else reads, and back."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from remem.core.transaction import Row, Tx

# Vectors are deleted with their chunk or memory; the database derives `voice` from the speaker.
_WITHOUT_VECTOR = "'{embedded_with,embedded_hash,voice}'::text[]"
_CHAIN = "SELECT id FROM documents WHERE tenant_id = $1 AND root_id = $2"
_DERIVED_MEMORIES = (
    f"SELECT id FROM memories WHERE tenant_id = $1 AND document_id IN ({_CHAIN})"
    " UNION SELECT from_id FROM links WHERE tenant_id = $1 AND from_kind = 'memory'"
    f" AND to_kind = 'document' AND relation = 'derives' AND to_id IN ({_CHAIN})"
)
# Successors lose the reference to the memory they replaced when it is erased. They are not deleted
# with the document, so only that reference is kept.
_MEMORIES = (
    f"{_DERIVED_MEMORIES} UNION SELECT id FROM memories WHERE tenant_id = $1"
    f" AND supersedes_id IN ({_DERIVED_MEMORIES})"
)
_REFERENCES_ONLY = (
    "jsonb_build_object('id', t.id, 'root_id', t.root_id, 'version', t.version,"
    " 'supersedes_id', t.supersedes_id, 'document_id', NULL)"
)
_CONTENT = {
    "memory": f"CASE WHEN t.id IN ({_DERIVED_MEMORIES}) THEN to_jsonb(t) - {_WITHOUT_VECTOR}"
    f" ELSE {_REFERENCES_ONLY} END"
}
# The conditions include the kinds of the ends, which are the first columns of the indexes.
_LINKS = " UNION ".join(
    f"SELECT id FROM links WHERE tenant_id = $1 AND {end}_kind = '{kind}' AND {end}_id IN ({ids})"
    for end in ("from", "to")
    for kind, ids in (("document", _CHAIN), ("memory", _DERIVED_MEMORIES))
)
_SOURCES = {
    "document": "documents t WHERE t.tenant_id = $1 AND t.root_id = $2",
    "chunk": f"chunks t WHERE t.tenant_id = $1 AND t.document_id IN ({_CHAIN})",
    "memory": f"memories t WHERE t.tenant_id = $1 AND t.id IN ({_MEMORIES})",
    # The mentions of a memory are extracted again when it is restored.
    "link": f"links t WHERE t.tenant_id = $1 AND t.relation <> 'mentions' AND t.id IN ({_LINKS})",
}
# The project may have been archived meanwhile, and its contents moved to another.
_PROJECT = "jsonb_build_object('project_id', d.project_id)"
_TABLES = {"document": "documents", "chunk": "chunks", "memory": "memories", "link": "links"}


async def copy_rows(tx: Tx, root_id: UUID, project_id: UUID, expires_at: datetime) -> None:
    """Copy every row that is deleted with a document, before the rows are erased."""
    for kind, source in _SOURCES.items():
        content = _CONTENT.get(kind, f"to_jsonb(t) - {_WITHOUT_VECTOR}")
        await tx.execute(
            "INSERT INTO deleted_rows (tenant_id, deletion_id, kind, id, project_id, content,"
            f" expires_at) SELECT $1, $2, '{kind}', t.id, $3, {content}, $4"
            f" FROM {source}",
            root_id,
            project_id,
            expires_at,
        )


async def restorable(tx: Tx, limit: int) -> list[Row]:
    """The latest version of each deleted document."""
    return await tx.fetch(
        "SELECT * FROM (SELECT DISTINCT ON (deletion_id) id, content ->> 'title' AS title,"
        "  created_at AS deleted_at, expires_at AS restorable_until FROM deleted_rows"
        "  WHERE tenant_id = $1 AND kind = 'document' AND expires_at > now()"
        "  ORDER BY deletion_id, (content ->> 'version')::int DESC) d"
        " ORDER BY deleted_at DESC, id LIMIT $2",
        limit,
    )


async def find_deletion(tx: Tx, document_id: UUID) -> Row | None:
    """The deletion that removed a document, whichever its version; locks it."""
    return await tx.fetchrow(
        "SELECT deletion_id AS id, project_id FROM deleted_rows WHERE tenant_id = $1 AND id = $2"
        " AND kind = 'document' AND expires_at > now() FOR UPDATE",
        document_id,
    )


async def memories(tx: Tx, deletion_id: UUID) -> list[dict[str, Any]]:
    """The deleted memories as they were, older versions first."""
    rows = await tx.fetch(
        "SELECT content FROM deleted_rows WHERE tenant_id = $1 AND deletion_id = $2"
        " AND kind = 'memory' ORDER BY (content->>'version')::int, id",
        deletion_id,
    )
    return [row["content"] for row in rows]


async def linked_projects(tx: Tx, deletion_id: UUID) -> set[UUID]:
    """The projects of the documents and memories that the deleted links and memories refer to,
    also of documents that are deleted now."""
    rows = await tx.fetch(
        "WITH linked AS MATERIALIZED ("
        "  SELECT (l.content->>e.name)::uuid AS id FROM deleted_rows l,"
        "   unnest(ARRAY['from_id', 'to_id']) AS e (name)"
        "   WHERE l.tenant_id = $1 AND l.deletion_id = $2 AND l.kind = 'link'"
        "  UNION SELECT (p.id #>> '{}')::uuid FROM deleted_rows m,"
        "   jsonb_path_query(m.content, '$.evidence.**.document_id') AS p (id)"
        "   WHERE m.tenant_id = $1 AND m.deletion_id = $2 AND m.kind = 'memory')"
        " SELECT project_id FROM documents WHERE tenant_id = $1 AND id IN (SELECT id FROM linked)"
        " UNION SELECT project_id FROM memories"
        "  WHERE tenant_id = $1 AND id IN (SELECT id FROM linked)"
        " UNION SELECT project_id FROM deleted_rows"
        "  WHERE tenant_id = $1 AND kind = 'document' AND id IN (SELECT id FROM linked)",
        deletion_id,
    )
    return {row["project_id"] for row in rows}


async def blob_keys(tx: Tx, deletion_id: UUID) -> list[str | None]:
    """The blob key of every version; None for one without an original."""
    rows = await tx.fetch(
        "SELECT content->>'blob_key' AS key FROM deleted_rows WHERE tenant_id = $1"
        " AND deletion_id = $2 AND kind = 'document'",
        deletion_id,
    )
    return [row["key"] for row in rows]


async def insert_documents(tx: Tx, deletion_id: UUID) -> list[UUID]:
    """Insert the versions and return their ids. Those that were done wait for their vectors. The
    latest one is left out when its content has been saved again since."""
    overrides = (
        f"{_PROJECT} || jsonb_build_object('previous_id', NULL, 'status',"
        " CASE WHEN d.content->>'status' = 'done' AND (d.content->>'is_latest')::bool"
        " THEN 'embedding' ELSE d.content->>'status' END)"
    )
    inserted = await _insert(tx, deletion_id, "document", overrides)
    await tx.execute(
        "UPDATE documents t SET previous_id = (d.content->>'previous_id')::uuid FROM deleted_rows d"
        " WHERE d.tenant_id = $1 AND d.deletion_id = $2 AND d.kind = 'document'"
        " AND t.tenant_id = $1 AND t.id = d.id AND EXISTS (SELECT FROM documents p"
        "  WHERE p.tenant_id = $1 AND p.id = (d.content->>'previous_id')::uuid)",
        deletion_id,
    )
    return inserted


async def insert_chunks(tx: Tx, deletion_id: UUID) -> list[UUID]:
    return await _insert(tx, deletion_id, "chunk", _PROJECT)


async def insert_links(tx: Tx, deletion_id: UUID) -> None:
    """Insert the links whose two ends exist."""
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
    await _insert(tx, deletion_id, "link", "'{}'::jsonb", ends)


async def insert_memory(tx: Tx, deletion_id: UUID, id: UUID) -> bool:
    """False when it exists, or another memory now says the same. If its project is gone, it is
    inserted into the document's project."""
    existing_only = (
        "jsonb_build_object('{0}', (SELECT x.id FROM {1} x WHERE x.tenant_id = $1"
        " AND x.id = (d.content->>'{0}')::uuid))"
    )
    overrides = " || ".join(
        existing_only.format(column, table)
        for column, table in (
            ("supersedes_id", "memories"), ("session_id", "sessions"), ("document_id", "documents"),
        )
    )  # fmt: skip
    overrides += (
        " || jsonb_build_object('project_id', coalesce((SELECT p.id FROM projects p"
        " WHERE p.tenant_id = $1 AND p.id = (d.content->>'project_id')::uuid"
        " AND p.archived_at IS NULL), d.project_id))"
    )
    return bool(await _insert(tx, deletion_id, "memory", overrides, "d.id = $3", id))


async def _insert(
    tx: Tx,
    deletion_id: UUID,
    kind: str,
    overrides: str,
    condition: str = "true",
    *values: UUID,
) -> list[UUID]:
    table = _TABLES[kind]
    columns = await _columns(tx, table)
    rows = await tx.fetch(
        # A lateral join builds each row once; `(…).*` would build it once per column.
        f"INSERT INTO {table} ({columns}) SELECT {columns} FROM ("
        "  SELECT r.* FROM deleted_rows d CROSS JOIN LATERAL"
        f"  jsonb_populate_record(NULL::{table}, d.content || {overrides}) r"
        "  WHERE d.tenant_id = $1 AND d.deletion_id = $2"
        f"  AND d.kind = '{kind}' AND {condition}) r ON CONFLICT DO NOTHING RETURNING id",
        deletion_id,
        *values,
    )
    return [row["id"] for row in rows]


async def _columns(tx: Tx, table: str) -> str:
    """Every column that is not generated."""
    return await tx.system.fetchval(
        "SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute"
        " WHERE attrelid = $1::text::regclass AND attnum > 0 AND NOT attisdropped"
        " AND attgenerated = ''",
        table,
    )


async def move_rows(tx: Tx, project_id: UUID, to: UUID) -> None:
    await tx.execute(
        "UPDATE deleted_rows SET project_id = $3, updated_at = now()"
        " WHERE tenant_id = $1 AND project_id = $2",
        project_id,
        to,
    )


async def delete_rows(tx: Tx, deletion_id: UUID) -> None:
    await tx.execute(
        "DELETE FROM deleted_rows WHERE tenant_id = $1 AND deletion_id = $2", deletion_id
    )


async def delete_expired(tx: Tx) -> None:
    await tx.execute("DELETE FROM deleted_rows WHERE tenant_id = $1 AND expires_at <= now()")


async def restore_references(tx: Tx, row: dict[str, Any]) -> None:
    """Let a memory that stayed refer to the restored document and memory again; the latter takes
    the place of what it had itself replaced."""
    await tx.execute(
        "UPDATE memories m SET document_id = coalesce(m.document_id, (SELECT id FROM documents d"
        "  WHERE d.tenant_id = $1 AND d.id = $3)),"
        " supersedes_id = coalesce((SELECT s.id FROM memories s WHERE s.tenant_id = $1"
        "  AND s.id = $4 AND s.id <> m.id AND (m.supersedes_id IS NULL"
        "  OR m.supersedes_id = s.supersedes_id)), m.supersedes_id)"
        " WHERE m.tenant_id = $1 AND m.id = $2",
        UUID(row["id"]),
        _uuid(row["document_id"]),
        _uuid(row["supersedes_id"]),
    )


def _uuid(text: str | None) -> UUID | None:
    return UUID(text) if text else None


async def missing_memories(tx: Tx, ids: Sequence[UUID]) -> list[UUID]:
    """The ids of memories that do not exist."""
    rows = await tx.fetch(
        "SELECT i.id FROM unnest($2::uuid[]) AS i(id) WHERE NOT EXISTS"
        " (SELECT FROM memories m WHERE m.tenant_id = $1 AND m.id = i.id)",
        list(ids),
    )
    return [row["id"] for row in rows]
