"""Kill -9 during a sync by two workers, each a process of its own, on a real store."""

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
    """As the bench does it, but forked: six times to import all of remem takes longer."""
    own = (str(folder), str(scope.tenant_id), str(scope.user_id), str(id))
    words = ("--worker", *own)
    module = connection_kill.__name__
    return [
        remem_process(*words, module=module, env=dict(os.environ), cwd=ROOT)
        for _ in range(connection_kill.WORKERS)
    ]


@asynccontextmanager
async def open_copy(settings: Settings) -> AsyncIterator[Ports]:
    """In a store that is copied: to make one from nothing takes as long as the rest."""
    with running_database(settings.data_dir):
        async with open_ports(settings) as ports:
            yield ports


@pytest.mark.anyio
async def test_what_is_killed_in_the_middle_of_a_sync_loses_nothing_and_repeats_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """`bench/connection_kill.py` does the same with 10,000 items, and measures memory."""
    monkeypatch.setattr(connection_kill, "spawn", spawn)
    monkeypatch.setattr(connection_kill, "open_ports", open_copy)
    found = await connection_kill.run(ITEMS, 2)
    assert found["lost"] == found["twice"] == found["foreign"] == 0, found
    assert found["outcome"] == "done", found
    assert found["counted"] == ITEMS and found["kills"] == 2
