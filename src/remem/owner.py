"""The local owner of a store: their key in a file, and a link that signs them in."""

import os
from pathlib import Path

import structlog

from remem.core.errors import RememError
from remem.core.identity.authenticate import authenticate_key
from remem.core.identity.browsers import make_link
from remem.core.identity.register import ensure_owner
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.settings import Settings

log = structlog.get_logger()


async def ensure_owner_key(ports: Ports, settings: Settings) -> str | None:
    """Create the local owner of a new store and write their key to a file only they can read.

    On the embedded store a lost key file is replaced; elsewhere that would let anyone who has the
    database's address become its first user. Returns the owner's key if it is known here.
    """
    path = settings.owner_key_path
    _warn_if_readable(path)
    if path.exists() and (key := path.read_text().strip()):
        new_key = await ensure_owner(ports)
    else:
        key = None
        new_key = await ensure_owner(ports, replace_key=settings.database_url is None)
    if new_key:
        key = new_key.raw
        _write_private(path, key)
    return key


def _warn_if_readable(path: Path) -> None:
    """Warn about a file of secrets that other users of the machine may read or change."""
    if path.exists() and path.stat().st_mode & 0o077:
        log.warning("file_readable_by_others", path=str(path), fix=f"chmod 600 {path}")


def forget_owner_key(settings: Settings) -> None:
    """Delete the key file: after a restore it may belong to another store. The next start creates
    one."""
    if settings.database_url is None:
        settings.owner_key_path.unlink(missing_ok=True)


async def find_owner(ports: Ports, key: str | None) -> Scope | None:
    """The local owner, or None without a valid key of theirs."""
    try:
        return await authenticate_key(ports, key) if key else None
    except RememError:
        return None


async def owner_link(ports: Ports, owner: Scope | None) -> str | None:
    """The path of a link that signs the local owner in, or None if there is none."""
    try:
        return f"/open/{(await make_link(ports, owner))[0]}" if owner else None
    except RememError:
        return None


def _write_private(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(".new")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(text + "\n")
    temporary.replace(path)
