"""A document whose processing kills every worker fails with an error; other documents are done."""

import signal
from pathlib import Path

import pytest

from remem.bootstrap import open_ports
from remem.core.documents.ingest import ingest
from remem.core.documents.model import Draft
from remem.core.documents.progress import get_progress
from remem.core.documents.read import get_document
from remem.core.ports import Ports
from remem.core.queued import MAX_LOSSES
from remem.core.scope import Scope
from remem.settings import Settings
from tests.conftest import new_scope
from tests.tools.preloaded import run_code
from tests.tools.running_database import running_database

# A normal worker, except that its embedder kills the process over one of the texts. It ends when
# nothing is left to do.
WORKER = """
import asyncio, os, signal, sys
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from remem.adapters.queue.pgqueuer import PgQueuerQueue
from remem.bootstrap import open_ports
from remem.settings import Settings
from remem.surfaces.worker.run import work

class Deadly:
    def __init__(self, real):
        self.real, self.model, self.dimensions = real, real.model, real.dimensions

    async def embed(self, texts):
        if any("too heavy" in text for text in texts):
            os.kill(os.getpid(), signal.SIGKILL)
        return await self.real.embed(texts)

async def drain_when_idle(ports):
    while await ports.db.pool.fetchval("SELECT count(*) FROM pgqueuer WHERE status <> 'failed'"):
        await asyncio.sleep(0.05)
    ports.queue.drain()

async def main(data_dir):
    async with open_ports(Settings(data_dir=Path(data_dir))) as ports:
        queue = PgQueuerQueue(ports.db, heartbeat=timedelta(seconds=0.5))
        ports = replace(ports, embedder=Deadly(ports.embedder), queue=queue)
        await asyncio.gather(work(ports, 4), drain_when_idle(ports))

asyncio.run(main(sys.argv[1]))
"""


@pytest.mark.anyio
async def test_a_document_that_kills_every_worker_ends_failed(data_dir: Path) -> None:
    with running_database(data_dir):
        await check_failed_document(data_dir)


async def check_failed_document(data_dir: Path) -> None:
    async with open_ports(Settings(data_dir=data_dir)) as ports:
        scope = await new_scope(ports)
        heavy = await save(ports, scope, "This stone is too heavy for anybody.")
        light = await save(ports, scope, "This feather is light.")
        statuses = [run_worker(data_dir) for _ in range(MAX_LOSSES)]
        assert statuses == [-signal.SIGKILL] * MAX_LOSSES
        assert run_worker(data_dir) == 0, "the next one lives"
        document = (await get_document(ports, scope, heavy.document.id)).document
        assert document.status == "failed"
        assert document.error and f"ended the process {MAX_LOSSES} times" in document.error
        assert heavy.job_id
        progress = await get_progress(ports, scope, heavy.job_id)
        assert (progress.job.status, progress.job.attempts) == ("failed", MAX_LOSSES + 1)
        assert (await get_document(ports, scope, light.document.id)).document.status == "done"


async def save(ports: Ports, scope: Scope, text: str):
    return await ingest(ports, scope, Draft(content=text, in_background=True, content_type="text"))


def run_worker(data_dir: Path) -> int:
    return run_code(WORKER, str(data_dir), timeout=60).returncode
