"""`remem login` at a server of ours, with a person at a real browser in between."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.conftest import Server
from tests.tools.chromium import open_page


def remem(folder: Path, *words: str) -> "subprocess.Popen[str]":
    env = {**os.environ, "HOME": str(folder), "REMEM_CONFIG_DIR": str(folder)}
    return subprocess.Popen(
        [sys.executable, "-m", "remem", *words],
        env={**env, "REMEM_DATA_DIR": str(folder / "none")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def said(folder: Path, *words: str) -> str:
    process = remem(folder, *words)
    text, _ = process.communicate(timeout=120)
    assert process.returncode == 0, text
    return text


def test_from_nothing_to_a_saved_note_and_out_again(server: Server, tmp_path: Path) -> None:
    signing = remem(tmp_path, "login", "--url", server.url, "--no-browser", "--no-keyring")
    assert signing.stdout is not None
    address = next(
        found[0]
        for line in signing.stdout
        if (found := re.search(r"http://\S+/oauth/authorize\S+", line))
    )
    with open_page() as page:
        page.open(address)
        page.fill("#key", server.owner_key)
        page.click("#key ~ button")
        page.wait("document.querySelector('.actions')")
        page.click("button[value=allow]")
        page.wait("location.pathname === '/callback'")
    text, _ = signing.communicate(timeout=120)
    assert signing.returncode == 0, text
    assert "Signed in" in text
    assert server.url in said(tmp_path, "whoami")
    assert "Saved" in said(tmp_path, "save", "The night ferry leaves at seven.")
    assert "Signed out" in said(tmp_path, "logout")
    gone = remem(tmp_path, "whoami", "--url", server.url)
    text, _ = gone.communicate(timeout=120)
    assert gone.returncode != 0, text
