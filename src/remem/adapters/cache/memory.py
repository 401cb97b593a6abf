"""A cache in this process that evicts expired and the least recently used entries."""

import math
import time
from collections import OrderedDict

MAX_BYTES = 64_000_000
# The overhead of an entry; without it, the number of small entries would be unlimited.
ENTRY_BYTES = 300


class MemoryCache:
    is_shared = False

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self._max_bytes = max_bytes
        self._bytes = 0
        self._entries: OrderedDict[str, tuple[float, bytes]] = OrderedDict()

    async def get(self, key: str) -> bytes | None:
        expires_at, value = self._entries.get(key, (0.0, b""))
        if expires_at <= time.monotonic():
            self._drop(key)
            return None
        self._entries.move_to_end(key)
        return value

    async def put(self, key: str, value: bytes, ttl_s: float) -> None:
        self._drop(key)
        if not ttl_s > 0 or _size(key, value) > self._max_bytes:
            return
        self._entries[key] = (time.monotonic() + ttl_s, value)
        self._bytes += _size(key, value)
        while self._bytes > self._max_bytes or self._is_oldest_expired():
            self._drop(next(iter(self._entries)))

    async def close(self) -> None:
        self._entries.clear()
        self._bytes = 0

    def _is_oldest_expired(self) -> bool:
        expires_at, _ = next(iter(self._entries.values()), (math.inf, b""))
        return expires_at <= time.monotonic()

    def _drop(self, key: str) -> None:
        if key in self._entries:
            self._bytes -= _size(key, self._entries.pop(key)[1])


def _size(key: str, value: bytes) -> int:
    return len(key) + len(value) + ENTRY_BYTES
