"""Tokens never appear in replies, logs, rows, exports, backups or files."""

import os
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.conftest import Server, start_server, stop_server
from tests.tools.external import EMBEDDED
from tests.tools.github import REPOSITORY, TOKEN, FakeGitHub, running
from tests.tools.preloaded import remem_process
from tests.tools.waiting import until


@pytest.fixture
def fake() -> Iterator[FakeGitHub]:
    with running(FakeGitHub()) as running_fake:
        yield running_fake


def test_a_token_is_never_written(
    data_dir: Path, fake: FakeGitHub, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    # The files of PostgreSQL are searched too.
    server = start_server(data_dir, REMEM_GITHUB_URL=fake.url, REMEM_LOG_LEVEL="debug", **EMBEDDED)
    fake.write("README", "The kettle stands on the shelf.")
    replies: list[str] = []
    try:
        with _client(server, replies) as http:
            id = _connect(http)
            until(lambda: http.get(f"/v3/connections/{id}").json()["items"] == 1)
            fake.token = None
            http.post(f"/v3/connections/{id}/sync")
            until(lambda: http.get(f"/v3/connections/{id}").json()["status"] == "needs_auth")
            http.post(f"/v3/connections/{id}/check")
            http.get("/v3/connections")
            http.get("/api/events")
            export = http.get("/v3/export").text
        assert '"kind":"connection"' in export.replace(" ", "") and "octo" in export
        _backup(data_dir, tmp_path)
    finally:
        stop_server(server)
    output = capfd.readouterr()
    assert "method=POST" in output.err + output.out
    assert not [text for text in (*replies, output.out, output.err) if TOKEN in text]
    files = [*_files(data_dir), *_files(tmp_path)]
    assert len(files) > 20
    assert not [str(path) for path in files if _has(path, TOKEN)]


def _client(server: Server, replies: list[str]) -> httpx2.Client:
    def record(reply: httpx2.Response) -> None:
        reply.read()
        replies.append(f"{reply.headers} {reply.text}")

    headers = {"Authorization": f"Bearer {server.owner_key}"}
    hooks: dict[str, Any] = {"response": [record]}
    return httpx2.Client(base_url=server.url, headers=headers, timeout=60, event_hooks=hooks)


def _connect(http: httpx2.Client) -> str:
    wrong = {"fields": {"token": f"{TOKEN}-wrong"}, "chosen": [REPOSITORY]}
    assert http.post("/v3/connectors/github/connect", json=wrong).status_code == 409
    body = {"fields": {"token": TOKEN}, "chosen": [REPOSITORY]}
    return http.post("/v3/connectors/github/connect", json=body).json()["id"]


def _backup(data_dir: Path, folder: Path) -> None:
    """Make a backup and unpack it, so that it can be searched."""
    env = {**os.environ, "REMEM_DATA_DIR": str(data_dir), **EMBEDDED}
    file = folder / "backup.tar.gz"
    assert remem_process("backup", str(file), env=env).wait(120) == 0
    with tarfile.open(file) as archive:
        archive.extractall(folder / "backup")


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]


def _has(path: Path, secret: str) -> bool:
    """Whether a file contains the secret, as text or in hexadecimal as in database files."""
    try:
        data = path.read_bytes()
    except OSError:
        return False
    return secret.encode() in data or secret.encode().hex().encode() in data
