"""One owner's slow files: others are read all the same, and nobody waits long for a reply."""

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


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_slow_files_of_one_owner_leave_a_process_for_another() -> None:
    turns, began = FairSemaphore(2), list[str]()
    release = asyncio.Event()

    async def read(owner: str) -> None:
        async with turns.slot(owner):
            began.append(owner)
            await release.wait()

    tasks = [asyncio.create_task(read("ann")) for _ in range(5)]
    await settle()
    assert began == ["ann"] * 2
    tasks += [asyncio.create_task(read(owner)) for owner in ("bob", "bob", "cid")]
    await settle()
    assert began == ["ann"] * 2 + ["bob"]
    release.set()
    await asyncio.gather(*tasks)
    assert began[3] == "cid", "who has none comes before those who have some"
    assert sorted(began) == ["ann"] * 5 + ["bob"] * 2 + ["cid"]
    assert not turns._running and not turns._waiting


async def test_a_turn_that_is_given_up_is_free_again() -> None:
    turns = FairSemaphore(1)
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(turns.slot("ann"))
        waiting = asyncio.create_task(stack.enter_async_context(turns.slot("ann")))
        await settle()
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        assert not turns._waiting
    async with turns.slot("ann"):
        pass


async def test_a_text_that_takes_too_long_is_kept_and_its_process_ended(
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
    whole = await get_document(ports, scope, saved.document.id)
    assert whole.document.content.split() == "The pilot boards at six.".split()
