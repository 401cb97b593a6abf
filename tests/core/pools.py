"""Pools of candidates made by hand, to weigh and fuse without a store."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

import numpy as np

from remem.core.search.evidence import Pool
from remem.core.search.model import Candidate, Features
from remem.core.time import new_id

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)
ALONE = UUID(int=0)


@dataclass(frozen=True, slots=True)
class One:
    """A candidate with its cosine and how often each of the query's terms stands in it."""

    cosine: float = 0.0
    tf: tuple[int, ...] = (0,)
    speaker: str = ""
    thread_id: UUID = ALONE
    place: int = 0
    said_at: datetime = NOW
    created_at: datetime = NOW
    asks: float = 0.0
    tells_time: bool = False
    chars: int = 100
    exact: int = 0
    title: str = ""


def pool_of(ones: Sequence[One]) -> Pool:
    ids = [new_id() for _ in ones]
    features = [
        Features(
            id=id,
            chunk_id=id,
            title=one.title,
            document_id=one.thread_id,
            thread_id=one.thread_id,
            place=one.place,
            speaker=one.speaker,
            said_at=one.said_at,
            asks=one.asks,
            tells_time=one.tells_time,
            chars=one.chars,
            created_at=one.created_at,
            exact=one.exact,
        )
        for id, one in zip(ids, ones, strict=True)
    ]
    terms = len(ones[0].tf) if ones else 1
    return Pool(
        features=features,
        cosine=np.array([one.cosine for one in ones], dtype=float),
        tf=np.array([one.tf for one in ones], dtype=float).reshape(len(ones), terms),
        length=np.ones(len(ones)),
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
    """A chunk as it was found, of a document about which nothing else is known."""
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
        project_slug="default",
        forget_after=None,
        created_at=NOW,
    )
