"""How a Redis or Valkey is reached: with little patience, and not for a while after a failure."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, TypeVar

import structlog
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from remem.adapters.circuit import OF_SHORTCUTS, Circuit
from remem.adapters.retries import Passing
from remem.core.errors import CannotStart, Unavailable

PREFIX = "remem:"
# What is asked of it is done in less time than one that does not answer is worth waiting for.
TIMEOUT_S = 0.25
PAUSE_S = OF_SHORTCUTS.first_pause_s

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
        self.circuit = Circuit("redis", replace(OF_SHORTCUTS, first_pause_s=pause_s))

    async def answer(
        self, ask: Callable[[], Awaitable[Any]], event: str, read: Callable[[Any], Answer]
    ) -> Answer | None:
        """What `read` makes of the answer. None when there is none, or one that cannot be read;
        then the server is left alone for a while."""
        try:
            with self.circuit.request():
                return await _read_answer(ask, read)
        except Unavailable:
            return None
        except Passing as error:
            log.warning(event, error=str(error), pause_s=self.circuit.state().retry_in_s)
            return None

    async def close(self) -> None:
        await self.redis.aclose()


async def _read_answer(ask: Callable[[], Awaitable[Any]], read: Callable[[Any], Answer]) -> Answer:
    try:
        return read(await ask())
    # What is at that address may answer anything, which the client fails at in many ways.
    except Exception as error:
        raise Passing(type(error).__name__) from error
