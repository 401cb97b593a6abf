"""Read an original, and give nothing else for it: the object store may be damaged or wrong."""

import hashlib
from collections.abc import AsyncIterator

from remem.core.errors import Unavailable
from remem.core.ports import Ports


class Damaged(Unavailable):
    """The object store may give the right bytes another time, or have to be repaired."""

    code = "original_damaged"

    def __init__(self) -> None:
        super().__init__(
            "The store of originals gave other bytes than it was given; check it, or put the "
            "original back from a backup."
        )


async def open_checked(ports: Ports, key: str, *, size: int, sha256: str) -> AsyncIterator[bytes]:
    return _checked(await ports.blobs.open(key), size, sha256)


async def _checked(stream: AsyncIterator[bytes], size: int, sha256: str) -> AsyncIterator[bytes]:
    """The last part is given when all of it is right: what is cut off is seen to be."""
    digest, seen, last = hashlib.sha256(), 0, b""
    async for part in stream:
        digest.update(part)
        seen += len(part)
        if seen > size:
            raise Damaged
        if last:
            yield last
        last = part
    if (seen, digest.hexdigest()) != (size, sha256):
        raise Damaged
    if last:
        yield last
