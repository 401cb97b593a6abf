"""How far a tenant's vectors have moved to another embedding model."""

from dataclasses import dataclass

from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.stats import stats_store
from remem.core.vector_models.current import current_vector_model


@dataclass(frozen=True, slots=True)
class VectorMove:
    """Of `total` chunks and memories with a vector, `moved` have one of the new model."""

    old_model: str
    new_model: str
    moved: int
    total: int


async def find_move(ports: Ports, scope: Scope) -> VectorMove | None:
    """None if the vectors do not move."""
    async with ports.db.transaction(scope) as tx:
        known = await current_vector_model(ports, tx)
        if known is None or known.moving_to is None:
            return None
        moved, total = await stats_store.count_moved(tx, known.moving_to)
    return VectorMove(known.model, known.moving_to, moved, total)
