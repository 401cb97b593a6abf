"""One answer a document: its best chunk ranks it, its chunks stand in reading order."""

from collections.abc import Iterable
from uuid import UUID

from remem.core.search.model import Found, Hit


def group(hits: Iterable[Hit]) -> list[Found]:
    by_document: dict[UUID, list[Hit]] = {}
    for hit in hits:
        by_document.setdefault(hit.candidate.document_id, []).append(hit)
    found = [
        Found(
            document=chunks[0].candidate,
            score=max(hit.score for hit in chunks),
            hits=tuple(sorted(chunks, key=lambda hit: hit.candidate.chunk_index)),
        )
        for chunks in by_document.values()
    ]
    return sorted(found, key=lambda one: (-one.score, str(one.document.document_id)))
