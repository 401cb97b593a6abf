"""The keys that seal credentials, from a file in the data folder or a setting."""

import base64
import binascii
import fcntl
import json
import os
import secrets
from pathlib import Path

from remem.core.errors import CannotStart

KEY_BYTES = 32
FIRST = 1


def parse_keys(setting: str) -> dict[int, bytes]:
    """Parse the keys in a setting: base64, separated by commas, the newest last."""
    keys = {}
    for number, text in enumerate(setting.split(","), start=FIRST):
        try:
            key = base64.b64decode(text.strip(), validate=True)
        except binascii.Error as error:
            raise CannotStart(_invalid_key(number)) from error
        if len(key) != KEY_BYTES:
            raise CannotStart(_invalid_key(number))
        keys[number] = key
    return keys


def _invalid_key(number: int) -> str:
    return (
        f"REMEM_SECRET_KEYS: key {number} is not {KEY_BYTES} bytes in base64; make one by"
        " `openssl rand -base64 32`."
    )


def read_file(path: Path) -> dict[int, bytes]:
    """Read the keys in a file; empty if it does not exist."""
    try:
        stored = json.loads(path.read_text())
        keys = {int(number): base64.b64decode(key) for number, key in stored.items()}
        if any(len(key) != KEY_BYTES for key in keys.values()):
            raise ValueError("a key has another length")
    except FileNotFoundError:
        return {}
    except (ValueError, AttributeError, TypeError, RecursionError) as error:
        raise CannotStart(
            f"{path} is damaged; put back a copy of it, or remove it and connect the accounts anew."
        ) from error
    except OSError as error:
        raise CannotStart(f"{path} cannot be read ({error.strerror}).") from error
    return keys


def problem_of(path: Path) -> str | None:
    """What is wrong with the file, and how to fix it."""
    try:
        keys = read_file(path)
    except CannotStart as error:
        return error.message
    if keys and path.stat().st_mode & 0o077:
        return f"Other users of this machine can read {path}; run `chmod 600 {path}`."
    return None


def add_key(path: Path, *, only_first: bool = False) -> dict[int, bytes]:
    """Add a key to the file and return all; with `only_first`, only if it has none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        keys = read_file(path)
        if not (keys and only_first):
            keys[max(keys, default=FIRST - 1) + 1] = secrets.token_bytes(KEY_BYTES)
            _write(path, keys)
        return keys


def remove_keys(path: Path, unused: set[int]) -> None:
    """Remove keys that nothing is sealed with, except the newest."""
    with path.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        keys = read_file(path)
        newest = max(keys, default=FIRST)
        _write(path, {n: key for n, key in keys.items() if n not in unused or n == newest})


def _write(path: Path, keys: dict[int, bytes]) -> None:
    text = json.dumps({str(n): base64.b64encode(key).decode() for n, key in sorted(keys.items())})
    temporary = path.with_suffix(".new")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(text + "\n")
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
