"""The wheel is the same each time it is built, and has all that is not a package."""

import hashlib
import json
import os
import socket
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from tools.build_dist import ROOT, build

from tests.tools.waiting import until

PIP = (sys.executable, "-m", "pip", "--isolated", "install", "-qq", "--no-deps")
REMEM = "import sys; from remem.__main__ import main; sys.argv[0] = 'remem'; main()"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return build(ROOT, tmp_path_factory.mktemp("dist"))


def test_two_builds_are_equal(built: list[Path], tmp_path: Path) -> None:
    again = build(ROOT, tmp_path / "dist")
    assert [(file.name, digest(file)) for file in again] == [
        (file.name, digest(file)) for file in built
    ]


def digest(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def test_everything_is_inside(built: list[Path]) -> None:
    with zipfile.ZipFile(built[0]) as wheel:
        names = {name.removeprefix("remem/") for name in wheel.namelist()}
        [metadata] = [name for name in wheel.namelist() if name.endswith("/METADATA")]
        about = wheel.read(metadata).decode()
    assert {"web/dist/index.html", "web/extension/files.json", "migrations/schema.sql"} <= names
    assert not [name for name in names if "__pycache__" in name or name.endswith(".part")]
    assert "Classifier: Programming Language :: Python :: 3.14" in about
    # Older versions of pip do not see the extra of lxml that a package of ours requires.
    assert "Requires-Dist: lxml-html-clean" in about
    assert "Description-Content-Type: text/markdown" in about


@pytest.fixture
def installed(built: list[Path], tmp_path: Path) -> Path:
    """The folder that pip installed it into, from an index of these files."""
    page = tmp_path / "simple" / "remem" / "index.html"
    page.parent.mkdir(parents=True)
    page.write_text(
        "".join(
            f'<a href="{file.as_uri()}#sha256={digest(file)}">{file.name}</a>\n' for file in built
        )
    )
    target = tmp_path / "installed"
    environment = {name: value for name, value in os.environ.items() if name[:4] != "PIP_"}
    subprocess.run(
        [*PIP, "--index-url", page.parent.parent.as_uri(), "--target", str(target), "remem"],
        env=environment,
        check=True,
    )
    return target


@pytest.fixture
def url(installed: Path, data_dir: Path, tmp_path: Path) -> Iterator[str]:
    """A server of the installed package, started from another folder."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    environment = {
        **os.environ,
        "PYTHONPATH": str(installed),
        "REMEM_DATA_DIR": str(data_dir),
        "REMEM_PORT": str(port),
    }
    process = subprocess.Popen(
        [sys.executable, "-c", REMEM, "serve"], cwd=tmp_path, env=environment
    )
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(60)


def test_what_was_installed_from_an_index_serves_the_app(
    url: str, installed: Path, data_dir: Path
) -> None:
    with httpx2.Client(base_url=url, timeout=60) as http:
        until(lambda: answers(http))
        assert '<div id="root">' in http.get("/").text
        http.headers["Authorization"] = f"Bearer {(data_dir / 'owner.key').read_text().strip()}"
        http.post("/v3/memory", json={"content": "The ferry leaves at seven."})
        found = http.post("/v3/recall", json={"query": "when does the boat go?"}).json()
        assert "seven" in str(found)
    description = json.loads((installed / "remem/web/extension/files.json").read_text())
    assert all(browser in str(description) for browser in ("chrome", "firefox", "safari"))


def answers(http: httpx2.Client) -> bool:
    try:
        return http.get("/health").status_code == 200
    except httpx2.TransportError:
        return False
