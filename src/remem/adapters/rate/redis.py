"""Request counts in Redis, shared by all processes; in PostgreSQL while Redis is down."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from remem.adapters.rate.postgres import PostgresRateCounter, lower_allowance, to_allowance
from remem.adapters.redis_client import PREFIX, RedisClient
from remem.core.db import Database
from remem.core.ports import Allowance

# The same count as in PostgreSQL: two adjacent windows, the older one weighted. Each call uses one
# key, so that a cluster can distribute them, and the server's clock, which all processes share.
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
        self._fallback = PostgresRateCounter(db)
        self._client = RedisClient(url)
        self._script = self._client.redis.register_script(_HIT)

    async def hit(self, caller: str, limit: int, window_s: int) -> Allowance:
        allowance = await self._hit(caller, limit, window_s)
        return allowance or await self._fallback.hit(caller, limit, window_s)

    async def hit_within(
        self, member: str, limit: int, group: str, group_limit: int, window_s: int
    ) -> Allowance:
        member_allowance = await self._hit(member, limit, window_s)
        if member_allowance and not member_allowance.allowed:
            return member_allowance
        group_allowance = (
            await self._hit(group, group_limit, window_s) if member_allowance else None
        )
        if member_allowance and group_allowance:
            return lower_allowance(member_allowance, group_allowance)
        return await self._fallback.hit_within(member, limit, group, group_limit, window_s)

    async def sweep(self, window_s: int) -> None:
        """Counts in Redis expire; only those in PostgreSQL are removed."""
        await self._fallback.sweep(window_s)

    async def close(self) -> None:
        await self._client.close()

    async def _hit(self, caller: str, limit: int, window_s: int) -> Allowance | None:
        name = f"{PREFIX}rate:{caller}"
        command = partial(self._script, keys=[name], args=[window_s, limit])
        row = await self._client.execute(command, "rate_counts_away", _read_row)
        return to_allowance(row, "", limit, window_s) if row else None


def _read_row(reply: Sequence[Any]) -> dict[str, float]:
    hits, previous, elapsed_s = reply
    return {"hits": int(hits), "previous": int(previous), "elapsed_s": float(elapsed_s)}
