"""Hand-made pools of candidates, for tests of scoring and fusion that need no store."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

import numpy as np

from remem.core.search.evidence import Pool
from remem.core.search.model import Candidate, Features
from remem.core.time import new_id

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)
NO_THREAD = UUID(int=0)


@dataclass(frozen=True, slots=True)
class PoolEntry:
    """A candidate: its cosine, how often each of the query's terms occurs in it, its features."""

    cosine: float = 0.0
    tf: tuple[int, ...] = (0,)
    speaker: str = ""
    thread_id: UUID = NO_THREAD
    place: int = 0
    said_at: datetime = NOW
    created_at: datetime = NOW
    asks: float = 0.0
    tells_time: bool = False
    chars: int = 100
    exact: int = 0
    title: str = ""


def pool_of(entries: Sequence[PoolEntry]) -> Pool:
    ids = [new_id() for _ in entries]
    features = [
        Features(
            id=id,
            chunk_id=id,
            title=entry.title,
            document_id=entry.thread_id,
            thread_id=entry.thread_id,
            place=entry.place,
            speaker=entry.speaker,
            said_at=entry.said_at,
            asks=entry.asks,
            tells_time=entry.tells_time,
            chars=entry.chars,
            created_at=entry.created_at,
            exact=entry.exact,
        )
        for id, entry in zip(ids, entries, strict=True)
    ]
    terms = len(entries[0].tf) if entries else 1
    return Pool(
        features=features,
        cosine=np.array([entry.cosine for entry in entries], dtype=float),
        tf=np.array([entry.tf for entry in entries], dtype=float).reshape(len(entries), terms),
        length=np.ones(len(entries)),
        weight=np.ones(terms),
        query_weight=float(terms),
    )


def candidate(
    chunk_id: UUID,
    document_id: UUID,
    content: str,
    start: int = 0,
    index: int = 0,
    title: str = "Title",
) -> Candidate:
    """A chunk as search returns it, with defaults for everything about its document."""
    return Candidate(
        chunk_id=chunk_id,
        document_id=document_id,
        content=content,
        chunk_index=index,
        start_offset=start,
        end_offset=start + len(content),
        page=None,
        at_s=None,
        heading_path=[],
        speaker=None,
        said_at=None,
        title=title,
        summary=None,
        source_url=None,
        content_type="text",
        tags=[],
        project_id=document_id,
        project_ref="default",
        forget_after=None,
        created_at=NOW,
    )
