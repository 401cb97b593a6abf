"""Save originals, and find them."""

import asyncio
import hashlib
from pathlib import Path

from remem.core.blobs import blob_store
from remem.core.blobs.model import UNKNOWN_TYPE, Blob
from remem.core.ports import Original, Ports
from remem.core.scope import Scope
from remem.core.transaction import Tx
from remem.core.validate import is_media_type

NAME_LIMIT = 255
EXTENSION_LIMIT = 20


async def describe(key: str, original: Original) -> Blob:
    size, digest = await asyncio.to_thread(_measure, original.path)
    claim = original.claim or ""
    media_type = claim if is_media_type(claim) else UNKNOWN_TYPE
    name = _shorten_name(original.name) if original.name else None
    return Blob(key=key, name=name, media_type=media_type, size=size, sha256=digest)


def _shorten_name(name: str) -> str:
    """Shorten a title to the length of a file name, keeping the extension that shows its type."""
    if len(name) <= NAME_LIMIT:
        return name
    extension = Path(name).suffix[:EXTENSION_LIMIT]
    return name[: NAME_LIMIT - len(extension)] + extension


def _measure(path: Path) -> tuple[int, str]:
    with path.open("rb") as file:
        return path.stat().st_size, hashlib.file_digest(file, "sha256").hexdigest()


async def save_blob(ports: Ports, scope: Scope, blob: Blob, path: Path) -> None:
    async with ports.db.transaction(scope) as tx:
        await insert_blob(tx, blob)
    await ports.blobs.put(blob.key, path)


async def insert_blob(tx: Tx, blob: Blob) -> None:
    """Insert the row before the bytes are stored, so that the sweep finds bytes that no document
    ended up using; and once more with whatever refers to it: a crash or a failover in between may
    have lost the first row."""
    await blob_store.insert(tx, blob)


async def find(tx: Tx, key: str | None) -> Blob | None:
    return await blob_store.find(tx, key) if key else None
