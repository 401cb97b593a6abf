"""Client of a Redis or Valkey server: short timeouts, and a pause after each failure."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, TypeVar

import structlog
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from remem.adapters.circuit import SHORTCUT_TOLERANCE, Circuit
from remem.adapters.retries import TransientError
from remem.core.errors import CannotStart, Unavailable

PREFIX = "remem:"
# Each caller has a fallback that takes little time, so there is no point in waiting longer.
TIMEOUT_S = 0.25
PAUSE_S = SHORTCUT_TOLERANCE.first_pause_s

log = structlog.get_logger()
Result = TypeVar("Result")


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
        self.circuit = Circuit("redis", replace(SHORTCUT_TOLERANCE, first_pause_s=pause_s))

    async def execute(
        self, command: Callable[[], Awaitable[Any]], event: str, read: Callable[[Any], Result]
    ) -> Result | None:
        """Run a command and return its reply, converted by `read`. Returns None if the command
        fails or the reply is invalid; then no command is sent for a while."""
        try:
            with self.circuit.request():
                return await _call_and_read(command, read)
        except Unavailable:
            return None
        except TransientError as error:
            log.warning(event, error=str(error), pause_s=self.circuit.state().retry_in_s)
            return None

    async def close(self) -> None:
        await self.redis.aclose()


async def _call_and_read(
    command: Callable[[], Awaitable[Any]], read: Callable[[Any], Result]
) -> Result:
    try:
        return read(await command())
    # The server at that address may reply with anything, and the client fails in many ways.
    except Exception as error:
        raise TransientError(type(error).__name__) from error
