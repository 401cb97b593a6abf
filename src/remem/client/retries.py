"""The client's retries: which requests are sent again, and when.

`adapters/retries.py` belongs to the server: the client may not import adapters, and stamina would
log every retry to the output of a program that has set up no logging."""

import random
import time
from typing import Any

import httpx2

from remem.client.failures import RememFailure

PAUSES_S = (0.1, 0.3, 0.9)
# How long to keep trying: when a server is busy or lost, and when it limits the request rate.
PATIENCE_S = 30.0
LIMITED_PATIENCE_S = 600.0
# Requests that the server makes only once however often they are sent, because it recognises
# identical content.
REPEATABLE = frozenset(
    {
        "/v3/memory",
        "/v3/recall",
        "/v3/documents/upload",
        "/v1/documents",
        "/v1/documents/list",
        "/v1/documents/upload",
        "/v1/search",
        "/api/memories",
        "/api/memories/batch-get",
    }
)
NOT_SENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout)
# A slow reply would be slow again, and an invalid URL stays invalid.
_PERMANENT = (httpx2.TimeoutException, httpx2.UnsupportedProtocol, httpx2.InvalidURL)


class Retries:
    """Decides whether a request is sent again after a failure, and after how long."""

    def __init__(
        self, method: str, path: str, options: dict[str, Any], patience_s: float | None
    ) -> None:
        self._repeatable = method == "GET" or (method == "POST" and path in REPEATABLE)
        self._replayable = "content" not in options
        self._files = [file for _, file, *_ in (options.get("files") or {}).values()]
        started = time.monotonic()
        self._deadline = started + (PATIENCE_S if patience_s is None else patience_s)
        self._limited_deadline = started + (
            LIMITED_PATIENCE_S if patience_s is None else patience_s
        )
        self._pauses = iter(PAUSES_S)

    def rewind(self) -> None:
        for file in self._files:
            if file.seekable():
                file.seek(0)

    def wait_after(self, error: RememFailure) -> float | None:
        if error.status == 429 and error.retry_after_s is not None:
            # No limit on the number: the server says each time when it has capacity again.
            is_over = time.monotonic() + error.retry_after_s > self._limited_deadline
            return error.retry_after_s if self._may_repeat(error) and not is_over else None
        pause_s = next(self._pauses, None)
        if pause_s is None or not self._may_repeat(error):
            return None
        wait_s = pause_s * random.uniform(0.5, 1.5)
        if error.retry_after_s is not None:
            wait_s = error.retry_after_s
        return wait_s if time.monotonic() + wait_s <= self._deadline else None

    def _may_repeat(self, error: RememFailure) -> bool:
        if isinstance(error.__cause__, NOT_SENT):
            return True
        if not self._replayable or not all(file.seekable() for file in self._files):
            return False
        if error.status == 429:
            return True
        return self._repeatable and (error.status == 503 or _lost_reply(error))


def _lost_reply(error: RememFailure) -> bool:
    """Whether the reply was lost, and might arrive the next time."""
    return error.status == 0 and not isinstance(error.__cause__, _PERMANENT)
