"""The official client's first major version, which most assistants still carry."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Person, Server
from tests.surfaces.mcp.conftest import thin
from tests.tools.pinned import python_packages

HERE = Path(__file__).parent
STDIO = [sys.executable, "-m", "remem", "mcp"]


@pytest.mark.timeout(600)
@pytest.mark.parametrize("command", [[], STDIO], ids=["http", "stdio"])
def test_every_tool_with_the_first_sdk(server: Server, person: Person, command: list[str]) -> None:
    folder = python_packages(HERE / "pins" / "mcp1.txt")
    # Without site-packages, so that the newer SDK beside it cannot be meant.
    script = [sys.executable, "-S", str(HERE / "client_1x.py"), str(folder)]
    done = subprocess.run(
        [*script, f"{server.url}/mcp", person.key, *command],
        env={**os.environ, **thin(server, person)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3_000:]
    assert "every tool, at protocol 2025-11-25" in done.stdout
