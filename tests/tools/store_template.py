"""Create one store with `initdb` and the migrations, and copy it for all others.

A copy takes a tenth of the time. `tests/conformance/test_embedded_postgres.py` tests how the
product creates a store; there each new store is created from scratch."""

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


def use_store_template(folder: Path) -> None:
    """Replace `initdb` in this process and in those forked from it. `folder` keeps the template."""
    template = folder / "template"
    if not (pid := os.fork()):
        # Another process reads our standard output: nothing else may be printed there.
        os.dup2(2, 1)
        _create(folder / "first")
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == 0, "the first store could not be made"
    (folder / "first" / cluster.FOLDER).rename(template)
    shutil.rmtree(folder / "first")

    def copy_template(new_cluster: Cluster, unfinished: Path) -> None:
        """Keep owner and permissions. As with initdb, Ctrl-C does not reach the command."""
        command = ["cp", "-a", f"{template}/.", str(unfinished)]
        subprocess.run(command, check=True, start_new_session=True)

    cluster._initdb = copy_template


def _create(data_dir: Path) -> None:
    settings = Settings(data_dir=data_dir, log_level="error")
    configure(settings, quiet=True)
    asyncio.run(_open(settings))


async def _open(settings: Settings) -> None:
    async with open_ports(settings):
        """Opening it is enough; it has no accounts yet."""
