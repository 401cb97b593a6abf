"""A real S3 server on loopback: `rclone serve s3` over a folder. It checks signatures, takes
uploads in parts, and has a bucket for each folder. Objects are files there: no key may be the
beginning of another's path."""

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.tools.waiting import until

RAN_AGAINST = "rclone serve s3 1.75, over a folder"
BUCKET, KEY_ID, SECRET = "originals", "AKIAEXAMPLE", "a secret of rclone's"


@dataclass
class RcloneServer:
    root: Path
    port: int
    process: subprocess.Popen[bytes] | None = field(default=None)

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

    def start(self) -> None:
        # Looked for in the folder each time, as the tests change it behind the server's back. With
        # a time of 0 it would look again and again by itself, and keep a processor busy.
        options = ("--dir-cache-time", "1ms", "--no-cleanup", "--config", os.devnull)
        self.process = subprocess.Popen(
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
        until(self._answers)

    def stop(self) -> None:
        if self.process:
            self.process.kill()
            self.process.wait(timeout=60)
            self.process = None

    def _answers(self) -> bool:
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", self.port)) == 0


@contextmanager
def rclone_server(root: Path) -> Iterator[RcloneServer]:
    (root / BUCKET).mkdir(parents=True)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = RcloneServer(root, port)
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
