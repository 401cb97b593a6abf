"""Decide which model of this machine a tenant's vectors move to: the configured one."""

from remem.core.db import Tx
from remem.core.events.record import record
from remem.core.ports import LocalModels, Ports
from remem.core.scope import Scope
from remem.core.vector_models import state

# The job keeps this lock only for the moment of the switch.
_WAIT_MS = 10_000


async def choose_model(ports: Ports, tx: Tx, scope: Scope) -> None:
    """Nothing changes for a tenant without vectors, and for one whose vectors belong to a model
    that is not of this machine. A configured model that is not of this machine ends a move."""
    models, chosen = ports.embedder, ports.embedder.model
    known = await state.lock(tx, scope, _WAIT_MS)
    if known is None or chosen == (known.moving_to or known.model):
        return
    is_local = isinstance(models, LocalModels)
    if known.moving_to and (known.model == chosen or not is_local):
        await state.stay(tx, scope)
    elif isinstance(models, LocalModels) and known.model in models.local_models:
        await state.set_target(tx, scope, chosen)
    else:
        return
    data = {"from": known.model, "model": chosen}
    await record(tx, scope, "tenant", scope.tenant_id, "vectors_moving", data)
