"""Request counts in a Redis, shared by every process; in PostgreSQL while it is away."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from remem.adapters.rate.postgres import PostgresRateCounter, allowance_of, tighter
from remem.adapters.redis_client import PREFIX, RedisClient
from remem.core.db import Database
from remem.core.ports import Allowance

# The same count as in PostgreSQL: two neighbouring windows, the older one weighted. One key a call,
# so that a cluster can place them apart. By the server's clock, which all processes share.
_HIT = """
local time = redis.call('TIME')
local now = tonumber(time[1]) + tonumber(time[2]) / 1000000
local window, limit = tonumber(ARGV[1]), tonumber(ARGV[2])
local number = math.floor(now / window)
local row = redis.call('HMGET', KEYS[1], 'number', 'hits', 'previous')
local known, hits, previous = tonumber(row[1]), tonumber(row[2] or 0), tonumber(row[3] or 0)
if known == number then
  hits = math.min(hits + 1, limit + 1)
elseif known == number - 1 then
  previous, hits = hits, 1
else
  previous, hits = 0, 1
end
redis.call('HSET', KEYS[1], 'number', number, 'hits', hits, 'previous', previous)
redis.call('PEXPIRE', KEYS[1], math.ceil(2000 * window))
return {hits, previous, tostring(now - number * window)}
"""


class RedisRateCounter:
    def __init__(self, db: Database, url: str) -> None:
        self._elsewhere = PostgresRateCounter(db)
        self._client = RedisClient(url)
        self._script = self._client.redis.register_script(_HIT)

    async def hit(self, caller: str, limit: int, window_s: int) -> Allowance:
        counted = await self._hit(caller, limit, window_s)
        return counted or await self._elsewhere.hit(caller, limit, window_s)

    async def hit_within(
        self, member: str, limit: int, group: str, group_limit: int, window_s: int
    ) -> Allowance:
        own = await self._hit(member, limit, window_s)
        if own and not own.allowed:
            return own
        shared = await self._hit(group, group_limit, window_s) if own else None
        if own and shared:
            return tighter(own, shared)
        return await self._elsewhere.hit_within(member, limit, group, group_limit, window_s)

    async def sweep(self, window_s: int) -> None:
        """Counts in Redis go by themselves."""
        await self._elsewhere.sweep(window_s)

    async def close(self) -> None:
        await self._client.close()

    async def _hit(self, caller: str, limit: int, window_s: int) -> Allowance | None:
        name = f"{PREFIX}rate:{caller}"
        ask = partial(self._script, keys=[name], args=[window_s, limit])
        row = await self._client.answer(ask, "rate_counts_away", _row)
        return allowance_of(row, "", limit, window_s) if row else None


def _row(counted: Sequence[Any]) -> dict[str, float]:
    hits, previous, elapsed_s = counted
    return {"hits": int(hits), "previous": int(previous), "elapsed_s": float(elapsed_s)}
