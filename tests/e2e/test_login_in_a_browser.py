"""`remem login` with a real server, confirmed by a person in a real browser."""

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


def output_of(folder: Path, *words: str) -> str:
    process = remem(folder, *words)
    text, _ = process.communicate(timeout=120)
    assert process.returncode == 0, text
    return text


def test_from_nothing_to_a_saved_note_and_out_again(server: Server, tmp_path: Path) -> None:
    login = remem(tmp_path, "login", "--url", server.url, "--no-browser", "--no-keyring")
    assert login.stdout is not None
    address = next(
        match[0]
        for line in login.stdout
        if (match := re.search(r"http://\S+/oauth/authorize\S+", line))
    )
    with open_page() as page:
        page.open(address)
        page.fill("#key", server.owner_key)
        page.click("#key ~ button")
        page.wait("document.querySelector('.actions')")
        page.click("button[value=allow]")
        page.wait("location.pathname === '/callback'")
    text, _ = login.communicate(timeout=120)
    assert login.returncode == 0, text
    assert "Signed in" in text
    assert server.url in output_of(tmp_path, "whoami")
    assert "Saved" in output_of(tmp_path, "save", "The night ferry leaves at seven.")
    assert "Signed out" in output_of(tmp_path, "logout")
    signed_out = remem(tmp_path, "whoami", "--url", server.url)
    text, _ = signed_out.communicate(timeout=120)
    assert signed_out.returncode != 0, text
