"""One result for each document: ranked by its best hit, its hits in reading order."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.search.model import Found, Hit, Ranked
from remem.core.search.policy import POLICY, Policy


def best(ranked: Sequence[Ranked], limit: int, policy: Policy = POLICY) -> list[Ranked]:
    """The hits of the first `limit` documents and lone memories; `ranked` is best first."""
    shown: dict[UUID, int] = {}
    kept = []
    for place, one in enumerate(ranked):
        count = shown.get(one.group_id, 0)
        if count == 0 and len(shown) == limit:
            continue
        is_near = place < policy.group_chunks_a_result * limit
        if count == 0 or (count < policy.group_chunks and is_near):
            shown[one.group_id] = count + 1
            kept.append(one)
    return kept


def group(hits: Sequence[tuple[Ranked, Hit]]) -> list[Found]:
    groups: dict[UUID, list[Hit]] = {}
    for one, hit in hits:
        groups.setdefault(one.group_id, []).append(hit)
    return [_found(id, found) for id, found in groups.items()]


def _found(id: UUID, hits: Sequence[Hit]) -> Found:
    chunk = hits[0].chunk
    document = chunk if chunk and chunk.document_id == id else None
    return Found(document, hits[0].score, tuple(sorted(hits, key=_place)))


def _place(hit: Hit) -> int:
    return hit.chunk.chunk_index if hit.chunk else 0
