"""How a Redis or Valkey is reached: with little patience, and a pause after a failure."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import structlog
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from remem.adapters.pause import PAUSE_S, Pause
from remem.core.errors import CannotStart

PREFIX = "remem:"
# What is asked of it is done in less time than one that does not answer is worth waiting for.
TIMEOUT_S = 0.25

log = structlog.get_logger()
Answer = TypeVar("Answer")


class RedisClient:
    def __init__(self, url: str, *, timeout_s: float = TIMEOUT_S, pause_s: float = PAUSE_S) -> None:
        try:
            self.redis = Redis.from_url(
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
        self._pause = Pause(pause_s)

    @property
    def is_paused(self) -> bool:
        return self._pause.is_on

    async def answer(
        self, asked: Awaitable[Any], event: str, read: Callable[[Any], Answer]
    ) -> Answer | None:
        """What `read` makes of the answer. None when there is none, or one that cannot be read;
        then the server is left alone for a while."""
        try:
            return read(await asked)
        # What is at that address may answer anything, which the client fails at in many ways.
        except Exception as error:
            self._pause.begin()
            log.warning(event, error=type(error).__name__, rest_s=self._pause.seconds)
            return None

    async def close(self) -> None:
        await self.redis.aclose()
