"""Episodes: what was asked, and which items its answer used."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from remem.core.evolution.arena import store
from remem.core.evolution.score import Wanted
from remem.core.search.model import QUERY_LIMIT
from remem.core.transaction import Row, Tx


@dataclass(frozen=True, slots=True)
class Episode:
    """`id` is that of the turn with the answer, or of the signal that reported it."""

    id: UUID
    query: str
    asked_at: datetime
    wanted: Wanted


async def episodes_of(tx: Tx, project_id: UUID, limit: int) -> list[Episode]:
    """The episodes of a project, those never measured first. Used items are resolved to their
    current versions; episodes without any left are dropped."""
    rows = await store.asked_in_sessions(tx, project_id, limit)
    rows += await store.signalled(tx, project_id, limit)
    rows = [row for row in rows if row["query"].strip()][:limit]
    helpful, rejected = await store.feedback(tx, project_id)
    ids = {id for row in rows for id in row["used"]}
    resolved = await store.resolve_used(tx, sorted(ids | helpful | rejected))
    rejected_ids = {resolved[id][0] for id in rejected if id in resolved}
    episodes = [_episode(row, resolved, rejected_ids) for row in rows]
    return [episode for episode in episodes if episode.wanted.ids]


def _episode(
    row: Row, resolved: dict[UUID, tuple[UUID, UUID | None]], rejected: set[UUID]
) -> Episode:
    used = [
        resolved[id] for id in row["used"] if id in resolved and resolved[id][0] not in rejected
    ]
    wanted = Wanted(frozenset(id for id, _ in used), _documents(used), frozenset(rejected))
    return Episode(row["id"], row["query"][:QUERY_LIMIT], row["at"], wanted)


def _documents(used: Sequence[tuple[UUID, UUID | None]]) -> frozenset[UUID]:
    return frozenset(document for _, document in used if document)
