"""A cache in Redis, shared by all processes that serve the same store."""

from functools import partial

from remem.adapters.redis_client import PAUSE_S, PREFIX, TIMEOUT_S, RedisClient
from remem.core.providers import ProviderState

MAX_TTL_S = 7 * 86_400


class RedisCache:
    """Its size and eviction policy are settings of the server."""

    is_shared = True

    def __init__(self, url: str, *, timeout_s: float = TIMEOUT_S, pause_s: float = PAUSE_S) -> None:
        self._client = RedisClient(url, timeout_s=timeout_s, pause_s=pause_s)
        self._redis = self._client.redis

    async def get(self, key: str) -> bytes | None:
        command = partial(self._redis.get, PREFIX + key)
        return await self._client.execute(command, "cache_away", _read_value)

    async def put(self, key: str, value: bytes, ttl_s: float) -> None:
        if ttl_s > 0:
            ttl_ms = max(1, int(min(ttl_s, MAX_TTL_S) * 1_000))
            command = partial(self._redis.set, PREFIX + key, value, px=ttl_ms)
        else:
            command = partial(self._redis.delete, PREFIX + key)
        await self._client.execute(command, "cache_away", _ignore_reply)

    def state(self) -> ProviderState:
        return self._client.circuit.state()

    async def close(self) -> None:
        await self._client.close()


def _read_value(reply: object) -> bytes | None:
    if reply is None or isinstance(reply, bytes):
        return reply
    raise TypeError("not the value of a key")


def _ignore_reply(reply: object) -> None:
    """Discard the reply to a write."""
