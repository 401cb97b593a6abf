"""Compare the arms on episodes by real searches, then decide which is in force."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from remem.core.evolution.arena import arena_store
from remem.core.evolution.arena.decide import decide, rewards_of
from remem.core.evolution.bandit import next_arms, tally_of
from remem.core.evolution.model import Work
from remem.core.evolution.score import Result, Score, Wanted, score
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.search.arms import ARMS, BUILT_IN, Arm, query_for_arm
from remem.core.search.find import find
from remem.core.search.model import QUERY_LIMIT, Hit, Query
from remem.core.transaction import Row, Tx

# Episodes: what was asked, and which items its answer used.


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
    rows = await arena_store.asked_in_sessions(tx, project_id, limit)
    rows += await arena_store.signalled(tx, project_id, limit)
    rows = [row for row in rows if row["query"].strip()][:limit]
    helpful, rejected = await arena_store.feedback(tx, project_id)
    ids = {id for row in rows for id in row["used"]}
    resolved = await arena_store.resolve_used(tx, sorted(ids | helpful | rejected))
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


EPISODES_LIMIT = 60
RESULTS_LIMIT = 10


async def compare_arms(
    ports: Ports, scope: Scope, project_id: UUID | None, deadline: float
) -> Work:
    """Compare the arms in one project. While time is left, try every arm in each episode, the most
    promising first. A result replaces the previous one of its arm and episode, so that a repetition
    changes no count."""
    assert project_id is not None, "a job of this type has a project"
    async with ports.db.transaction(scope) as tx:
        episodes = await episodes_of(tx, project_id, EPISODES_LIMIT)
    tried = pulls = 0
    for episode in episodes:
        if time.monotonic() >= deadline:
            break
        pulls += await _try_arms(ports, scope, project_id, episode, deadline)
        tried += 1
    arm = await decide(ports, scope, project_id)
    # The tenant's policy applies to projects without one of their own.
    await decide(ports, scope, None)
    return Work({"episodes": tried, "pulls": pulls, "arm": arm}, has_more=tried < len(episodes))


async def _try_arms(
    ports: Ports, scope: Scope, project_id: UUID, episode: Episode, deadline: float
) -> int:
    async with ports.db.transaction(scope) as tx:
        rewards = rewards_of(await arena_store.results(tx, project_id))
    tallies = {arm: tally_of(rewards.get(arm, {}).values()) for arm in ARMS}
    order = [ARMS[arm] for arm in next_arms(tallies)]
    pulls = 0
    for arm in (*order, BUILT_IN):
        if pulls and time.monotonic() >= deadline:
            break
        measured = await _measure(ports, scope, project_id, episode, arm)
        async with ports.db.transaction(scope) as tx:
            key = (project_id, episode.id, arm.id)
            await arena_store.put_result(tx, *key, measured.score, measured.took_ms)
        pulls += 1
    return pulls


@dataclass(frozen=True, slots=True)
class Measured:
    score: Score
    took_ms: float


async def _measure(
    ports: Ports, scope: Scope, project_id: UUID, episode: Episode, arm: Arm
) -> Measured:
    query = Query(
        episode.query,
        project_id,
        limit=RESULTS_LIMIT,
        fusion="rrf",
        asked_at=episode.asked_at,
    )
    started = time.perf_counter()
    hits = await find(ports, scope, query_for_arm(arm, query))
    took_ms = (time.perf_counter() - started) * 1_000
    results = [_result(hit) for hit in hits.hits]
    return Measured(score(episode.wanted, results, took_ms), took_ms)


def _result(hit: Hit) -> Result:
    document_id = hit.chunk.document_id if hit.chunk else None
    if document_id is None and hit.memory:
        document_id = hit.memory.document_id
    ids = {memory.id for memory in hit.memories}
    ids |= {hit.chunk.chunk_id} if hit.chunk and not hit.lone else set()
    ids |= {document_id} if document_id and not hit.lone else set()
    return Result(frozenset(ids), document_id, document_id or hit.id)
