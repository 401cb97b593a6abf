"""Answer a question out of what is kept, in its own words, with where they stand."""

import time
from collections.abc import Sequence
from dataclasses import replace

import structlog

from remem.core.answers.compose import compose
from remem.core.answers.model import Answer, Place, Reading, Source
from remem.core.answers.people import may_answer
from remem.core.errors import Unavailable
from remem.core.ports import Ports
from remem.core.readings import Span
from remem.core.scope import Scope
from remem.core.search.model import Hit, Query
from remem.core.search.passage import passage
from remem.core.search.recall import recall
from remem.core.time import now

# As many as contain the answer nine times of ten, and no more than a person waits for.
READ_FIRST = 10

log = structlog.get_logger()


async def answer_question(ports: Ports, scope: Scope, query: Query) -> Answer:
    """The query's own mode is not looked at: what is read is looked for with `best`. Where nobody
    can read, the answer is not known, and its sources are what was found."""
    started = time.perf_counter()
    asked_at = query.asked_at or now()
    found = await recall(ports, scope, replace(query, mode="best", limit=READ_FIRST))
    hits = [hit for document in found.found for hit in document.hits]
    hits = [hit for hit in hits if may_answer(query.text, _source(hit))]
    first = sorted(hits, key=lambda hit: -hit.score)[:READ_FIRST]
    sources = [_source(hit) for hit in first]
    readings = await _readings(ports, query.text, first, sources)
    answer = compose(query.text, asked_at, readings)
    took_ms = (time.perf_counter() - started) * 1_000
    return replace(answer, took_ms=took_ms, sources=tuple(sources))


def _source(hit: Hit) -> Source:
    """Of a chunk its text; of a memory that stands for itself, what it says."""
    memory, chunk = hit.memory, hit.chunk
    if chunk is not None and not hit.lone:
        return Source(
            chunk.content,
            "chunk",
            chunk.chunk_id,
            chunk.document_id,
            chunk.start_offset,
            chunk.speaker,
            chunk.said_at or chunk.created_at,
        )
    assert memory is not None
    said_at = memory.said_at or memory.stated_at
    return Source(
        memory.content, "memory", memory.id, memory.document_id, 0, memory.speaker, said_at
    )


async def _readings(
    ports: Ports, question: str, hits: Sequence[Hit], sources: Sequence[Source]
) -> list[Reading]:
    if ports.reader is None or not sources:
        return []
    texts = [passage(source.content, question) for source in sources]
    try:
        spans = await ports.reader.read(question, texts)
    except Unavailable as error:
        log.warning("reader_unused", error=str(error))
        return []
    return [
        Reading(source, rank, hit.parts.relevance or 0.0, _places(source, text, rank, spans))
        for rank, (hit, source, text) in enumerate(zip(hits, sources, texts, strict=True))
    ]


def _places(source: Source, text: str, number: int, spans: Sequence[Span]) -> list[Place]:
    """In the whole of the source, of which a part was read."""
    shift = source.content.find(text)
    return [
        Place(span.start + shift, span.end + shift, span.confidence)
        for span in spans
        if span.text == number
    ]
