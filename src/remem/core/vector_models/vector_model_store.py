"""SQL of the models of vectors."""

from remem.core.transaction import Row, Tx
from remem.core.vector_models.model import VectorModel

_SELECT = "SELECT model, moving_to, moved_at FROM vector_models WHERE tenant_id = $1"


async def find(tx: Tx) -> VectorModel | None:
    return _vector_model(await tx.fetchrow(_SELECT))


async def share(tx: Tx) -> VectorModel | None:
    """Keep the model from being switched until the transaction ends."""
    return _vector_model(await tx.fetchrow(f"{_SELECT} FOR KEY SHARE"))


async def lock(tx: Tx, timeout_ms: int) -> VectorModel | None:
    """Wait for the saves that store vectors, and keep others from it until the transaction
    ends."""
    await tx.system.execute(f"SET LOCAL lock_timeout = {timeout_ms:d}")
    return _vector_model(await tx.fetchrow(f"{_SELECT} FOR UPDATE"))


async def insert(tx: Tx, model: str) -> None:
    await tx.execute(
        "INSERT INTO vector_models (tenant_id, model) VALUES ($1, $2) ON CONFLICT DO NOTHING", model
    )


async def set_target(tx: Tx, moving_to: str) -> None:
    await tx.execute("UPDATE vector_models SET moving_to = $2 WHERE tenant_id = $1", moving_to)


async def stay(tx: Tx) -> None:
    """End the move where it is: the model that is searched stays the one."""
    await tx.execute(
        "UPDATE vector_models SET moving_to = NULL, moved_at = now() WHERE tenant_id = $1"
    )


async def switch(tx: Tx) -> None:
    await tx.execute(
        "UPDATE vector_models SET model = moving_to, moving_to = NULL, moved_at = now()"
        " WHERE tenant_id = $1"
    )


async def settle(tx: Tx) -> None:
    """Record that no vectors of another model are left."""
    await tx.execute("UPDATE vector_models SET moved_at = NULL WHERE tenant_id = $1")


def _vector_model(row: Row | None) -> VectorModel | None:
    return VectorModel(**dict(row)) if row else None
