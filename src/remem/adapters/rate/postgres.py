"""Request counts in PostgreSQL: one upsert a request, shared by every process."""

from remem.core.db import Database
from remem.core.ports import Allowance

# Two neighbouring windows, the older one weighted by how much of it still overlaps the last
# `window_s` seconds: close to a true moving window at the price of one row a caller.
_HIT = """
WITH clock AS (
  SELECT floor(extract(epoch FROM clock_timestamp()) / $2)::bigint AS window_no,
         mod(extract(epoch FROM clock_timestamp()), $2)::float8 AS elapsed_s
)
INSERT INTO rate_counters AS r (caller, window_no, hits)
SELECT $1, window_no, 1 FROM clock
ON CONFLICT (caller) DO UPDATE SET
  previous = CASE r.window_no WHEN excluded.window_no THEN r.previous
                              WHEN excluded.window_no - 1 THEN r.hits ELSE 0 END,
  hits = CASE r.window_no WHEN excluded.window_no THEN least(r.hits + 1, $3 + 1) ELSE 1 END,
  window_no = excluded.window_no
RETURNING hits, previous, (SELECT elapsed_s FROM clock) AS elapsed_s
"""


class PostgresRateCounter:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def hit(self, caller: str, limit: int, window_s: int) -> Allowance:
        async with self._db.alone() as tx:
            row = await tx.fetchrow(_HIT, caller, window_s, limit)
        assert row is not None
        overlap = 1 - row["elapsed_s"] / window_s
        used = row["hits"] + min(row["previous"], limit) * overlap
        return Allowance(
            limit=limit,
            remaining=max(0, int(limit - used)),
            reset_s=max(1, int(window_s - row["elapsed_s"])),
            allowed=used <= limit,
        )
