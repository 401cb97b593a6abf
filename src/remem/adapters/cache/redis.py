"""Keeps answers in a Redis, for every process that serves the same store."""

from remem.adapters.pause import PAUSE_S
from remem.adapters.redis_client import PREFIX, TIMEOUT_S, RedisClient

LONGEST_S = 7 * 86_400


class RedisCache:
    """Room and what goes first are the server's own settings."""

    is_shared = True

    def __init__(self, url: str, *, timeout_s: float = TIMEOUT_S, rest_s: float = PAUSE_S) -> None:
        self._client = RedisClient(url, timeout_s=timeout_s, pause_s=rest_s)
        self._redis = self._client.redis

    async def get(self, key: str) -> bytes | None:
        if self._client.is_paused:
            return None
        asked = self._redis.get(PREFIX + key)
        return await self._client.answer(asked, "cache_away", _bytes)

    async def put(self, key: str, value: bytes, ttl_s: float) -> None:
        if self._client.is_paused:
            return
        if ttl_s > 0:
            last_ms = max(1, int(min(ttl_s, LONGEST_S) * 1_000))
            written = self._redis.set(PREFIX + key, value, px=last_ms)
        else:
            written = self._redis.delete(PREFIX + key)
        await self._client.answer(written, "cache_away", _nothing)

    async def close(self) -> None:
        await self._client.close()


def _bytes(found: object) -> bytes | None:
    if found is None or isinstance(found, bytes):
        return found
    raise TypeError("not the value of a key")


def _nothing(written: object) -> None:
    """What was written is not asked for."""
