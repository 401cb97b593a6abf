"""Publish to a topic of ntfy, as JSON (https://docs.ntfy.sh/publish/#publish-as-json)."""

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

import httpx2

from remem.adapters.delivery.http import GuardedPost, raise_for_refusal
from remem.core.delivery_ports import HandingOver, Letter, Target

# A longer message becomes an attachment.
MESSAGE_BYTES = 4_096
TITLE_CHARS = 200
# The message is refused whenever it is sent: bad request, credential, topic, size.
_FINAL = (400, 401, 403, 404, 413)
_ERROR_CHARS = 200
_CUT = "…"


class NtfyChannel:
    recognises_repeats = False

    def __init__(self, allow_private: Sequence[str]) -> None:
        self._post = GuardedPost(allow_private)

    def check(self, target: Target) -> None:
        self._post.check(target.address)

    async def send(self, target: Target, message: Letter, handing_over: HandingOver) -> None:
        server, topic = split_topic(target.address)
        body = {
            "topic": topic,
            "title": message.title[:TITLE_CHARS],
            "message": cut(message.text, MESSAGE_BYTES),
            "tags": ["sunrise"],
            "click": message.url,
        }
        headers = {"Content-Type": "application/json"}
        if target.secret:
            headers["Authorization"] = f"Bearer {target.secret}"
        await handing_over()
        reply = await self._post.post(server, headers, json.dumps(body).encode())
        raise_for_refusal(reply, _FINAL, _reason(reply))

    async def close(self) -> None:
        await self._post.close()


def split_topic(address: str) -> tuple[str, str]:
    """The address of the server, to which JSON is published, and the topic."""
    parts = urlsplit(address)
    folder, _, topic = parts.path.rpartition("/")
    return f"{parts.scheme}://{parts.netloc}{folder}/", topic


def cut(text: str, limit: int) -> str:
    """The beginning of the text, in at most so many bytes."""
    data = text.encode()
    if len(data) <= limit:
        return text
    return data[: limit - len(_CUT.encode())].decode(errors="ignore") + _CUT


def _reason(reply: httpx2.Response) -> str:
    """What ntfy says of an error."""
    try:
        answer: Any = json.loads(reply.content)
    except ValueError:
        return ""
    error = answer.get("error") if isinstance(answer, dict) else None
    if not isinstance(error, str):
        return ""
    printable = "".join(char for char in error if char.isprintable())
    return f": {printable[:_ERROR_CHARS]}"
