"""A home folder on a network share that has no file locks."""

import errno
import fcntl
from pathlib import Path

import pytest

from remem.surfaces.cli.hooks import saver
from remem.surfaces.cli.signing import store
from remem.surfaces.cli.signing.sign_in import SignIn


@pytest.fixture(autouse=True)
def _without_locks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    monkeypatch.setenv("REMEM_CONFIG_DIR", str(tmp_path))


def test_a_sign_in_is_stored() -> None:
    with store.exclusive_lock():
        store.save(SignIn(url="https://home.example/remem", secret="mc_x"), keyring=False)
    found = store.find("https://home.example/remem")
    assert found and found.secret == "mc_x"


def test_a_session_is_saved(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(saver, "lock_file", lambda: tmp_path / "lock")
    with saver._try_lock() as is_only:
        assert is_only
