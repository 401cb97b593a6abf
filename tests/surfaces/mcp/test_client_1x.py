"""The first major version of the official client, which most assistants still use."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Person, Server
from tests.surfaces.mcp.conftest import client_env
from tests.tools.pinned import python_packages
from tests.tools.preloaded import preloaded_command

HERE = Path(__file__).parent


@pytest.mark.timeout(600)
@pytest.mark.parametrize("transport", ["http", "stdio"])
def test_every_tool_with_the_first_sdk(server: Server, person: Person, transport: str) -> None:
    command = preloaded_command("mcp", "--tools", "all") if transport == "stdio" else []
    folder = python_packages(HERE / "pins" / "mcp1.txt")
    # Without site-packages, so that the newer SDK cannot be imported.
    script = [sys.executable, "-S", str(HERE / "client_1x.py"), str(folder)]
    completed = subprocess.run(
        [*script, f"{server.url}/mcp/all", person.key, *command],
        env={**os.environ, **client_env(server, person)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert completed.returncode == 0, completed.stderr[-3_000:]
    assert "every tool, at protocol 2025-11-25" in completed.stdout
