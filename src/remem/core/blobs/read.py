"""Read an original and verify its bytes: the object store may be damaged or return others."""

import hashlib
from collections.abc import AsyncIterator

from remem.core.errors import Unavailable
from remem.core.ports import Ports


class DamagedOriginal(Unavailable):
    """The object store returned other bytes; it may recover, or have to be repaired."""

    code = "original_damaged"

    def __init__(self) -> None:
        super().__init__(
            "The store of originals returned other bytes than were stored; check it, or restore "
            "the original from a backup."
        )


async def open_checked(ports: Ports, key: str, *, size: int, sha256: str) -> AsyncIterator[bytes]:
    return _verify(await ports.blobs.open(key), size, sha256)


async def measure(ports: Ports, key: str) -> tuple[int, str]:
    """The size of a stored original and its SHA-256."""
    digest, size = hashlib.sha256(), 0
    async for part in await ports.blobs.open(key):
        digest.update(part)
        size += len(part)
    return size, digest.hexdigest()


async def _verify(stream: AsyncIterator[bytes], size: int, sha256: str) -> AsyncIterator[bytes]:
    """Yield the last part only once everything is verified, so that a truncated stream is
    noticed."""
    digest, size_read, last = hashlib.sha256(), 0, b""
    async for part in stream:
        digest.update(part)
        size_read += len(part)
        if size_read > size:
            raise DamagedOriginal
        if last:
            yield last
        last = part
    if (size_read, digest.hexdigest()) != (size, sha256):
        raise DamagedOriginal
    if last:
        yield last
