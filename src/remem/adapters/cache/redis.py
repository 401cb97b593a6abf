"""Keeps answers in a Redis, for every process that serves the same store."""

from functools import partial

from remem.adapters.redis_client import PAUSE_S, PREFIX, TIMEOUT_S, RedisClient
from remem.core.providers import ProviderState

LONGEST_S = 7 * 86_400


class RedisCache:
    """Room and what goes first are the server's own settings."""

    is_shared = True

    def __init__(self, url: str, *, timeout_s: float = TIMEOUT_S, rest_s: float = PAUSE_S) -> None:
        self._client = RedisClient(url, timeout_s=timeout_s, pause_s=rest_s)
        self._redis = self._client.redis

    async def get(self, key: str) -> bytes | None:
        ask = partial(self._redis.get, PREFIX + key)
        return await self._client.answer(ask, "cache_away", _bytes)

    async def put(self, key: str, value: bytes, ttl_s: float) -> None:
        if ttl_s > 0:
            last_ms = max(1, int(min(ttl_s, LONGEST_S) * 1_000))
            ask = partial(self._redis.set, PREFIX + key, value, px=last_ms)
        else:
            ask = partial(self._redis.delete, PREFIX + key)
        await self._client.answer(ask, "cache_away", _nothing)

    def state(self) -> ProviderState:
        return self._client.circuit.state()

    async def close(self) -> None:
        await self._client.close()


def _bytes(found: object) -> bytes | None:
    if found is None or isinstance(found, bytes):
        return found
    raise TypeError("not the value of a key")


def _nothing(written: object) -> None:
    """What was written is not asked for."""
