"""What replaces a chunk goes before it, whatever the query's words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from remem.core.db import Tx
from remem.core.index.kinds import CHUNK, MEMORY
from remem.core.scope import Scope
from remem.core.search import store
from remem.core.search.model import Features, Order, Parts, Query, Ranked, Replacement, Where
from remem.core.search.plan import asks_past
from remem.core.search.prefer_newer import scored
from remem.core.search.replaced import Replaced, replacements
from remem.core.time import now


def chunks_of(ranked: Iterable[Ranked]) -> dict[UUID, UUID]:
    """The document of each chunk that is found; that of a lone memory is only its source."""
    return {
        one.chunk_id: one.group_id
        for one in ranked
        if one.chunk_id and one.group_id not in one.memory_ids
    }


async def newer_first(tx: Tx, scope: Scope, query: Query, where: Where, order: Order) -> Order:
    """The same with the newer before the outdated; as it is for who asks how things were."""
    replaced = await replacements(tx, scope, chunks_of(order.ranked))
    if not replaced or asks_past(query.text, query.asked_at or now()):
        return replace(order, replaced=replaced)
    pairs = pairs_of(order.ranked, replaced)
    missing = [newer for newer, one in pairs[: query.limit] if not _is_shown(order.ranked, newer)]
    added = await _added(tx, scope, where, missing) if missing else {}
    return replace(order, ranked=moved(order.ranked, pairs, added), replaced=replaced)


def pairs_of(ranked: Sequence[Ranked], replaced: Replaced) -> list[tuple[Replacement, Ranked]]:
    """What replaces each outdated chunk, of that which is found; where nothing is, the widest. A
    chunk that is found by what it still says stays where it is."""
    pairs = []
    for one in ranked:
        by = replaced.get(one.chunk_id, ()) if one.chunk_id and one.kind == CHUNK else ()
        found = [newer for newer in by if _is_shown(ranked, newer)]
        pairs += [(newer, one) for newer in found or by[:1]]
    return pairs


def moved(
    order: Sequence[Ranked],
    pairs: Sequence[tuple[Replacement, Ranked]],
    added: Mapping[UUID, Ranked],
) -> list[Ranked]:
    """Two that are found change their scores. One that is not, or hardly, comes just before."""
    ranked = list(order)
    for newer, old in pairs:
        front = next(place for place, one in enumerate(ranked) if one.id == old.id)
        back = place_of(ranked, newer)
        if back is not None and (back < front or not ranked[back].is_weak):
            _exchange(ranked, front, back)
        elif not old.is_weak and (one := ranked.pop(back) if back else added.get(newer.id)):
            ranked.insert(front, scored(one, ranked[front].score)._replace(is_weak=False))
    return ranked


def _exchange(ranked: list[Ranked], front: int, back: int) -> None:
    if front < back:
        old, newer = ranked[front], ranked[back]
        ranked[front], ranked[back] = scored(newer, old.score), scored(old, newer.score)


def _is_shown(ranked: Sequence[Ranked], newer: Replacement) -> bool:
    place = place_of(ranked, newer)
    return place is not None and not ranked[place].is_weak


def place_of(ranked: Sequence[Ranked], newer: Replacement) -> int | None:
    """Where a memory stands, or else the chunk that it was taken from."""
    places = [place for place, one in enumerate(ranked) if newer.id in one.memory_ids]
    if not places and newer.chunk_id:
        places = [place for place, one in enumerate(ranked) if one.chunk_id == newer.chunk_id]
    return places[0] if places else None


async def _added(
    tx: Tx, scope: Scope, where: Where, missing: Sequence[Replacement]
) -> dict[UUID, Ranked]:
    """Those that share nothing with the query, where they may be found."""
    chunks = [newer.chunk_id for newer in missing if newer.chunk_id]
    wanted = {CHUNK: chunks, MEMORY: [newer.id for newer in missing]}
    known: dict[UUID, Features] = {}
    for kind, ids in wanted.items():
        if ids and kind in where.kinds:
            known |= {one.id: one for one in await store.features(tx, scope, kind, ids, where)}
    made = {}
    for newer in missing:
        if one := known.get(newer.chunk_id or newer.id) or known.get(newer.id):
            made[newer.id] = _ranked(one, newer.id if newer.id in known else None)
    return made


def _ranked(item: Features, memory_id: UUID | None) -> Ranked:
    """A chunk with its memory, or either alone."""
    best, kind = (memory_id, MEMORY) if memory_id else (item.id, CHUNK)
    memories = (memory_id,) if memory_id else ()
    return Ranked(best, item.document_id, 0.0, Parts(), kind, item.chunk_id, memories)
