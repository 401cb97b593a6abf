"""Where sign-ins are stored: secrets in the system keyring if there is one, else in a private file.

The file always contains everything else, and which sign-in is the current one.
"""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from remem.folders import default_config_dir
from remem.surfaces.cli.files import write_atomically
from remem.surfaces.cli.signing.sign_in import SignIn, SignInFailed

SERVICE = "remem"
SECRETS = ("secret", "refresh_token")


def file() -> Path:
    return default_config_dir() / "sign-ins.json"


def find(url: str | None) -> SignIn | None:
    """Return the sign-in for a URL, or the current one if none is named."""
    stored = _read()
    server = url or stored["current"]
    row = stored["servers"].get(server) if server else None
    if row is None:
        return None
    row = dict(row)
    if row.pop("where") == "keyring":
        secrets = _from_keyring(server)
        if secrets is None:
            return None
        row |= secrets
    return SignIn(**row)


def save(sign_in: SignIn, keyring: bool = True) -> str:
    """Store a sign-in, make it the current one, and return where its secrets are."""
    stored, row = _read(), dict[str, Any](asdict(sign_in))
    secrets = {name: row.pop(name) for name in SECRETS}
    if keyring and _to_keyring(sign_in.url, secrets):
        row["where"] = "keyring"
    else:
        row |= {**secrets, "where": "file"}
    stored["servers"][sign_in.url] = row
    _write({**stored, "current": sign_in.url})
    return row["where"]


def save_renewed(sign_in: SignIn, **changed: Any) -> SignIn:
    """Store a renewed grant where it was, without changing which one is current."""
    stored, renewed = _read(), replace(sign_in, **changed)
    where = stored["servers"].get(sign_in.url, {}).get("where", "file")
    current = stored["current"]
    save(renewed, keyring=where == "keyring")
    _write({**_read(), "current": current})
    return renewed


def forget(url: str) -> None:
    stored = _read()
    row = stored["servers"].pop(url, None)
    if row and row["where"] == "keyring" and (keyring := _keyring()):
        with suppress(keyring.errors.KeyringError):
            keyring.delete_password(SERVICE, url)
    if stored["current"] == url:
        stored["current"] = next(iter(stored["servers"]), None)
    _write(stored)


def addresses() -> list[str]:
    return list(_read()["servers"])


@contextmanager
def exclusive_lock() -> Iterator[None]:
    """Lock the store for one process: using a refresh token twice ends its grant."""
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
        # Some network shares have no locks. Without one, a sign-in at the same time may be lost.
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)


def _read() -> dict[str, Any]:
    path = file()
    try:
        stored = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    except (OSError, ValueError) as error:
        raise SignInFailed(f"{path} cannot be read; remove it and sign in again.") from error
    return {"current": stored.get("current"), "servers": stored.get("servers", {})}


def _write(stored: dict[str, Any]) -> None:
    path = file()
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    write_atomically(path, json.dumps(stored, indent=2) + "\n", mode=0o600)


def _keyring() -> Any:
    """Return the keyring module, or None if the optional package is missing. A machine without a
    keyring has a backend that always fails."""
    try:
        import keyring
        import keyring.errors
    except ImportError:
        return None
    return keyring


def _to_keyring(url: str, secrets: dict[str, Any]) -> bool:
    if (keyring := _keyring()) is None:
        return False
    try:
        keyring.set_password(SERVICE, url, json.dumps(secrets))
    except keyring.errors.KeyringError:
        return False
    return True


def _from_keyring(url: str) -> dict[str, Any] | None:
    if (keyring := _keyring()) is None:
        raise SignInFailed("The sign-in is in the keyring; install the package keyring to read it.")
    try:
        stored = keyring.get_password(SERVICE, url)
    except keyring.errors.KeyringError as error:
        raise SignInFailed(f"The keyring cannot be opened ({error}); unlock it.") from error
    return json.loads(stored) if stored else None
