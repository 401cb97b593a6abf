"""Give originals up in the transaction that erases what they were kept for; a job ends them."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from remem.core.blobs import store
from remem.core.db import Tx
from remem.core.jobs.enqueue import enqueue
from remem.core.ports import Ports
from remem.core.scope import Bound, Scope

JOB = "sweep_blobs"


async def release(ports: Ports, tx: Tx, scope: Scope, key: str | None) -> None:
    if key:
        await store.release(tx, scope, [key])
        await enqueue(ports, tx, scope, JOB, scope.tenant_id)


async def release_later(tx: Tx, scope: Scope, key: str | None, moment: datetime) -> None:
    """`sweep_due` ends it some time after the moment, unless it is kept again before."""
    if key:
        await store.release(tx, scope, [key], moment)


async def keep_again(tx: Tx, scope: Scope, keys: Sequence[str]) -> None:
    await store.keep_again(tx, scope, keys)


async def sweep_due(ports: Ports, tx: Tx, scope: Scope) -> None:
    """Queue the job when there is anything for it to do."""
    if await store.is_any_released(tx, scope):
        await enqueue(ports, tx, scope, JOB, scope.tenant_id)


async def release_project(ports: Ports, tx: Tx, scope: Scope, project_id: UUID) -> None:
    if await store.release_project(tx, scope, project_id):
        await enqueue(ports, tx, scope, JOB, scope.tenant_id)


async def sweep_blobs(ports: Ports, scope: Scope, subject_id: UUID) -> None:
    """Remove the bytes of every released original, then its row."""
    async with ports.db.transaction(scope) as tx:
        keys = await store.released(tx, scope)
    for key in keys:
        await ports.blobs.delete(key)
        async with ports.db.transaction(scope) as tx:
            await store.delete(tx, scope, key)


async def erase_all(ports: Ports, tx: Tx, bound: Bound) -> None:
    """Remove every original of a tenant that is about to go, while its rows still name them."""
    for key in await store.keys(tx, bound):
        await ports.blobs.delete(key)
