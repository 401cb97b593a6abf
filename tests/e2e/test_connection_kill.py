"""Kill -9 during a sync by two worker processes, on a real store."""

import os
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import UUID

import pytest
from bench import connection_kill

from remem.bootstrap import open_ports
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.settings import Settings
from tests.tools.preloaded import ROOT, remem_process
from tests.tools.running_database import running_database

ITEMS = 120


def spawn(folder: Path, scope: Scope, id: UUID) -> "list[subprocess.Popen[str]]":
    """Start the workers as the benchmark does, but forked: importing remem six times is slow."""
    arguments = (str(folder), str(scope.tenant_id), str(scope.user_id), str(id))
    words = ("--worker", *arguments)
    module = connection_kill.__name__
    return [
        remem_process(*words, module=module, env=dict(os.environ), cwd=ROOT)
        for _ in range(connection_kill.WORKERS)
    ]


@asynccontextmanager
async def open_copy(settings: Settings) -> AsyncIterator[Ports]:
    """Open the ports on a copied store: creating one takes as long as the rest of the test."""
    with running_database(settings.data_dir):
        async with open_ports(settings) as ports:
            yield ports


@pytest.mark.anyio
async def test_workers_killed_during_a_sync_lose_nothing_and_repeat_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """`bench/connection_kill.py` does the same with 10,000 items, and measures memory."""
    monkeypatch.setattr(connection_kill, "spawn", spawn)
    monkeypatch.setattr(connection_kill, "open_ports", open_copy)
    result = await connection_kill.run(ITEMS, 2)
    assert result["lost"] == result["twice"] == result["foreign"] == 0, result
    assert result["outcome"] == "done", result
    assert result["counted"] == ITEMS and result["kills"] == 2
