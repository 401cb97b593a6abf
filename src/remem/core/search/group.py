"""One result for each document: ranked by its best hit, its hits in reading order."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.search.model import Found, Hit, Ranked

# Of a long document that answers all over, as many as a person would read; and of all that was
# found no more than the best few for each document that is shown.
CHUNKS_SHOWN = 10
CHUNKS_A_RESULT = 3


def best(ranked: Sequence[Ranked], limit: int) -> list[Ranked]:
    """The hits of the first `limit` documents and lone memories; `ranked` is best first."""
    shown: dict[UUID, int] = {}
    kept = []
    for place, one in enumerate(ranked):
        count = shown.get(one.group_id, 0)
        if count == 0 and len(shown) == limit:
            continue
        if count == 0 or (count < CHUNKS_SHOWN and place < CHUNKS_A_RESULT * limit):
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
