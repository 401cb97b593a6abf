"""Slow files of one owner do not delay the files of others, or replies."""

import asyncio
import os
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import pytest

import remem.adapters.extractors.sandbox as sandbox
from remem.adapters.extractors.fair_semaphore import FairSemaphore
from remem.adapters.extractors.sandbox import SandboxedExtractor
from remem.core.documents.ingest import ingest
from remem.core.documents.model import Draft
from remem.core.documents.read import get_document
from remem.core.ports import Ports
from remem.core.scope import Scope

pytestmark = pytest.mark.anyio


async def run_pending_tasks() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_slow_files_of_one_owner_leave_a_process_for_another() -> None:
    semaphore, started = FairSemaphore(2), list[str]()
    release = asyncio.Event()

    async def read(owner: str) -> None:
        async with semaphore.slot(owner):
            started.append(owner)
            await release.wait()

    tasks = [asyncio.create_task(read("ann")) for _ in range(5)]
    await run_pending_tasks()
    assert started == ["ann"] * 2
    tasks += [asyncio.create_task(read(owner)) for owner in ("bob", "bob", "cid")]
    await run_pending_tasks()
    assert started == ["ann"] * 2 + ["bob"]
    release.set()
    await asyncio.gather(*tasks)
    assert started[3] == "cid", "an owner without a running file goes first"
    assert sorted(started) == ["ann"] * 5 + ["bob"] * 2 + ["cid"]
    assert not semaphore._running and not semaphore._waiting


async def test_a_cancelled_wait_frees_its_slot() -> None:
    semaphore = FairSemaphore(1)
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(semaphore.slot("ann"))
        waiting = asyncio.create_task(stack.enter_async_context(semaphore.slot("ann")))
        await run_pending_tasks()
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        assert not semaphore._waiting
    async with semaphore.slot("ann"):
        pass


async def test_a_text_that_takes_too_long_is_saved_and_its_process_ended(
    ports: Ports, scope: Scope, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "QUICK_S", 1.0)
    (tmp_path / "trafilatura.py").write_text("while True: pass")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    box = SandboxedExtractor()
    draft = Draft(content="<p>The <b>pilot</b> boards at six.</p>", content_type="html")
    try:
        saved = await ingest(replace(ports, extractor=box), scope, draft)
        assert not box._busy and not box._idle
    finally:
        await box.close()
    assert saved.document.status == "done"
    assert saved.document.metadata["cut"].startswith("Reading it took too long")
    full = await get_document(ports, scope, saved.document.id)
    assert full.document.content.split() == "The pilot boards at six.".split()
