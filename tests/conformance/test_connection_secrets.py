"""Tokens are in nothing that a run writes: replies, logs, rows, exports, backups, files."""

import os
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.conftest import Server, start_server, stop_server
from tests.tools.github import REPOSITORY, TOKEN, FakeGitHub, running
from tests.tools.preloaded import remem_process
from tests.tools.waiting import until


@pytest.fixture
def fake() -> Iterator[FakeGitHub]:
    with running(FakeGitHub()) as served:
        yield served


def test_a_token_is_in_nothing_that_a_run_writes(
    data_dir: Path, fake: FakeGitHub, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    server = start_server(data_dir, REMEM_GITHUB_URL=fake.url, REMEM_LOG_LEVEL="debug")
    fake.write("README", "The kettle stands on the shelf.")
    replies: list[str] = []
    try:
        with _client(server, replies) as http:
            id = _connected(http)
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
    said = capfd.readouterr()
    assert "method=POST" in said.err + said.out
    assert not [text for text in (*replies, said.out, said.err) if TOKEN in text]
    written = [*_files(data_dir), *_files(tmp_path)]
    assert len(written) > 20
    assert not [str(path) for path in written if _has(path, TOKEN)]


def _client(server: Server, replies: list[str]) -> httpx2.Client:
    def keep(reply: httpx2.Response) -> None:
        reply.read()
        replies.append(f"{reply.headers} {reply.text}")

    headers = {"Authorization": f"Bearer {server.owner_key}"}
    hooks: dict[str, Any] = {"response": [keep]}
    return httpx2.Client(base_url=server.url, headers=headers, timeout=60, event_hooks=hooks)


def _connected(http: httpx2.Client) -> str:
    wrong = {"fields": {"token": f"{TOKEN}-wrong"}, "chosen": [REPOSITORY]}
    assert http.post("/v3/connectors/github/connect", json=wrong).status_code == 409
    body = {"fields": {"token": TOKEN}, "chosen": [REPOSITORY]}
    return http.post("/v3/connectors/github/connect", json=body).json()["id"]


def _backup(data_dir: Path, folder: Path) -> None:
    """Unpacked, so that it can be searched."""
    env = {**os.environ, "REMEM_DATA_DIR": str(data_dir)}
    file = folder / "backup.tar.gz"
    assert remem_process("backup", str(file), env=env).wait(120) == 0
    with tarfile.open(file) as archive:
        archive.extractall(folder / "backup")


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]


def _has(path: Path, secret: str) -> bool:
    """As it is or in hexadecimal; the files of the database too."""
    try:
        data = path.read_bytes()
    except OSError:
        return False
    return secret.encode() in data or secret.encode().hex().encode() in data
