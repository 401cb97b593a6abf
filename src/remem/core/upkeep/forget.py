"""Forget memories by meaning: first as a preview, then for real."""

from dataclasses import dataclass
from uuid import UUID

from remem.core.errors import Invalid, NotFound
from remem.core.index.kinds import MEMORY
from remem.core.memories.browse import find_shown
from remem.core.memories.forget import forget_memory
from remem.core.memories.model import Memory
from remem.core.ports import Ports
from remem.core.projects.resolve import resolve_all
from remem.core.scope import Scope
from remem.core.vector_models.current import embedder_for

FOUND_LIMIT = 100
QUERY_LIMIT = 1_000
THRESHOLD = 0.6
# Memories with a lower similarity have little to do with the query.
THRESHOLD_MIN = 0.3


@dataclass(frozen=True, slots=True)
class Forgotten:
    """The matching memories, nearest first, and how many were forgotten; `more` if there may be
    more matches."""

    memories: list[tuple[Memory, float]]
    forgotten: int
    more: bool


async def forget_by_meaning(
    ports: Ports,
    scope: Scope,
    query: str,
    project: str | UUID | None,
    threshold: float = THRESHOLD,
    *,
    dry_run: bool = True,
) -> Forgotten:
    """Forget memories near the query, at most a hundred; each can be restored."""
    _check(query, threshold)
    embedder = await embedder_for(ports, scope)
    vector = await embedder.embed_query(query.strip())
    async with ports.db.transaction(scope) as tx:
        projects = await resolve_all(tx, project)
        near = await ports.vectors.search(
            tx, embedder.model, MEMORY, vector, projects, FOUND_LIMIT + 1
        )
        cosines = {point.id: point.cosine for point in near if point.cosine >= threshold}
        memories = await find_shown(tx, list(cosines)[:FOUND_LIMIT])
    forgotten = 0 if dry_run else await _forget(ports, scope, memories)
    matches = [(memory, cosines[memory.id]) for memory in memories]
    return Forgotten(matches, forgotten, len(cosines) > FOUND_LIMIT)


def _check(query: str, threshold: float) -> None:
    if not 0 < len(query.strip()) <= QUERY_LIMIT:
        raise Invalid("query", f"use 1 to {QUERY_LIMIT:,} characters")
    if not THRESHOLD_MIN <= threshold <= 1:
        raise Invalid("threshold", f"use {THRESHOLD_MIN} to 1")


async def _forget(ports: Ports, scope: Scope, memories: list[Memory]) -> int:
    count = 0
    for memory in memories:
        try:
            await forget_memory(ports, scope, memory.id)
            count += 1
        except NotFound:
            # Another worker has already done it.
            continue
    return count
