"""Keep the database of a data folder running between the commands that use it.

Without a server, each command starts and stops the database, which takes longer than most commands
themselves."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.tools.external import external_server
from tests.tools.preloaded import code_process

KEEP_RUNNING = """
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
    if external_server():
        yield
        return
    process = code_process(
        KEEP_RUNNING,
        str(data_dir),
        env=dict(os.environ),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdout and process.stdout.readline() == "ready\n"
        yield
