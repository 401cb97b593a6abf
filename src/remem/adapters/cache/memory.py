"""Keeps answers in this process, the least used going first."""

import time
from collections import OrderedDict

MAX_BYTES = 64_000_000


class MemoryCache:
    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self._max_bytes = max_bytes
        self._bytes = 0
        self._kept: OrderedDict[str, tuple[float, bytes]] = OrderedDict()

    async def get(self, key: str) -> bytes | None:
        until, value = self._kept.get(key, (0.0, b""))
        if until <= time.monotonic():
            self._drop(key)
            return None
        self._kept.move_to_end(key)
        return value

    async def put(self, key: str, value: bytes, ttl_s: float) -> None:
        self._drop(key)
        if ttl_s <= 0 or len(value) > self._max_bytes:
            return
        self._kept[key] = (time.monotonic() + ttl_s, value)
        self._bytes += len(value)
        while self._bytes > self._max_bytes:
            self._drop(next(iter(self._kept)))

    async def close(self) -> None:
        self._kept.clear()
        self._bytes = 0

    def _drop(self, key: str) -> None:
        if key in self._kept:
            self._bytes -= len(self._kept.pop(key)[1])
