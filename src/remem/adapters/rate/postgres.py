"""Request counts in PostgreSQL, shared by all processes: one statement for each request."""

from collections.abc import Mapping
from typing import Any

from remem.core.db import Database
from remem.core.ports import Allowance
from remem.core.transaction import Row

# Two adjacent windows, the older one weighted by how much of it still overlaps the last `window_s`
# seconds: close to a true sliding window, with only one row for each caller.
_CLOCK = """
clock AS (
  SELECT floor(extract(epoch FROM clock_timestamp()) / $2)::bigint AS window_no,
         mod(extract(epoch FROM clock_timestamp()), $2)::float8 AS elapsed_s
)"""
_COUNT = """
ON CONFLICT (caller) DO UPDATE SET
  previous = CASE r.window_no WHEN excluded.window_no THEN r.previous
                              WHEN excluded.window_no - 1 THEN r.hits ELSE 0 END,
  hits = CASE r.window_no WHEN excluded.window_no THEN least(r.hits + 1, {limit} + 1) ELSE 1 END,
  window_no = excluded.window_no
RETURNING hits, previous"""
_HIT = f"""
WITH {_CLOCK}
INSERT INTO rate_counters AS r (caller, window_no, hits)
SELECT $1, window_no, 1 FROM clock
{_COUNT.format(limit="$3")}, (SELECT elapsed_s FROM clock) AS elapsed_s
"""
# The member's row is always locked before the group's, so that there are no deadlocks. A request
# that is over the member's limit does not count against the group's.
_HIT_WITHIN = f"""
WITH {_CLOCK},
member AS (
  INSERT INTO rate_counters AS r (caller, window_no, hits)
  SELECT $1, window_no, 1 FROM clock
  {_COUNT.format(limit="$3")}
),
grouped AS (
  INSERT INTO rate_counters AS r (caller, window_no, hits)
  SELECT $4, window_no, 1 FROM clock, member
  WHERE member.hits + least(member.previous, $3) * (1 - clock.elapsed_s / $2) <= $3
  {_COUNT.format(limit="$5::int")}
)
SELECT member.hits, member.previous, grouped.hits AS group_hits,
  grouped.previous AS group_previous, elapsed_s
FROM clock, member LEFT JOIN grouped ON true
"""
_SWEEP = """
DELETE FROM rate_counters
WHERE window_no < floor(extract(epoch FROM clock_timestamp()) / $1)::bigint - 1
"""


class PostgresRateCounter:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def hit(self, caller: str, limit: int, window_s: int) -> Allowance:
        async with self._db.unbound() as tx:
            row = await tx.fetchrow(_HIT, caller, window_s, limit)
        return to_allowance(row, "", limit, window_s)

    async def hit_within(
        self, member: str, limit: int, group: str, group_limit: int, window_s: int
    ) -> Allowance:
        async with self._db.unbound() as tx:
            row = await tx.fetchrow(_HIT_WITHIN, member, window_s, limit, group, group_limit)
        member_allowance = to_allowance(row, "", limit, window_s)
        if not member_allowance.allowed:
            return member_allowance
        group_allowance = to_allowance(row, "group_", group_limit, window_s)
        return lower_allowance(member_allowance, group_allowance)

    async def close(self) -> None:
        """Nothing to do: the database is closed elsewhere."""

    async def sweep(self, window_s: int) -> None:
        async with self._db.unbound() as tx:
            await tx.execute(_SWEEP, window_s)


def lower_allowance(member: Allowance, group: Allowance) -> Allowance:
    """The allowance that is used up first."""
    return member if group.allowed and member.remaining <= group.remaining else group


def to_allowance(
    row: Row | Mapping[str, Any] | None, prefix: str, limit: int, window_s: int
) -> Allowance:
    assert row is not None
    overlap = 1 - row["elapsed_s"] / window_s
    used = row[f"{prefix}hits"] + min(row[f"{prefix}previous"], limit) * overlap
    return Allowance(
        limit=limit,
        remaining=max(0, int(limit - used)),
        reset_s=max(1, int(window_s - row["elapsed_s"])),
        allowed=used <= limit,
    )
