"""One answer a document: its best chunk ranks it, its chunks stand in reading order."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from remem.core.search.model import Candidate, Found, Hit, Ranked

# Of a long document that answers all over, as many as a person would read; and of all that was
# found no more than the best few for each document that is shown.
CHUNKS_SHOWN = 10
CHUNKS_A_RESULT = 3


def best(ranked: Sequence[Ranked], limit: int) -> list[Ranked]:
    """The chunks of the first `limit` documents; `ranked` is best first."""
    shown: dict[UUID, int] = {}
    kept = []
    for place, one in enumerate(ranked):
        count = shown.get(one.document_id, 0)
        if count == 0 and len(shown) == limit:
            continue
        if count == 0 or (count < CHUNKS_SHOWN and place < CHUNKS_A_RESULT * limit):
            shown[one.document_id] = count + 1
            kept.append(one)
    return kept


def group(ranked: Sequence[Ranked], texts: Mapping[UUID, Candidate]) -> list[Found]:
    by_document: dict[UUID, list[Hit]] = {}
    for one in ranked:
        if text := texts.get(one.id):
            by_document.setdefault(one.document_id, []).append(Hit(text, one.score, one.parts))
    return [
        Found(
            document=hits[0].candidate,
            score=hits[0].score,
            hits=tuple(sorted(hits, key=lambda hit: hit.candidate.chunk_index)),
        )
        for hits in by_document.values()
    ]
