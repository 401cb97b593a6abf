"""The database of a data folder, kept running between the commands that use it.

A command with no server starts it and stops it, which takes longer than most of them do."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.tools.preloaded import code_process

USER = """
import asyncio, sys
from pathlib import Path
from remem.adapters.database.embedded import EmbeddedPostgres

async def main():
    database = EmbeddedPostgres(Path(sys.argv[1]))
    await database.start()
    print("ready", flush=True)
    sys.stdin.read()
    await database.stop()

asyncio.run(main())
"""


@contextmanager
def running_database(data_dir: Path) -> Iterator[None]:
    process = code_process(
        USER,
        str(data_dir),
        env=dict(os.environ),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdout and process.stdout.readline() == "ready\n"
        yield
