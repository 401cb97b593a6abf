"""SQL for changes that an index outside PostgreSQL does not have yet."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from remem.adapters.vector_index.qdrant_points import Owner
from remem.core.transaction import SystemTx, Tx


@dataclass(frozen=True, slots=True)
class Change:
    id: int
    owner: Owner
    dimensions: int


async def register_copy(tx: SystemTx, name: str) -> bool:
    """Record changes for this index from now on; return whether it must be filled first."""
    await tx.execute("DELETE FROM vector_copies WHERE name <> $1", name)
    await tx.execute("INSERT INTO vector_copies (name) VALUES ($1) ON CONFLICT DO NOTHING", name)
    return await tx.fetchval("SELECT filled_at IS NULL FROM vector_copies WHERE name = $1", name)


async def note_filled(tx: SystemTx) -> None:
    await tx.execute("UPDATE vector_copies SET filled_at = now() WHERE filled_at IS NULL")


async def forget_copies(tx: SystemTx) -> None:
    """Stop recording changes: no index outside PostgreSQL is in use any more."""
    await tx.execute("DELETE FROM vector_copies")
    await tx.execute("DELETE FROM erased_tenants")


async def mark_all(tx: Tx) -> None:
    """Queue all vectors of a tenant again, including changes queued before."""
    await tx.execute("DELETE FROM vector_changes WHERE tenant_id = $1")
    await tx.execute(
        "INSERT INTO vector_changes (tenant_id, owner_kind, owner_id, model, dimensions)"
        " SELECT tenant_id, owner_kind, owner_id, model, vector_dims(vector) FROM embeddings"
        " WHERE tenant_id = $1"
    )


async def lock_tenant(tx: Tx, timeout_ms: int) -> None:
    """Let one process at a time copy a tenant's changes, so that they are applied in order."""
    await tx.system.execute(f"SET LOCAL lock_timeout = {timeout_ms:d}")
    await tx.system.execute(
        "SELECT pg_advisory_xact_lock(hashtextextended('vectors:' || $1::text, 0))",
        str(tx.scope.tenant_id),
    )


async def oldest_changes(tx: Tx, limit: int) -> list[Change]:
    rows = await tx.fetch(
        "SELECT id, owner_kind, owner_id, model, dimensions FROM vector_changes"
        " WHERE tenant_id = $1 ORDER BY id LIMIT $2",
        limit,
    )
    return [
        Change(
            row["id"], Owner(row["owner_kind"], row["owner_id"], row["model"]), row["dimensions"]
        )
        for row in rows
    ]


async def forget_changes(tx: Tx, ids: Sequence[int]) -> None:
    await tx.execute("DELETE FROM vector_changes WHERE tenant_id = $1 AND id = ANY($2)", list(ids))


async def forget_all_changes(tx: Tx) -> None:
    await tx.execute("DELETE FROM vector_changes WHERE tenant_id = $1")


async def counts(tx: Tx) -> tuple[int, int]:
    """Count the vectors of a tenant and its queued changes."""
    row = await tx.fetchrow(
        "SELECT (SELECT count(*) FROM embeddings WHERE tenant_id = $1) AS stored,"
        " (SELECT count(*) FROM vector_changes WHERE tenant_id = $1) AS waiting"
    )
    assert row is not None
    return row["stored"], row["waiting"]


async def count_waiting(tx: Tx) -> int:
    return await tx.fetchval("SELECT count(*) FROM vector_changes WHERE tenant_id = $1")


async def erased_tenants(tx: SystemTx) -> list[UUID]:
    rows = await tx.fetch("SELECT id FROM erased_tenants ORDER BY created_at LIMIT 100")
    return [row["id"] for row in rows]


async def forget_erased(tx: Tx) -> None:
    await forget_all_changes(tx)
    await tx.execute("DELETE FROM erased_tenants WHERE id = $1")
