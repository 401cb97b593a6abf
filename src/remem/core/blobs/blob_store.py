"""SQL of blobs."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from remem.core.blobs.model import Blob
from remem.core.scope import Bound
from remem.core.time import new_id
from remem.core.transaction import SystemTx, Tx


async def insert(tx: Tx, blob: Blob) -> None:
    await tx.execute(
        "INSERT INTO blobs (tenant_id, id, key, name, media_type, size, sha256)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (tenant_id, key) DO UPDATE"
        " SET name = excluded.name, media_type = excluded.media_type, size = excluded.size,"
        " sha256 = excluded.sha256, updated_at = excluded.updated_at",
        new_id(),
        blob.key,
        blob.name,
        blob.media_type,
        blob.size,
        blob.sha256,
    )


async def find(tx: Tx, key: str) -> Blob | None:
    row = await tx.fetchrow(
        "SELECT key, name, media_type, size, sha256 FROM blobs WHERE tenant_id = $1 AND key = $2",
        key,
    )
    return Blob(**dict(row)) if row else None


async def release(tx: Tx, keys: Sequence[str], moment: datetime | None = None) -> None:
    """Release originals at a moment, by default now."""
    released_at, values = ("$3", [moment]) if moment else ("now()", [])
    await tx.execute(
        f"UPDATE blobs SET released_at = {released_at} WHERE tenant_id = $1 AND key = ANY($2)",
        list(keys),
        *values,
    )


async def cancel_release(tx: Tx, keys: Sequence[str]) -> None:
    await tx.execute(
        "UPDATE blobs SET released_at = NULL WHERE tenant_id = $1 AND key = ANY($2)", list(keys)
    )


async def is_any_released(tx: Tx) -> bool:
    return await tx.fetchval(
        "SELECT EXISTS (SELECT FROM blobs WHERE tenant_id = $1 AND released_at <= now())"
    )


async def release_project(tx: Tx, project_id: UUID) -> int:
    """Release the originals of a project, and return how many there were."""
    return await tx.fetchval(
        "WITH given_up AS (UPDATE blobs SET released_at = now() WHERE tenant_id = $1 AND key IN"
        " (SELECT blob_key FROM documents WHERE tenant_id = $1 AND project_id = $2) RETURNING 1)"
        " SELECT count(*) FROM given_up",
        project_id,
    )


async def released(tx: Tx) -> list[str]:
    """Released originals, and those that a crash left without a document or an import."""
    rows = await tx.fetch(
        "SELECT key FROM blobs b WHERE tenant_id = $1 AND (released_at <= now() OR"
        " (released_at IS NULL AND created_at < now() - interval '1 day'"
        " AND NOT EXISTS (SELECT FROM documents d"
        "  WHERE d.tenant_id = $1 AND d.blob_key = b.key)"
        " AND NOT EXISTS (SELECT FROM imports i WHERE i.tenant_id = $1"
        " AND i.blob_key = b.key)))"
    )
    return [row["key"] for row in rows]


async def keys(tx: SystemTx, bound: Bound) -> list[str]:
    rows = await tx.fetch("SELECT key FROM blobs WHERE tenant_id = $1", bound.tenant_id)
    return [row["key"] for row in rows]


async def delete(tx: Tx, key: str) -> None:
    await tx.execute("DELETE FROM blobs WHERE tenant_id = $1 AND key = $2", key)
