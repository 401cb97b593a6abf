"""The one retry of the client: which requests are sent again, and when.

`adapters/retries.py` is the server's: the client may not import adapters, and stamina would log
every retry to the output of a program that has set up no log."""

import random
import time
from typing import Any

import httpx2

from remem.client.failures import RememFailure

PAUSES_S = (0.1, 0.3, 0.9)
# How long to keep trying: when a server is busy or lost, and when it limits how often one may ask.
PATIENCE_S = 30.0
LIMITED_PATIENCE_S = 600.0
# What a server of ours makes once, however often it is asked: identical content is known again.
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
# A reply that was slow would be slow again, and an address that is none stays so.
_LASTING = (httpx2.TimeoutException, httpx2.UnsupportedProtocol, httpx2.InvalidURL)


class Retries:
    """Whether to send a request once more after a failure, and after how long."""

    def __init__(
        self, method: str, path: str, options: dict[str, Any], patience_s: float | None
    ) -> None:
        self._repeatable = method == "GET" or (method == "POST" and path in REPEATABLE)
        self._replayable = "content" not in options
        self._files = [file for _, file, *_ in (options.get("files") or {}).values()]
        began = time.monotonic()
        self._over = began + (PATIENCE_S if patience_s is None else patience_s)
        self._over_limited = began + (LIMITED_PATIENCE_S if patience_s is None else patience_s)
        self._pauses = iter(PAUSES_S)

    def rewind(self) -> None:
        for file in self._files:
            if file.seekable():
                file.seek(0)

    def wait_after(self, error: RememFailure) -> float | None:
        if error.status == 429 and error.retry_after_s is not None:
            # However often: each time the server says when it has room again.
            is_over = time.monotonic() + error.retry_after_s > self._over_limited
            return error.retry_after_s if self._may(error) and not is_over else None
        pause_s = next(self._pauses, None)
        if pause_s is None or not self._may(error):
            return None
        wait_s = pause_s * random.uniform(0.5, 1.5)
        if error.retry_after_s is not None:
            wait_s = error.retry_after_s
        return wait_s if time.monotonic() + wait_s <= self._over else None

    def _may(self, error: RememFailure) -> bool:
        if isinstance(error.__cause__, NOT_SENT):
            return True
        if not self._replayable or not all(file.seekable() for file in self._files):
            return False
        if error.status == 429:
            return True
        return self._repeatable and (error.status == 503 or _cut_off(error))


def _cut_off(error: RememFailure) -> bool:
    """A reply that was lost might come the next time."""
    return error.status == 0 and not isinstance(error.__cause__, _LASTING)
