"""A real S3 server on loopback: `rclone serve s3` over a folder. It checks signatures, takes
uploads in parts, and has a bucket for each folder. Objects are files there: no key may be the
beginning of another's path."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.tools.local_program import LocalProgram, free_port

RAN_AGAINST = "rclone serve s3 1.75, over a folder"
BUCKET, KEY_ID, SECRET = "originals", "AKIAEXAMPLE", "a secret of rclone's"


@dataclass
class RcloneServer(LocalProgram):
    root: Path

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def settings(self) -> dict[str, str]:
        """Of a remem that keeps its originals here."""
        return {
            "NO_PROXY": "127.0.0.1",
            "REMEM_BLOBS": f"s3://{BUCKET}/kept",
            "REMEM_S3_ENDPOINT": self.url,
            "REMEM_S3_REGION": "us-east-1",
            "REMEM_S3_ACCESS_KEY_ID": KEY_ID,
            "REMEM_S3_SECRET_ACCESS_KEY": SECRET,
        }

    def files(self) -> list[Path]:
        return sorted(path for path in (self.root / BUCKET).rglob("*") if path.is_file())

    def launch(self) -> subprocess.Popen[bytes]:
        # Looked for in the folder each time, as the tests change it behind the server's back. With
        # a time of 0 it would look again and again by itself, and keep a processor busy.
        options = ("--dir-cache-time", "1ms", "--no-cleanup", "--config", os.devnull)
        return subprocess.Popen(
            [
                _program(),
                "serve",
                "s3",
                str(self.root),
                "--addr",
                f"127.0.0.1:{self.port}",
                *options,
            ],
            env={**os.environ, "RCLONE_AUTH_KEY": f'"{KEY_ID},{SECRET}"'},
            stderr=subprocess.DEVNULL,
        )


@contextmanager
def rclone_server(root: Path) -> Iterator[RcloneServer]:
    (root / BUCKET).mkdir(parents=True)
    server = RcloneServer(free_port(), root)
    server.start()
    try:
        yield server
    finally:
        server.stop()


def _program() -> str:
    beside = Path(sys.executable).with_name("rclone")
    found = str(beside) if beside.exists() else shutil.which("rclone")
    if found is None:
        pytest.fail("rclone is not installed; `make test` installs it.")
    return found
