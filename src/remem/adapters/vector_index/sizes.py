"""When every vector is compared, and how far the graph is walked otherwise."""

import time
from dataclasses import dataclass
from typing import TypeAlias
from uuid import UUID

from remem.core.db import Tx
from remem.core.ports import Vector

# A tenant, a kind, a model, projects (all, when None), what is looked for, and how many.
Asked: TypeAlias = tuple[UUID, str, str, list[UUID] | None, Vector, int]
WITHIN = (
    "FROM embeddings WHERE tenant_id = $1 AND owner_kind = $2 AND model = $3"
    " AND ($4::uuid[] IS NULL OR project_id = ANY($4))"
)


@dataclass(frozen=True, slots=True)
class WalkPolicy:
    # Up to here it is about as fast to compare with every vector, and nothing is missed.
    exact_rows: int = 5_000
    # Without a filter too: in a store of many, nearly all that a walk meets belongs to others.
    all_rows: int = 12_000
    # A walk that comes back with too few is taken up again, which costs more than a wider one.
    ef_search: int = 300
    ef_a_result: int = 3
    ef_most: int = 1_000
    scan_rows: int = 40_000
    believed_s: float = 60.0
    places: int = 10_000

    def ef(self, limit: int) -> int:
        return min(self.ef_most, max(self.ef_search, self.ef_a_result * limit))


WALK_POLICY = WalkPolicy()


class Sizes:
    """Whether there are few enough vectors to compare with each. To count them takes a quarter of
    the time that to compare them takes, so what was counted is believed for a while: when it is
    wrong by then, an answer comes more slowly, and is right all the same."""

    def __init__(self) -> None:
        self._counted: dict[tuple[object, ...], tuple[float, bool]] = {}

    async def are_few(self, tx: Tx, asked: Asked, policy: WalkPolicy) -> bool:
        tenant_id, kind, model, project_ids, *_ = asked
        place = (tenant_id, kind, model, None if project_ids is None else tuple(project_ids))
        until, few = self._counted.get(place, (0.0, False))
        if time.monotonic() >= until:
            few = await tx.fetchval(*_count(asked, policy.all_rows)) <= policy.all_rows
            if len(self._counted) >= policy.places:
                self._counted.clear()
            self._counted[place] = (time.monotonic() + policy.believed_s, few)
        return few


def _count(asked: Asked, rows: int) -> list[object]:
    """How many vectors are in question, counted no further than it matters."""
    few = f"SELECT 1 {WITHIN} LIMIT {rows + 1}"
    return [f"SELECT count(*)::int FROM ({few}) AS few", *asked[:4]]
