"""A real S3 server on loopback: `rclone serve s3` over a folder. It checks signatures, accepts
multipart uploads, and has a bucket for each folder. Objects are files, so no key may be a parent
path of another key."""

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
        """The settings of a remem that stores its originals here."""
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
        # Read the folder for each request, because the tests change it without the server. A time
        # of 0 would make rclone poll continuously and keep a CPU busy.
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
    installed = Path(sys.executable).with_name("rclone")
    program = str(installed) if installed.exists() else shutil.which("rclone")
    if program is None:
        pytest.fail("rclone is not installed; `make test` installs it.")
    return program
