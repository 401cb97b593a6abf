"""Rank what replaces a chunk before it, whatever the words of the query."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from remem.core.index.kinds import CHUNK, MEMORY
from remem.core.search import store
from remem.core.search.model import Features, Query, Ranked, Ranking, Replacement, ScoreParts, Where
from remem.core.search.plan import asks_past
from remem.core.search.prefer_newer import with_score
from remem.core.search.replaced import ReplacementsByChunk, replacements
from remem.core.time import now
from remem.core.transaction import Tx


def documents_by_chunk(ranked: Iterable[Ranked]) -> dict[UUID, UUID]:
    """The document of each chunk in the results; the chunk of a lone memory is only its source."""
    return {
        result.chunk_id: result.group_id
        for result in ranked
        if result.chunk_id and result.group_id not in result.memory_ids
    }


async def newer_first(tx: Tx, query: Query, where: Where, ranking: Ranking) -> Ranking:
    """The ranking with the newer before the outdated; unchanged if the query asks about the
    past."""
    replaced = await replacements(tx, documents_by_chunk(ranking.ranked))
    if not replaced or asks_past(query.text, query.asked_at or now()):
        return replace(ranking, replaced=replaced)
    pairs = replacement_pairs(ranking.ranked, replaced)
    missing = [newer for newer, _ in pairs[: query.limit] if not _is_shown(ranking.ranked, newer)]
    added = await _load_missing(tx, where, missing) if missing else {}
    return replace(
        ranking, ranked=move_newer_first(ranking.ranked, pairs, added), replaced=replaced
    )


def replacement_pairs(
    ranked: Sequence[Ranked], replaced: ReplacementsByChunk
) -> list[tuple[Replacement, Ranked]]:
    """The results that replace each outdated chunk; if none is in the results, its widest
    replacement. A chunk that was found by a part that is still valid keeps its place."""
    pairs = []
    for result in ranked:
        candidates = (
            replaced.get(result.chunk_id, ()) if result.chunk_id and result.kind == CHUNK else ()
        )
        shown = [newer for newer in candidates if _is_shown(ranked, newer)]
        pairs += [(newer, result) for newer in shown or candidates[:1]]
    return pairs


def move_newer_first(
    order: Sequence[Ranked],
    pairs: Sequence[tuple[Replacement, Ranked]],
    added: Mapping[UUID, Ranked],
) -> list[Ranked]:
    """Swap the scores of an outdated chunk and a replacement below it. A replacement that is
    missing or weak is inserted just before the chunk."""
    ranked = list(order)
    for newer, old in pairs:
        front = next(n for n, result in enumerate(ranked) if result.id == old.id)
        back = position_of(ranked, newer)
        if back is not None and (back < front or not ranked[back].is_weak):
            _swap_scores(ranked, front, back)
        elif not old.is_weak and (moved := ranked.pop(back) if back else added.get(newer.id)):
            ranked.insert(front, with_score(moved, ranked[front].score)._replace(is_weak=False))
    return ranked


def _swap_scores(ranked: list[Ranked], front: int, back: int) -> None:
    if front < back:
        old, newer = ranked[front], ranked[back]
        ranked[front], ranked[back] = with_score(newer, old.score), with_score(old, newer.score)


def _is_shown(ranked: Sequence[Ranked], newer: Replacement) -> bool:
    position = position_of(ranked, newer)
    return position is not None and not ranked[position].is_weak


def position_of(ranked: Sequence[Ranked], newer: Replacement) -> int | None:
    """The position of a memory, or else of the chunk it was taken from."""
    positions = [
        position for position, result in enumerate(ranked) if newer.id in result.memory_ids
    ]
    if not positions and newer.chunk_id:
        positions = [
            position for position, result in enumerate(ranked) if result.chunk_id == newer.chunk_id
        ]
    return positions[0] if positions else None


async def _load_missing(tx: Tx, where: Where, missing: Sequence[Replacement]) -> dict[UUID, Ranked]:
    """Replacements that share nothing with the query, if they may be found."""
    chunks = [newer.chunk_id for newer in missing if newer.chunk_id]
    ids_by_kind = {CHUNK: chunks, MEMORY: [newer.id for newer in missing]}
    by_id: dict[UUID, Features] = {}
    for kind, ids in ids_by_kind.items():
        if ids and kind in where.kinds:
            by_id |= {
                features.id: features for features in await store.features(tx, kind, ids, where)
            }
    added = {}
    for newer in missing:
        if features := by_id.get(newer.chunk_id or newer.id) or by_id.get(newer.id):
            added[newer.id] = _ranked(features, newer.id if newer.id in by_id else None)
    return added


def _ranked(item: Features, memory_id: UUID | None) -> Ranked:
    """A chunk with its memory, or either alone."""
    best, kind = (memory_id, MEMORY) if memory_id else (item.id, CHUNK)
    memories = (memory_id,) if memory_id else ()
    return Ranked(best, item.document_id, 0.0, ScoreParts(), kind, item.chunk_id, memories)
