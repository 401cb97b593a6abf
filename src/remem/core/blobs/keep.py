"""Keep an original's bytes, and find them again."""

import asyncio
import hashlib
from pathlib import Path

from remem.core.blobs import store
from remem.core.blobs.model import UNKNOWN_TYPE, Blob
from remem.core.db import Tx
from remem.core.ports import Original, Ports
from remem.core.scope import Scope
from remem.core.validate import is_media_type

NAME_LIMIT = 255
ENDING_LIMIT = 20


async def describe(key: str, original: Original) -> Blob:
    size, digest = await asyncio.to_thread(_measure, original.path)
    claim = original.claim or ""
    media_type = claim if is_media_type(claim) else UNKNOWN_TYPE
    name = _shortened(original.name) if original.name else None
    return Blob(key=key, name=name, media_type=media_type, size=size, sha256=digest)


def _shortened(name: str) -> str:
    """A title may be longer than the name of a file; the ending says what the file is."""
    if len(name) <= NAME_LIMIT:
        return name
    ending = Path(name).suffix[:ENDING_LIMIT]
    return name[: NAME_LIMIT - len(ending)] + ending


def _measure(path: Path) -> tuple[int, str]:
    with path.open("rb") as file:
        return path.stat().st_size, hashlib.file_digest(file, "sha256").hexdigest()


async def keep(ports: Ports, scope: Scope, blob: Blob, path: Path) -> None:
    async with ports.db.transaction(scope) as tx:
        await announce(tx, scope, blob)
    await ports.blobs.put(blob.key, path)


async def announce(tx: Tx, scope: Scope, blob: Blob) -> None:
    """The row comes first: bytes that no document came to need are found by it and swept."""
    await store.insert(tx, scope, blob)


async def find(tx: Tx, scope: Scope, key: str | None) -> Blob | None:
    return await store.find(tx, scope, key) if key else None
