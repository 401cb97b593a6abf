"""Release originals in the transaction that erases their document; a job deletes them."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from remem.core.blobs import blob_store
from remem.core.jobs.enqueue import enqueue
from remem.core.ports import Ports
from remem.core.scope import Bound, Scope
from remem.core.transaction import SystemTx, Tx

JOB = "sweep_blobs"


async def release(ports: Ports, tx: Tx, key: str | None) -> None:
    if key:
        await blob_store.release(tx, [key])
        await enqueue(ports, tx, JOB, tx.scope.tenant_id)


async def release_later(tx: Tx, key: str | None, moment: datetime) -> None:
    """Release an original at a moment in the future, unless the release is cancelled before."""
    if key:
        await blob_store.release(tx, [key], moment)


async def cancel_release(tx: Tx, keys: Sequence[str]) -> None:
    await blob_store.cancel_release(tx, keys)


async def sweep_if_due(ports: Ports, tx: Tx) -> None:
    """Queue the sweep if any original is released."""
    if await blob_store.is_any_released(tx):
        await enqueue(ports, tx, JOB, tx.scope.tenant_id)


async def release_project(ports: Ports, tx: Tx, project_id: UUID) -> None:
    if await blob_store.release_project(tx, project_id):
        await enqueue(ports, tx, JOB, tx.scope.tenant_id)


async def sweep_blobs(ports: Ports, scope: Scope, subject_id: UUID) -> None:
    """Delete the bytes of every released original, then its row."""
    async with ports.db.transaction(scope) as tx:
        keys = await blob_store.released(tx)
    for key in keys:
        await ports.blobs.delete(key)
        async with ports.db.transaction(scope) as tx:
            await blob_store.delete(tx, key)


async def erase_all(ports: Ports, tx: SystemTx, bound: Bound) -> None:
    """Delete every original of a tenant that is about to be deleted, while its rows still exist."""
    for key in await blob_store.keys(tx, bound):
        await ports.blobs.delete(key)
