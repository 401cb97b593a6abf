"""The body of a reply, up to a limit: a server may send without an end."""

import httpx2


class ReplyTooLarge(Exception):
    """It is more than was expected; the rest is not read."""


async def read_body(reply: httpx2.Response, most_bytes: int) -> bytes:
    """Of a reply that was sent for with `stream=True`, which is closed."""
    data = bytearray()
    try:
        async for part in reply.aiter_bytes():
            data += part
            if len(data) > most_bytes:
                raise ReplyTooLarge
    finally:
        await reply.aclose()
    return bytes(data)
