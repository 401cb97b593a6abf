"""Read the body of a response up to a limit: a server may send without end."""

import httpx2


class ReplyTooLarge(Exception):
    """The body exceeds the limit; the rest is not read."""


async def read_body(reply: httpx2.Response, max_bytes: int) -> bytes:
    """Read the body of a response requested with `stream=True`, and close it."""
    data = bytearray()
    try:
        async for part in reply.aiter_bytes():
            data += part
            if len(data) > max_bytes:
                raise ReplyTooLarge
    finally:
        await reply.aclose()
    return bytes(data)
