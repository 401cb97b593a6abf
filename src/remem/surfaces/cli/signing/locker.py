"""Where sign-ins are kept: the system's keyring where there is one, else a file only we can read.

The file always has what is not secret, and which sign-in counts.
"""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from remem.folders import default_config_dir
from remem.surfaces.cli.files import write_over
from remem.surfaces.cli.signing.sign_in import SignIn, SignInFailed

SERVICE = "remem"
SECRETS = ("secret", "refresh_token")


def file() -> Path:
    return default_config_dir() / "sign-ins.json"


def find(url: str | None) -> SignIn | None:
    """The sign-in at an address, or the one that counts when none is named."""
    kept = _read()
    at = url or kept["current"]
    row = kept["servers"].get(at) if at else None
    if row is None:
        return None
    row = dict(row)
    if row.pop("where") == "keyring":
        secrets = _from_keyring(at)
        if secrets is None:
            return None
        row |= secrets
    return SignIn(**row)


def keep(sign_in: SignIn, keyring: bool = True) -> str:
    """Keep it as the one that counts, and say where its secrets are."""
    kept, row = _read(), dict[str, Any](asdict(sign_in))
    secrets = {name: row.pop(name) for name in SECRETS}
    if keyring and _to_keyring(sign_in.url, secrets):
        row["where"] = "keyring"
    else:
        row |= {**secrets, "where": "file"}
    kept["servers"][sign_in.url] = row
    _write({**kept, "current": sign_in.url})
    return row["where"]


def renew(sign_in: SignIn, **changed: Any) -> SignIn:
    """Keep a renewed grant where it was, without making it the one that counts."""
    kept, renewed = _read(), replace(sign_in, **changed)
    where = kept["servers"].get(sign_in.url, {}).get("where", "file")
    before = kept["current"]
    keep(renewed, keyring=where == "keyring")
    _write({**_read(), "current": before})
    return renewed


def forget(url: str) -> None:
    kept = _read()
    row = kept["servers"].pop(url, None)
    if row and row["where"] == "keyring" and (ring := _keyring()):
        with suppress(ring.errors.KeyringError):
            ring.delete_password(SERVICE, url)
    if kept["current"] == url:
        kept["current"] = next(iter(kept["servers"]), None)
    _write(kept)


def addresses() -> list[str]:
    return list(_read()["servers"])


@contextmanager
def alone() -> Iterator[None]:
    """One process at a time: a refresh token that is used twice ends its grant."""
    path = file().with_suffix(".lock")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise SignInFailed(
            f"{path.parent} cannot be written ({error.strerror}); make it writable, or set"
            " REMEM_CONFIG_DIR to another folder."
        ) from error
    try:
        _lock(descriptor)
        yield
    finally:
        os.close(descriptor)


def _lock(descriptor: int) -> None:
    try:
        import fcntl
    except ImportError:  # Windows, where only a server's client runs
        import msvcrt

        msvcrt.locking(descriptor, msvcrt.LK_LOCK, 1)  # pyrefly: ignore[missing-attribute]
    else:
        fcntl.flock(descriptor, fcntl.LOCK_EX)


def _read() -> dict[str, Any]:
    path = file()
    try:
        kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    except (OSError, ValueError) as error:
        raise SignInFailed(f"{path} cannot be read; remove it and sign in again.") from error
    return {"current": kept.get("current"), "servers": kept.get("servers", {})}


def _write(kept: dict[str, Any]) -> None:
    path = file()
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    write_over(path, json.dumps(kept, indent=2) + "\n", mode=0o600)


def _keyring() -> Any:
    """The package is an extra, and a machine without a keyring has one that always fails."""
    try:
        import keyring
        import keyring.errors
    except ImportError:
        return None
    return keyring


def _to_keyring(url: str, secrets: dict[str, Any]) -> bool:
    if (ring := _keyring()) is None:
        return False
    try:
        ring.set_password(SERVICE, url, json.dumps(secrets))
    except ring.errors.KeyringError:
        return False
    return True


def _from_keyring(url: str) -> dict[str, Any] | None:
    if (ring := _keyring()) is None:
        raise SignInFailed("The sign-in is in the keyring; install the package keyring to read it.")
    try:
        found = ring.get_password(SERVICE, url)
    except ring.errors.KeyringError as error:
        raise SignInFailed(f"The keyring does not open ({error}); unlock it.") from error
    return json.loads(found) if found else None
