"""One new store is made by `initdb` and the migrations, the others are copies of it.

A copy takes a tenth of the time. How the product makes a store is tested in
`tests/conformance/test_embedded_postgres.py`, where each new store is made from nothing."""

import asyncio
import os
import shutil
import subprocess
from pathlib import Path

from remem.adapters.database.embedded import cluster
from remem.adapters.database.embedded.cluster import Cluster
from remem.bootstrap import open_ports
from remem.logs import configure
from remem.settings import Settings


def use_one_store(folder: Path) -> None:
    """In this process and those that are forked from it; what is copied is kept in `folder`."""
    template = folder / "template"
    if not (pid := os.fork()):
        # What is read from us is not for people.
        os.dup2(2, 1)
        _make(folder / "first")
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == 0, "the first store could not be made"
    (folder / "first" / cluster.FOLDER).rename(template)
    shutil.rmtree(folder / "first")

    def copy_it(made: Cluster, unfinished: Path) -> None:
        """With its owner and its rights. Ctrl-C is not for it, as it is not for initdb."""
        command = ["cp", "-a", f"{template}/.", str(unfinished)]
        subprocess.run(command, check=True, start_new_session=True)

    cluster._initdb = copy_it


def _make(data_dir: Path) -> None:
    settings = Settings(data_dir=data_dir, log_level="error")
    configure(settings, quiet=True)
    asyncio.run(_open(settings))


async def _open(settings: Settings) -> None:
    async with open_ports(settings):
        """Nobody has an account in it yet."""
