"""SQL of feeds."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.feeds.model import Feed, FeedKind
from remem.core.time import new_id
from remem.core.transaction import Tx
from remem.core.unreadable import row_values

_SELECT = (
    "SELECT f.id, f.project_id,"
    " project_ref(p.slug, p.name, p.settings) AS project_ref, f.kind, f.url, f.title, f.error,"
    " f.failures, f.collected_at, f.created_at, f.updated_at, f.etag, f.last_modified FROM feeds f"
    " JOIN projects p ON p.tenant_id = $1 AND p.id = f.project_id"
    " WHERE f.tenant_id = $1"
)


async def list_all(
    tx: Tx, project_ids: Sequence[UUID] | None, *, collectable: bool = False
) -> list[Feed]:
    """Feeds, oldest first. `collectable` leaves out those of archived projects."""
    rows = await tx.fetch(
        f"{_SELECT} AND ($2::uuid[] IS NULL OR f.project_id = ANY($2))"
        " AND (NOT $3 OR p.archived_at IS NULL) ORDER BY f.created_at, f.id",
        list(project_ids) if project_ids is not None else None,
        collectable,
    )
    return [Feed(**row_values(row)) for row in rows]


async def find(tx: Tx, id: UUID) -> Feed | None:
    row = await tx.fetchrow(f"{_SELECT} AND f.id = $2", id)
    return Feed(**row_values(row)) if row else None


async def find_url(tx: Tx, project_id: UUID, url: str) -> Feed | None:
    row = await tx.fetchrow(
        f"{_SELECT} AND f.project_id = $2 AND f.url = $3 LIMIT 1", project_id, url
    )
    return Feed(**row_values(row)) if row else None


async def count(tx: Tx) -> int:
    return await tx.fetchval("SELECT count(*)::int FROM feeds WHERE tenant_id = $1")


async def insert(tx: Tx, project_id: UUID, kind: FeedKind, url: str) -> UUID:
    return await tx.fetchval(
        "INSERT INTO feeds (tenant_id, id, project_id, user_id, kind, url)"
        " VALUES ($1, $2, $3, $4, $5, $6) RETURNING id",
        new_id(),
        project_id,
        tx.scope.user_id,
        kind,
        url,
    )


async def delete(tx: Tx, id: UUID) -> None:
    await tx.execute("DELETE FROM feeds WHERE tenant_id = $1 AND id = $2", id)


async def note_read(tx: Tx, id: UUID, title: str) -> None:
    await tx.execute(
        "UPDATE feeds SET title = nullif($3, ''), error = NULL, failures = 0, collected_at = now(),"
        " updated_at = now() WHERE tenant_id = $1 AND id = $2",
        id,
        title,
    )


async def note_unchanged(tx: Tx, id: UUID) -> None:
    await tx.execute(
        "UPDATE feeds SET error = NULL, failures = 0, collected_at = now(), updated_at = now()"
        " WHERE tenant_id = $1 AND id = $2",
        id,
    )


async def note_version(tx: Tx, id: UUID, etag: str | None, last_modified: str | None) -> None:
    """Store the version of the feed whose entries are all saved."""
    await tx.execute(
        "UPDATE feeds SET etag = $3, last_modified = $4 WHERE tenant_id = $1 AND id = $2",
        id,
        etag,
        last_modified,
    )


async def note_failure(tx: Tx, id: UUID, error: str) -> None:
    await tx.execute(
        "UPDATE feeds SET error = $3, failures = failures + 1, updated_at = now()"
        " WHERE tenant_id = $1 AND id = $2",
        id,
        error,
    )


async def known_keys(tx: Tx, project_id: UUID, keys: Sequence[str]) -> set[str]:
    """The keys of entries that any feed of the project had before."""
    rows = await tx.fetch(
        "SELECT e.key FROM feed_entries e JOIN feeds f ON f.tenant_id = $1"
        " AND f.id = e.feed_id WHERE e.tenant_id = $1 AND f.project_id = $2 AND e.key = ANY($3)",
        project_id,
        list(keys),
    )
    return {row["key"] for row in rows}


async def insert_keys(tx: Tx, feed_id: UUID, keys: Sequence[str]) -> None:
    """Store the keys of entries, if the feed still exists."""
    await tx.execute(
        "INSERT INTO feed_entries (tenant_id, id, feed_id, key)"
        " SELECT $1, ids.id, $2, ids.key FROM unnest($3::uuid[], $4::text[]) AS ids (id, key)"
        " WHERE EXISTS (SELECT FROM feeds WHERE tenant_id = $1 AND id = $2)",
        feed_id,
        [new_id() for _ in keys],
        list(keys),
    )
