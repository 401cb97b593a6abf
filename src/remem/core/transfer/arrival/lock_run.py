"""Lock an import for one batch of its lines."""

from uuid import UUID

from remem.core.transaction import Tx
from remem.core.transfer import store as imports
from remem.core.transfer.arrival import store
from remem.core.transfer.model import ImportRun


async def lock_run(tx: Tx, id: UUID, stage: str, batch_number: int) -> ImportRun | None:
    """Lock the import; None if another attempt, which was presumed dead, is ahead."""
    await store.lock_tenant(tx)
    arrival = await imports.find(tx, id, lock=True)
    if arrival is None or arrival.stage != stage or arrival.done >= batch_number:
        return None
    return arrival
