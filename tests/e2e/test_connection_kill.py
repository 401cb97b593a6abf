"""Kill -9 during a sync by two workers, each a process of its own, on a real store."""

import os
import subprocess
from pathlib import Path
from uuid import UUID

import pytest
from bench import connection_kill

from remem.core.scope import Scope
from tests.tools.preloaded import ROOT, remem_process

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


@pytest.mark.anyio
async def test_what_is_killed_in_the_middle_of_a_sync_loses_nothing_and_repeats_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """`bench/connection_kill.py` does the same with 10,000 items, and measures memory."""
    monkeypatch.setattr(connection_kill, "spawn", spawn)
    found = await connection_kill.run(ITEMS, 2)
    assert found["lost"] == found["twice"] == found["foreign"] == 0, found
    assert found["outcome"] == "done", found
    assert found["counted"] == ITEMS and found["kills"] == 2
