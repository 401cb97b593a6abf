"""Rank the results of a query, cached or computed, and load their current texts."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from pydantic import TypeAdapter

from remem.core.index.kinds import CHUNK, MEMORY
from remem.core.memories.browse import read_many
from remem.core.memories.model import Memory
from remem.core.ports import Ports
from remem.core.projects.resolve import write_version
from remem.core.search import store
from remem.core.search.cache import key_of, look_up, store_answer
from remem.core.search.model import Hit, Mode, Query, Ranked
from remem.core.search.newer_first import documents_by_chunk
from remem.core.search.rank import rank_query
from remem.core.search.replaced import ReplacementsByChunk, replacements
from remem.core.telemetry import timed
from remem.core.transaction import Tx
from remem.core.vector_models.current import current_embedder

# Selects the results to return from the whole ranking, and counts what it has.
Choose = Callable[[Sequence[Ranked]], list[Ranked]]
Count = Callable[[Sequence[Ranked]], int]
_SHAPE = TypeAdapter(tuple[list[Ranked], int])


class SelectedHits(NamedTuple):
    """The selected results with their hits, the total number, whether the ranking was cached, and
    the mode that was used."""

    hits: list[tuple[Ranked, Hit]]
    total: int
    cached: bool
    mode: Mode


async def answer(
    ports: Ports,
    tx: Tx,
    query: Query,
    projects: Sequence[UUID] | None,
    choose: Choose,
    selection: str = "",
    count: Count = len,
) -> SelectedHits:
    """A cached ranking is computed again if one of its items is gone. `selection` names what
    `choose` selects and `count` counts."""
    with timed("search", mode=query.mode):
        return await _answer(ports, tx, query, projects, choose, selection, count)


async def _answer(
    ports: Ports,
    tx: Tx,
    query: Query,
    projects: Sequence[UUID] | None,
    choose: Choose,
    selection: str,
    count: Count,
) -> SelectedHits:
    version = await write_version(tx, projects)
    model = (await current_embedder(ports, tx)).model
    key = f"{key_of(tx.scope, version, model, query)}:{selection}"
    # Flags change without a write to the project.
    uses_cache = not query.filters.flags
    if uses_cache and (cached := await look_up(ports, key, _SHAPE)):
        selected, total = cached
        hits = await load_hits(tx, selected, query.as_of, None)
        if len(hits) == len(selected):
            return SelectedHits(hits, total, True, query.mode)
    ranking = await rank_query(ports, tx, query, projects)
    selected, total = choose(ranking.ranked), count(ranking.ranked)
    if ranking.is_complete and uses_cache:
        await store_answer(ports, key, (selected, total), _SHAPE)
    hits = await load_hits(tx, selected, query.as_of, ranking.replaced)
    return SelectedHits(hits, total, False, ranking.mode or query.mode)


async def load_hits(
    tx: Tx,
    selected: Sequence[Ranked],
    as_of: datetime | None = None,
    replaced: ReplacementsByChunk | None = None,
) -> list[tuple[Ranked, Hit]]:
    """Load the results that still exist; deleted and expired ones are left out. Replacements are
    looked up, unless that was done already."""
    memories = await _memories(tx, [id for result in selected for id in result.memory_ids], as_of)
    chunks = await store.candidates(tx, [result.chunk_id for result in selected if result.chunk_id])
    if replaced is None:
        replaced = {} if as_of else await replacements(tx, documents_by_chunk(selected))
    hits = []
    for result in selected:
        chunk = chunks.get(result.chunk_id) if result.chunk_id else None
        chunk_memories = tuple(memories[id] for id in result.memory_ids if id in memories)
        lone = result.group_id in result.memory_ids
        if chunk_memories if lone else chunk:
            kind = MEMORY if chunk_memories and result.kind == MEMORY else CHUNK
            newer = replaced.get(result.chunk_id) if result.chunk_id and not lone else None
            hit = Hit(
                result.score,
                result.parts,
                kind,
                lone,
                chunk,
                chunk_memories,
                result.is_weak,
                newer[0] if newer else None,
                result.relevance,
            )
            hits.append((result, hit))
    return hits


async def _memories(tx: Tx, ids: Sequence[UUID], as_of: datetime | None) -> dict[UUID, Memory]:
    if not ids:
        return {}
    memories = await read_many(tx, ids)
    if as_of:
        return memories
    present = {item.id for item in await store.features(tx, MEMORY, ids)}
    return {id: memory for id, memory in memories.items() if id in present}
