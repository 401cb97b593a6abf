"""A server in its own process, for measuring."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Served:
    url: str
    key: str
    pid: int


@contextmanager
def served(data_dir: Path, settings: Mapping[str, str] = MappingProxyType({})) -> Iterator[Served]:
    """Run a server without rate limits on a free port; `key` is the owner's key."""
    server = subprocess.Popen(
        [sys.executable, "-m", "remem", "serve", "--port", "0"],
        env={
            **os.environ,
            "REMEM_DATA_DIR": str(data_dir),
            "REMEM_RATE_LIMIT": "100000000",
            "REMEM_LOG_LEVEL": "warning",
            **settings,
        },
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        url = address_of(server)
        yield Served(url, (data_dir / "owner.key").read_text().strip(), server.pid)
    finally:
        server.terminate()
        server.wait()


def address_of(server: subprocess.Popen[str]) -> str:
    assert server.stdout is not None
    for line in server.stdout:
        if found := re.search(r"ready at (http://\S+)", line):
            return found.group(1)
    raise SystemExit("The server did not start.")
