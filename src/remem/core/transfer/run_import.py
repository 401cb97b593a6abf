"""Import a store: accept the file, then check, load and join it in a job that can be resumed."""

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from uuid import UUID

from remem.core.blobs.save import describe, insert_blob, save_blob
from remem.core.blobs.sweep import release
from remem.core.events.record import record
from remem.core.jobs.enqueue import enqueue
from remem.core.jobs.run import Failure
from remem.core.ports import Original, Ports
from remem.core.scope import Scope
from remem.core.time import new_id
from remem.core.transfer import transfer_store
from remem.core.transfer.arrival.check import check_file
from remem.core.transfer.arrival.join import join_file
from remem.core.transfer.arrival.load import load_file
from remem.core.transfer.elsewhere.load import check_items, load_items
from remem.core.transfer.elsewhere.recognise import recognise
from remem.core.transfer.lines import count_lines
from remem.core.transfer.model import ImportRun, ImportSource

JOB = "import_store"


@dataclass(frozen=True, slots=True)
class StartedImport:
    id: UUID
    job_id: UUID
    lines: int


async def begin_import(
    ports: Ports, scope: Scope, path: Path, source: ImportSource | None = None
) -> StartedImport:
    """Store the file and queue the job that imports it. A truncated file, or one of an unknown
    format, is refused at once."""
    source = source or ImportSource()
    source = replace(source, origin=await asyncio.to_thread(recognise, ports, path, source.origin))
    # Files of other products contain no count; the job counts their items.
    lines = 0 if source.origin else await asyncio.to_thread(count_lines, path)
    id = new_id()
    blob = await describe(f"{scope.tenant_id}/import-{id}", Original(path))
    await save_blob(ports, scope, blob, path)
    async with ports.db.transaction(scope) as tx:
        await insert_blob(tx, blob)
        await transfer_store.insert(tx, id, blob.key, lines, source)
        job_id = await enqueue(ports, tx, JOB, id, large=True)
    return StartedImport(id, job_id, lines)


async def import_store(ports: Ports, scope: Scope, id: UUID) -> None:
    """Continue an import from its current stage to `done`."""
    arrival = await _find(ports, scope, id)
    if arrival is None or arrival.is_over:
        return
    # The audit trail names the user who started the import.
    scope = replace(scope, actor=arrival.source.actor or scope.actor)
    async with _downloaded(ports, arrival) as path:
        work = _import_foreign if arrival.source.origin else _import_own
        await work(ports, scope, arrival, path)
    await _end(ports, scope, id, "done", None)


async def _import_own(ports: Ports, scope: Scope, arrival: ImportRun, path: Path) -> None:
    if arrival.stage in ("queued", "checking"):
        await check_file(ports, scope, arrival, path)
        arrival = await _begin_stage(ports, scope, arrival.id, "loading")
    if arrival.stage == "loading":
        await load_file(ports, scope, arrival, path)
        arrival = await _begin_stage(ports, scope, arrival.id, "joining")
    await join_file(ports, scope, arrival, path)


async def _import_foreign(ports: Ports, scope: Scope, arrival: ImportRun, path: Path) -> None:
    if arrival.stage in ("queued", "checking"):
        await check_items(ports, scope, arrival, path)
        arrival = await _begin_stage(ports, scope, arrival.id, "loading")
    await load_items(ports, scope, arrival, path)


async def show_import_failure(ports: Ports, scope: Scope, id: UUID, failure: Failure) -> None:
    """Record a final failure. What was loaded stays, and importing the same file again continues
    from there. A failure that is not final is shown by the job."""
    if failure.is_final:
        await _end(ports, scope, id, "failed", failure.reason)


async def _find(ports: Ports, scope: Scope, id: UUID) -> ImportRun | None:
    async with ports.db.transaction(scope) as tx:
        return await transfer_store.find(tx, id)


async def _begin_stage(ports: Ports, scope: Scope, id: UUID, stage: str) -> ImportRun:
    async with ports.db.transaction(scope) as tx:
        await transfer_store.change(tx, id, stage=stage, place=0, done=0)
        arrival = await transfer_store.find(tx, id)
    assert arrival is not None, "an import is never deleted while its tenant exists"
    return arrival


async def _end(ports: Ports, scope: Scope, id: UUID, stage: str, error: str | None) -> None:
    async with ports.db.transaction(scope) as tx:
        arrival = await transfer_store.find(tx, id, lock=True)
        if arrival is None or arrival.is_over:
            return
        await transfer_store.change(tx, id, stage=stage, error=error, blob_key=None)
        await release(ports, tx, arrival.blob_key)
        if stage == "done":
            await transfer_store.change(tx, id, done=arrival.total)
            await record(tx, "import", id, "import", {"counts": arrival.counts})


@asynccontextmanager
async def _downloaded(ports: Ports, arrival: ImportRun) -> AsyncIterator[Path]:
    with tempfile.TemporaryDirectory(prefix="remem-") as folder:
        path = Path(folder) / "lines"
        with path.open("wb") as file:
            async for part in await ports.blobs.open(str(arrival.blob_key)):
                await asyncio.to_thread(file.write, part)
        yield path
