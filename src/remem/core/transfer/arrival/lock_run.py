"""Lock an import for one batch of its lines."""

from uuid import UUID

from remem.core.transaction import Tx
from remem.core.transfer import transfer_store
from remem.core.transfer.arrival import arrival_store
from remem.core.transfer.model import ImportRun


async def lock_run(tx: Tx, id: UUID, stage: str, batch_number: int) -> ImportRun | None:
    """Lock the import; None if another attempt, which was presumed dead, is ahead."""
    await arrival_store.lock_tenant(tx)
    arrival = await transfer_store.find(tx, id, lock=True)
    if arrival is None or arrival.stage != stage or arrival.done >= batch_number:
        return None
    return arrival
