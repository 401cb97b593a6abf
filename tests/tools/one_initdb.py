"""The first new store is made by `initdb`, the others are copies of what it made.

A copy takes a tenth of the time. What `initdb` does in the product is tested in
`tests/conformance/test_embedded_postgres.py`, where it runs for each new store."""

import os
import shutil
import subprocess
from pathlib import Path

from remem.adapters.database.embedded import cluster
from remem.adapters.database.embedded.cluster import Cluster


def use_one_initdb(folder: Path) -> None:
    """In this process and those that are forked from it; what is copied is kept in `folder`."""
    template, initdb = folder / "template", cluster._initdb

    def make(made: Cluster, unfinished: Path) -> None:
        if template.exists():
            _copy(template, unfinished)
            return
        initdb(made, unfinished)
        fresh = folder / f"template-{os.getpid()}"
        _copy(unfinished, fresh)
        try:
            fresh.rename(template)
        except OSError:
            # Another process was first.
            shutil.rmtree(fresh)

    cluster._initdb = make


def _copy(source: Path, target: Path) -> None:
    """With its owner and its rights."""
    target.mkdir(exist_ok=True)
    subprocess.run(["cp", "-a", f"{source}/.", str(target)], check=True)
