"""When to compare every vector, and how far to search the graph otherwise."""

import time
from dataclasses import dataclass
from typing import TypeAlias
from uuid import UUID

from remem.core.ports import Vector
from remem.core.transaction import Tx

# Tenant, kind, model, projects (None: all), query vector and limit.
VectorQuery: TypeAlias = tuple[UUID, str, str, list[UUID] | None, Vector, int]
FROM_SCOPE = (
    "FROM embeddings WHERE tenant_id = $1 AND owner_kind = $2 AND model = $3"
    " AND ($4::uuid[] IS NULL OR project_id = ANY($4))"
)


@dataclass(frozen=True, slots=True)
class WalkPolicy:
    # With a filter: up to this many rows, an exact comparison is about as fast and misses nothing.
    exact_rows: int = 5_000
    # Without a filter: in a store with many tenants, most vectors of the graph belong to others.
    all_rows: int = 12_000
    # A scan that finds too few rows is resumed, which costs more than a wider scan.
    ef_search: int = 300
    ef_per_result: int = 3
    max_ef: int = 1_000
    scan_rows: int = 40_000
    cache_s: float = 60.0
    max_cached: int = 10_000

    def ef(self, limit: int) -> int:
        return min(self.max_ef, max(self.ef_search, self.ef_per_result * limit))


WALK_POLICY = WalkPolicy()


class SizeCache:
    """Whether there are few enough vectors to compare with all of them. Counting takes a quarter of
    the time of comparing, so the result is cached for a while. An outdated one makes a search
    slower, but not wrong."""

    def __init__(self) -> None:
        self._cached: dict[tuple[object, ...], tuple[float, bool]] = {}

    async def is_small(self, tx: Tx, query: VectorQuery, policy: WalkPolicy) -> bool:
        tenant_id, kind, model, project_ids, *_ = query
        key = (tenant_id, kind, model, None if project_ids is None else tuple(project_ids))
        expires_at, small = self._cached.get(key, (0.0, False))
        if time.monotonic() >= expires_at:
            count = await tx.system.fetchval(_count_sql(policy.all_rows), *query[:4])
            small = count <= policy.all_rows
            if len(self._cached) >= policy.max_cached:
                self._cached.clear()
            self._cached[key] = (time.monotonic() + policy.cache_s, small)
        return small


def _count_sql(rows: int) -> str:
    """The query that counts matching vectors, up to one more than `rows`."""
    limited = f"SELECT 1 {FROM_SCOPE} LIMIT {rows + 1}"
    return f"SELECT count(*)::int FROM ({limited}) AS few"
