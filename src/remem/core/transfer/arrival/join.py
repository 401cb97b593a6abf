"""After all rows are loaded: set their references to each other, and queue the remaining work."""

import asyncio
from pathlib import Path
from uuid import UUID

from remem.core.documents.imported.index_imported import settle as settle_documents
from remem.core.graph.names.undo import obey_names
from remem.core.memories.index_imported import settle as settle_memories
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.transaction import Tx
from remem.core.transfer import transfer_store
from remem.core.transfer.arrival import arrival_store
from remem.core.transfer.arrival.lock_run import lock_run
from remem.core.transfer.arrival.shape import shape_rows
from remem.core.transfer.kinds import BY_NAME, DOCUMENT, MEMORY, VECTOR
from remem.core.transfer.lines import Batch, LineReader
from remem.core.transfer.model import ImportRun


async def join_file(ports: Ports, scope: Scope, arrival: ImportRun, path: Path) -> None:
    reader = await asyncio.to_thread(LineReader, path, None, arrival.place, arrival.done)
    try:
        while batch := await asyncio.to_thread(reader.next):
            await _join_batch(ports, scope, arrival.id, batch)
    finally:
        reader.close()
    async with ports.db.transaction(scope) as tx:
        await arrival_store.drop_unmentioned(tx)
        await obey_names(tx)


async def _join_batch(ports: Ports, scope: Scope, id: UUID, batch: Batch) -> None:
    async with ports.db.transaction(scope) as tx:
        arrival = await lock_run(tx, id, "joining", batch.number)
        if arrival is None:
            return
        await _join(ports, tx, arrival, batch)
        await transfer_store.change(tx, id, place=batch.place, done=batch.number)


async def _join(ports: Ports, tx: Tx, arrival: ImportRun, batch: Batch) -> None:
    if batch.kind == VECTOR:
        return
    kind = BY_NAME[batch.kind]
    if kind.self_reference:
        for lines in shape_rows(tx.scope, batch.lines, arrival.projects):
            await arrival_store.join_own(tx, lines)
    ids = [UUID(line.id) for line in batch.lines]
    if kind is DOCUMENT:
        await settle_documents(ports, tx, ids)
    elif kind is MEMORY:
        await settle_memories(ports, tx, ids)
