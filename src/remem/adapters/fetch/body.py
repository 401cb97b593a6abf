"""Takes in an answer's body, packed or not, and stops at a limit."""

import zlib
from collections.abc import AsyncIterable

import httpx2

from remem.core.errors import Unreadable

GZIP = zlib.MAX_WBITS | 16
# An honest file has few; a million empty ones would keep us busy for nothing.
MAX_MEMBERS = 1_000


class Incomplete(Exception):
    """The body broke off before its end."""


async def take(pieces: AsyncIterable[bytes], headers: httpx2.Headers, max_bytes: int) -> bytes:
    """The body unpacked; raises Unreadable when it is larger than `max_bytes`, before or after."""
    _refuse_large(headers, max_bytes)
    unpack = _unpacker(headers)
    taken = bytearray()
    received = 0
    async for piece in pieces:
        received += len(piece)
        taken += unpack.decompress(piece, max_bytes + 1 - len(taken)) if unpack else piece
        if received > max_bytes or len(taken) > max_bytes:
            raise _too_large(max_bytes)
    if unpack and received and not unpack.eof:
        raise Incomplete
    return bytes(taken)


def _refuse_large(headers: httpx2.Headers, max_bytes: int) -> None:
    claimed = headers.get("Content-Length", "")
    if claimed.isdigit() and int(claimed) > max_bytes:
        raise _too_large(max_bytes)


def _unpacker(headers: httpx2.Headers) -> "_Gzip | None":
    packing = headers.get("Content-Encoding", "identity").strip().lower()
    if packing in ("", "identity"):
        return None
    if packing in ("gzip", "x-gzip"):
        return _Gzip()
    raise Unreadable(
        f"The page comes packed as {packing[:40]!r}, which cannot be unpacked; save it as a file."
    )


class _Gzip:
    """Unpacks one member after another, never more at a time than is asked for."""

    def __init__(self) -> None:
        self._member = zlib.decompressobj(GZIP)
        self._members_left = MAX_MEMBERS

    @property
    def eof(self) -> bool:
        return self._member.eof

    def decompress(self, packed: bytes, at_most: int) -> bytes:
        unpacked = b""
        try:
            while packed and len(unpacked) < at_most:
                if self._member.eof:
                    self._begin_member()
                unpacked += self._member.decompress(packed, at_most - len(unpacked))
                packed = self._member.unused_data if self._member.eof else b""
        except zlib.error as error:
            raise Unreadable("The page is packed wrongly and cannot be unpacked.") from error
        return unpacked

    def _begin_member(self) -> None:
        self._member = zlib.decompressobj(GZIP)
        self._members_left -= 1
        if not self._members_left:
            raise zlib.error("too many members")


def _too_large(max_bytes: int) -> Unreadable:
    return Unreadable(
        f"The page is larger than {max_bytes / 1_000_000:g} MB; save a part of it as a file.",
        code="page_too_large",
    )
