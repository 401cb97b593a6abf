"""Keeps answers in a Redis, for every process that serves the same store."""

import time
from collections.abc import Awaitable
from typing import TypeVar

import structlog
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from remem.core.errors import CannotStart

PREFIX = "remem:"
# An answer is made again in less time than a cache that does not answer is worth waiting for.
TIMEOUT_S = 0.25
# So long it is not asked again when it did not answer.
REST_S = 5.0
LONGEST_S = 86_400

log = structlog.get_logger()
Answer = TypeVar("Answer")


class RedisCache:
    """Room and what goes first are the server's own settings."""

    def __init__(self, url: str, *, timeout_s: float = TIMEOUT_S, rest_s: float = REST_S) -> None:
        try:
            self._redis = Redis.from_url(
                url,
                socket_timeout=timeout_s,
                socket_connect_timeout=timeout_s,
                retry=Retry(NoBackoff(), 1),
            )
        except ValueError as error:
            raise CannotStart(
                "REMEM_REDIS_URL is not the address of a Redis; write it as"
                " redis://user:password@host:6379/0.",
                code="redis_url",
            ) from error
        self._rest_s = rest_s
        self._rests_until = 0.0

    async def get(self, key: str) -> bytes | None:
        if self._rests:
            return None
        found = await self._answered(self._redis.get(PREFIX + key))
        return found if isinstance(found, bytes) else None

    async def put(self, key: str, value: bytes, ttl_s: float) -> None:
        if self._rests:
            return
        if ttl_s > 0:
            last_ms = max(1, int(min(ttl_s, LONGEST_S) * 1_000))
            await self._answered(self._redis.set(PREFIX + key, value, px=last_ms))
        else:
            await self._answered(self._redis.delete(PREFIX + key))

    async def close(self) -> None:
        await self._redis.aclose()

    @property
    def _rests(self) -> bool:
        return time.monotonic() < self._rests_until

    async def _answered(self, asked: Awaitable[Answer]) -> Answer | None:
        try:
            return await asked
        except (RedisError, OSError) as error:
            self._rests_until = time.monotonic() + self._rest_s
            log.warning("cache_away", error=type(error).__name__, rest_s=self._rest_s)
            return None
