"""Decide which model of this machine a tenant's vectors move to: the configured one."""

from remem.core.events.record import record
from remem.core.ports import LocalModels, Ports
from remem.core.scope import Scope
from remem.core.vector_models import state
from remem.core.vector_models.model import VectorModel

# How long to wait for saves that store vectors, and for the moment of a switch.
_WAIT_MS = 10_000


async def choose_model(ports: Ports, scope: Scope) -> bool:
    """Whether the vectors move from now on. Nothing changes for a tenant without vectors, and for
    one whose vectors belong to a model that is not of this machine. A configured model that is not
    of this machine ends a move."""
    async with ports.db.transaction(scope) as tx:
        known = await state.find(tx)
        if known and _changes(ports, known):
            known = await state.lock(tx, _WAIT_MS)
        if known is None or not _changes(ports, known):
            return known is not None and known.moving_to is not None
        chosen = ports.embedder.model
        moves = known.model != chosen and isinstance(ports.embedder, LocalModels)
        if moves:
            await state.set_target(tx, chosen)
            event, data = "vectors_moving", {"from": known.model, "model": chosen}
        else:
            await state.stay(tx)
            event, data = "vectors_stay", {"from": known.moving_to, "model": known.model}
        await record(tx, "tenant", scope.tenant_id, event, data)
    return moves


def _changes(ports: Ports, known: VectorModel) -> bool:
    models, chosen = ports.embedder, ports.embedder.model
    if chosen == (known.moving_to or known.model):
        return False
    if not isinstance(models, LocalModels):
        return known.moving_to is not None
    return known.model in models.local_models
