"""Send signed webhooks in the format of Standard Webhooks (https://www.standardwebhooks.com)."""

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Sequence

from remem.adapters.delivery.http import GuardedPost, raise_for_refusal
from remem.core.delivery_ports import HandingOver, Letter, Target
from remem.core.time import iso

_PREFIX = "whsec_"
# The receiver has ended it. Everything else may be over when it is tried again.
_FINAL = (410,)


class WebhookChannel:
    recognises_repeats = True

    def __init__(self, allow_private: Sequence[str]) -> None:
        self._post = GuardedPost(allow_private)

    def check(self, target: Target) -> None:
        self._post.check(target.address)

    async def send(self, target: Target, message: Letter, handing_over: HandingOver) -> None:
        body = json.dumps(
            {
                "type": f"remem.{message.kind}",
                "timestamp": iso(message.created_at),
                "data": {
                    "title": message.title,
                    "text": message.text,
                    "url": message.url,
                    **message.data,
                },
            },
            ensure_ascii=False,
        ).encode()
        id, stamp = f"msg_{message.id.hex}", str(int(time.time()))
        headers = {
            "Content-Type": "application/json",
            "webhook-id": id,
            "webhook-timestamp": stamp,
            "webhook-signature": sign(target.secret, id, stamp, body),
        }
        await handing_over()
        raise_for_refusal(await self._post.post(target.address, headers, body), _FINAL)

    async def close(self) -> None:
        await self._post.close()


def sign(secret: str, id: str, stamp: str, body: bytes) -> str:
    """The signature of a body and the time at which it is sent."""
    key = base64.b64decode(secret.removeprefix(_PREFIX))
    signed = b".".join((id.encode(), stamp.encode(), body))
    return "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
