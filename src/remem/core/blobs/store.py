"""SQL of blobs."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from remem.core.blobs.model import Blob
from remem.core.db import Tx
from remem.core.scope import Bound, Scope
from remem.core.time import new_id


async def insert(tx: Tx, scope: Scope, blob: Blob) -> None:
    await tx.execute(
        "INSERT INTO blobs (tenant_id, id, key, name, media_type, size, sha256)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (tenant_id, key) DO UPDATE"
        " SET name = excluded.name, media_type = excluded.media_type, size = excluded.size,"
        " sha256 = excluded.sha256, updated_at = now()",
        scope.tenant_id,
        new_id(),
        blob.key,
        blob.name,
        blob.media_type,
        blob.size,
        blob.sha256,
    )


async def find(tx: Tx, scope: Scope, key: str) -> Blob | None:
    row = await tx.fetchrow(
        "SELECT key, name, media_type, size, sha256 FROM blobs WHERE tenant_id = $1 AND key = $2",
        scope.tenant_id,
        key,
    )
    return Blob(**dict(row)) if row else None


async def release(
    tx: Tx, scope: Scope, keys: Sequence[str], moment: datetime | None = None
) -> None:
    """Release originals at a moment, by default now."""
    await tx.execute(
        "UPDATE blobs SET released_at = coalesce($3, now()) WHERE tenant_id = $1 AND key = ANY($2)",
        scope.tenant_id,
        list(keys),
        moment,
    )


async def cancel_release(tx: Tx, scope: Scope, keys: Sequence[str]) -> None:
    await tx.execute(
        "UPDATE blobs SET released_at = NULL WHERE tenant_id = $1 AND key = ANY($2)",
        scope.tenant_id,
        list(keys),
    )


async def is_any_released(tx: Tx, scope: Scope) -> bool:
    return await tx.fetchval(
        "SELECT EXISTS (SELECT FROM blobs WHERE tenant_id = $1 AND released_at <= now())",
        scope.tenant_id,
    )


async def release_project(tx: Tx, scope: Scope, project_id: UUID) -> int:
    """Release the originals of a project, and return how many there were."""
    return await tx.fetchval(
        "WITH given_up AS (UPDATE blobs SET released_at = now() WHERE tenant_id = $1 AND key IN"
        " (SELECT blob_key FROM documents WHERE tenant_id = $1 AND project_id = $2) RETURNING 1)"
        " SELECT count(*) FROM given_up",
        scope.tenant_id,
        project_id,
    )


async def released(tx: Tx, scope: Scope) -> list[str]:
    """Released originals, and those that a crash left without a document or an import."""
    rows = await tx.fetch(
        "SELECT key FROM blobs b WHERE tenant_id = $1 AND (released_at <= now() OR"
        " (released_at IS NULL AND created_at < now() - interval '1 day'"
        " AND NOT EXISTS (SELECT FROM documents d"
        "  WHERE d.tenant_id = b.tenant_id AND d.blob_key = b.key)"
        " AND NOT EXISTS (SELECT FROM imports i WHERE i.tenant_id = b.tenant_id"
        " AND i.blob_key = b.key)))",
        scope.tenant_id,
    )
    return [row["key"] for row in rows]


async def keys(tx: Tx, bound: Bound) -> list[str]:
    rows = await tx.fetch("SELECT key FROM blobs WHERE tenant_id = $1", bound.tenant_id)
    return [row["key"] for row in rows]


async def delete(tx: Tx, scope: Scope, key: str) -> None:
    await tx.execute("DELETE FROM blobs WHERE tenant_id = $1 AND key = $2", scope.tenant_id, key)
