"""When a worker is killed between two stages, the next one completes the document once."""

import signal
from dataclasses import replace
from uuid import UUID

import pytest

from remem.core.documents.ingest import ingest
from remem.core.documents.model import Draft
from remem.core.documents.process import process_document
from remem.core.documents.read import get_document
from remem.core.ports import Original, Ports
from remem.core.scope import Scope
from remem.core.search.model import Query
from remem.core.search.recall import recall
from remem.core.time import new_id
from tests.conftest import Server
from tests.tools.idle_queue import IdleQueue
from tests.tools.preloaded import run_code

# Kills itself with SIGKILL once the given number of transactions is committed.
WORKER = """
import asyncio, os, signal, sys
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import UUID
from remem.bootstrap import open_ports
from remem.core.db import Database
from remem.core.documents import process
from remem.core.scope import Scope
from remem.settings import Settings

tenant, user, document, last, data_dir = sys.argv[1:]
process.EMBED_BATCH = 2
committed = 0

async def main():
    async with open_ports(Settings(data_dir=Path(data_dir))) as ports:
        real = Database.transaction
        @asynccontextmanager
        async def counted(self, who, **options):
            global committed
            async with real(self, who, **options) as tx:
                yield tx
            committed += 1
            if committed == int(last):
                os.kill(os.getpid(), signal.SIGKILL)
        Database.transaction = counted
        scope = Scope(tenant_id=UUID(tenant), user_id=UUID(user))
        await process.process_document(ports, scope, UUID(document))

asyncio.run(main())
"""
MAX_COMMITS = 40


def html() -> str:
    """A unique page, long enough for several batches of chunks. Its words are common ones: invented
    words have three times as many tokens, which this test does not need."""
    unique = new_id().hex[-8:]
    words = "the old harbour behind the bridge was full of small boats that evening and"
    parts = [
        f"<h2>Part {number}</h2><p>{' '.join([f'{unique} {number}', *[words] * 9])}.</p>"
        for number in range(8)
    ]
    return f"<html><body><h1>{unique}</h1>{''.join(parts)}</body></html>"


async def save_page(ports: Ports, scope: Scope, tmp_path) -> UUID:
    path = tmp_path / "page.html"
    path.write_text(html())
    draft = Draft(original=Original(path, name="page.html"), in_background=True)
    # Queue no job: the server's worker would finish it before ours is killed.
    return (await ingest(replace(ports, queue=IdleQueue()), scope, draft)).document.id


def kill_worker_after(commits: int, scope: Scope, id: UUID, server: Server) -> bool:
    words = [str(scope.tenant_id), str(scope.user_id), str(id), str(commits)]
    process = run_code(WORKER, *words, str(server.data_dir), timeout=120)
    assert process.returncode in (0, -signal.SIGKILL)
    return process.returncode != 0


@pytest.mark.anyio
async def test_a_worker_killed_between_any_two_stages(
    ports: Ports, scope: Scope, server: Server, tmp_path
) -> None:
    for commits in range(1, MAX_COMMITS):
        id = await save_page(ports, scope, tmp_path)
        was_killed = kill_worker_after(commits, scope, id, server)
        await process_document(ports, scope, id)
        await check(ports, scope, id)
        if not was_killed:
            assert commits > 6, "the worker never got as far as its later stages"
            return
    raise AssertionError("the worker never finished")


async def check(ports: Ports, scope: Scope, id: UUID) -> None:
    details = await get_document(ports, scope, id)
    assert details.document.status == "done"
    assert [chunk.chunk_index for chunk in details.chunks] == list(range(len(details.chunks)))
    assert len(details.chunks) > 3
    ids = [chunk.id for chunk in details.chunks]
    async with ports.db.transaction(scope) as tx:
        vectors = await tx.fetchval(
            "SELECT count(*) FROM embeddings WHERE tenant_id = $1 AND owner_id = ANY($2)", ids
        )
        words = await tx.fetchval(
            "SELECT count(DISTINCT owner_id) FROM postings"
            " WHERE tenant_id = $1 AND owner_id = ANY($2)",
            ids,
        )
    assert vectors == words == len(ids)
    answer = await recall(ports, scope, Query(details.document.title))
    assert answer.results[0].document.document_id == id
