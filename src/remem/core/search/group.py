"""Group results by document: ranked by the best hit, the hits in reading order."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.search.model import Hit, Ranked, RecallResult
from remem.core.search.policy import POLICY, Policy


def best(ranked: Sequence[Ranked], limit: int, policy: Policy = POLICY) -> list[Ranked]:
    """The hits of the first `limit` documents and lone memories; `ranked` is best first."""
    counts: dict[UUID, int] = {}
    selected = []
    for position, result in enumerate(ranked):
        count = counts.get(result.group_id, 0)
        if count == 0 and len(counts) == limit:
            continue
        is_near = position < policy.group_chunks_a_result * limit
        if count == 0 or (count < policy.group_chunks and is_near):
            counts[result.group_id] = count + 1
            selected.append(result)
    return selected


def count_groups(ranked: Sequence[Ranked]) -> int:
    """The number of documents and lone memories."""
    return len({result.group_id for result in ranked})


def group(hits: Sequence[tuple[Ranked, Hit]]) -> list[RecallResult]:
    groups: dict[UUID, list[Hit]] = {}
    for result, hit in hits:
        groups.setdefault(result.group_id, []).append(hit)
    return [_build_result(id, group_hits) for id, group_hits in groups.items()]


def _build_result(id: UUID, hits: Sequence[Hit]) -> RecallResult:
    chunk = hits[0].chunk
    document = chunk if chunk and chunk.document_id == id else None
    return RecallResult(document, hits[0].score, tuple(sorted(hits, key=_reading_position)))


def _reading_position(hit: Hit) -> int:
    return hit.chunk.chunk_index if hit.chunk else 0
