"""SQL of the models of vectors."""

from remem.core.db import Row, Tx
from remem.core.scope import Scope
from remem.core.vector_models.model import VectorModel

_SELECT = "SELECT model, moving_to, moved_at FROM vector_models WHERE tenant_id = $1"


async def find(tx: Tx, scope: Scope) -> VectorModel | None:
    return _vector_model(await tx.fetchrow(_SELECT, scope.tenant_id))


async def share(tx: Tx, scope: Scope) -> VectorModel | None:
    """Keep the model from being switched until the transaction ends."""
    return _vector_model(await tx.fetchrow(f"{_SELECT} FOR KEY SHARE", scope.tenant_id))


async def lock(tx: Tx, scope: Scope, timeout_ms: int) -> VectorModel | None:
    """Wait for the saves that store vectors, and keep others from it until the transaction
    ends."""
    await tx.execute(f"SET LOCAL lock_timeout = {timeout_ms:d}")
    return _vector_model(await tx.fetchrow(f"{_SELECT} FOR UPDATE", scope.tenant_id))


async def insert(tx: Tx, scope: Scope, model: str) -> None:
    await tx.execute(
        "INSERT INTO vector_models (tenant_id, model) VALUES ($1, $2) ON CONFLICT DO NOTHING",
        scope.tenant_id,
        model,
    )


async def set_target(tx: Tx, scope: Scope, moving_to: str) -> None:
    await tx.execute(
        "UPDATE vector_models SET moving_to = $2 WHERE tenant_id = $1", scope.tenant_id, moving_to
    )


async def stay(tx: Tx, scope: Scope) -> None:
    """End the move where it is: the model that is searched stays the one."""
    await tx.execute(
        "UPDATE vector_models SET moving_to = NULL, moved_at = now() WHERE tenant_id = $1",
        scope.tenant_id,
    )


async def switch(tx: Tx, scope: Scope) -> None:
    await tx.execute(
        "UPDATE vector_models SET model = moving_to, moving_to = NULL, moved_at = now()"
        " WHERE tenant_id = $1",
        scope.tenant_id,
    )


async def settle(tx: Tx, scope: Scope) -> None:
    """Record that no vectors of another model are left."""
    await tx.execute(
        "UPDATE vector_models SET moved_at = NULL WHERE tenant_id = $1", scope.tenant_id
    )


def _vector_model(row: Row | None) -> VectorModel | None:
    return VectorModel(**dict(row)) if row else None
