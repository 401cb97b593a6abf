"""Read the body of a response, compressed or not, up to a limit."""

import zlib
from collections.abc import AsyncIterable

import httpx2

from remem.core.errors import Unreadable

GZIP = zlib.MAX_WBITS | 16
# Real files have few members; a million empty ones would only waste time.
MAX_MEMBERS = 1_000


class Incomplete(Exception):
    """The body ended too early."""


async def read_body(pieces: AsyncIterable[bytes], headers: httpx2.Headers, max_bytes: int) -> bytes:
    """Read and decompress a body. Raises Unreadable when it is larger than `max_bytes`, compressed
    or not."""
    _refuse_large(headers, max_bytes)
    decompressor = _decompressor(headers)
    body = bytearray()
    received = 0
    async for piece in pieces:
        received += len(piece)
        body += decompressor.decompress(piece, max_bytes + 1 - len(body)) if decompressor else piece
        if received > max_bytes or len(body) > max_bytes:
            raise _too_large(max_bytes)
    if decompressor and received and not decompressor.eof:
        raise Incomplete
    return bytes(body)


def _refuse_large(headers: httpx2.Headers, max_bytes: int) -> None:
    claimed = headers.get("Content-Length", "")
    if claimed.isdigit() and int(claimed) > max_bytes:
        raise _too_large(max_bytes)


def _decompressor(headers: httpx2.Headers) -> "_Gzip | None":
    encoding = headers.get("Content-Encoding", "identity").strip().lower()
    if encoding in ("", "identity"):
        return None
    if encoding in ("gzip", "x-gzip"):
        return _Gzip()
    raise Unreadable(
        f"The page comes packed as {encoding[:40]!r}, which cannot be unpacked; save it as a file."
    )


class _Gzip:
    """Decompresses gzip members one after another, up to a size per call."""

    def __init__(self) -> None:
        self._member = zlib.decompressobj(GZIP)
        self._members_left = MAX_MEMBERS

    @property
    def eof(self) -> bool:
        return self._member.eof

    def decompress(self, data: bytes, at_most: int) -> bytes:
        output = b""
        try:
            while data and len(output) < at_most:
                if self._member.eof:
                    self._begin_member()
                output += self._member.decompress(data, at_most - len(output))
                data = self._member.unused_data if self._member.eof else b""
        except zlib.error as error:
            raise Unreadable("The page is packed wrongly and cannot be unpacked.") from error
        return output

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
