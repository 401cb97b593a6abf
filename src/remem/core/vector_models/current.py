"""Which embedder a tenant's vectors are searched and saved with now.

The models of this machine are interchangeable: a tenant keeps the one its vectors belong to until
all of them were re-embedded. Any other embedder is used as it is configured."""

from remem.core.ports import Embedder, LocalModels, Ports
from remem.core.scope import Scope
from remem.core.transaction import Tx
from remem.core.vector_models import vector_model_store
from remem.core.vector_models.model import VectorModel


async def current_embedder(ports: Ports, tx: Tx) -> Embedder:
    return embedder_of(ports, await current_vector_model(ports, tx))


async def embedder_for(ports: Ports, scope: Scope) -> Embedder:
    """The same, for callers that have no transaction open."""
    if not isinstance(ports.embedder, LocalModels):
        return ports.embedder
    async with ports.db.transaction(scope) as tx:
        return await current_embedder(ports, tx)


async def current_names(ports: Ports, tx: Tx) -> list[str]:
    """A text embedded with any of these models has a vector of the current one."""
    known = await current_vector_model(ports, tx)
    return known.names if known else [ports.embedder.model]


async def keep_model(ports: Ports, tx: Tx, model: str) -> bool:
    """Whether vectors of this model may be stored: it is the current one, and stays so until the
    transaction ends."""
    if not isinstance(ports.embedder, LocalModels):
        return model == ports.embedder.model
    known = await vector_model_store.share(tx)
    if known is None:
        await vector_model_store.insert(tx, model)
        known = await vector_model_store.share(tx)
    return embedder_of(ports, known).model == model


def embedder_of(ports: Ports, known: VectorModel | None) -> Embedder:
    """The embedder of this machine for these vectors; the configured one if there is none."""
    if known is None or known.model == ports.embedder.model:
        return ports.embedder
    models = ports.embedder
    if not isinstance(models, LocalModels) or known.model not in models.local_models:
        return ports.embedder
    return models.open_model(known.model) or models.stand_in(known.model)


async def current_vector_model(ports: Ports, tx: Tx) -> VectorModel | None:
    """None for a tenant without vectors, and for an embedder that is not of this machine."""
    return await vector_model_store.find(tx) if isinstance(ports.embedder, LocalModels) else None
