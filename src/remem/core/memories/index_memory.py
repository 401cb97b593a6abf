"""Add a memory to the indexes and remove it, in the transaction that changes it."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import structlog

from remem.core.embedding import embed_with_timeout
from remem.core.errors import Unavailable
from remem.core.graph.entities import link_entities, unlink_entities
from remem.core.index.kinds import MEMORY
from remem.core.index.write import Text, index_texts, unindex
from remem.core.jobs.enqueue import enqueue
from remem.core.language.names.forms import normalise
from remem.core.language.names.model import Mention
from remem.core.language.person import is_external, is_feed, is_user
from remem.core.memories import memory_store
from remem.core.memories.model import DISTIL, Memory
from remem.core.memories.versions import memory_version_store
from remem.core.ports import ModelVector, Point, Ports
from remem.core.scope import Scope
from remem.core.text import content_hash
from remem.core.transaction import Tx
from remem.core.vector_models.current import embedder_for, keep_model

EMBED_JOB = "embed_memory"
RELATE_JOB = "relate_memory"
MENTIONS_JOB = "find_mentions"
# Lower than every job that makes something searchable.
MENTIONS_PRIORITY = -20
_WEEK_DAYS, _YEAR_DAYS = 7, 300

log = structlog.get_logger()


def embedding_text(memory: Memory) -> str:
    """The text that a memory is embedded with."""
    return build_embedding_text(memory.content, memory.expanded, memory.speaker)


def build_embedding_text(content: str, expanded: str | None, speaker: str | None = None) -> str:
    """The statement with its speaker, followed by the model's expansion if there is one."""
    is_named = not is_user(speaker) and (is_feed(speaker) or not is_external(speaker))
    spoken = f"{speaker}: {content}" if is_named else content
    return f"{spoken}\n{expanded}" if expanded else spoken


def search_text(memory: Memory) -> Text:
    """The text that word search indexes: also the title, speaker, dates and tags."""
    parts = [memory.title or "", embedding_text(memory), *_days(memory), *own_tags(memory)]
    return Text(memory.id, "\n".join(part for part in parts if part))


def own_tags(memory: Memory) -> list[str]:
    """The memory's own tags; those of a document describe the document, not each statement."""
    return [] if memory.source == DISTIL else memory.tags


def _days(memory: Memory) -> list[str]:
    """The certain dates as text: "5 May 2026", "May 2026" for a month, "2026" for a year."""
    certain = [date for date in memory.dates if date["certain"]]
    spans = [
        (datetime.fromisoformat(date["start"]), datetime.fromisoformat(date["end"]))
        for date in certain
    ]
    return [_format_span(start, end) for start, end in spans]


def _format_span(start: datetime, end: datetime) -> str:
    if (end - start).days > _YEAR_DAYS:
        return f"{start.year}"
    month = f"{start:%B %Y}"
    return month if (end - start).days > _WEEK_DAYS else f"{start.day} {month}"


async def embed(ports: Ports, scope: Scope, text: str) -> ModelVector | None:
    """The vector of a text; None when the model does not answer, so that a job does it later."""
    embedder = await embedder_for(ports, scope)
    try:
        return ModelVector(embedder.model, (await embed_with_timeout(embedder, [text]))[0])
    except Unavailable as error:
        log.warning("embedding_postponed", error=error.code)
        return None


async def index_memory(
    ports: Ports,
    tx: Tx,
    memory: Memory,
    vector: ModelVector | None,
    *,
    later: str = EMBED_JOB,
    mentions: Sequence[Mention] | None = None,
) -> UUID | None:
    """Add a memory to the word index, the entity graph and the vector index.

    Without a vector, or when it cannot be stored now, the job `later` is queued and its id is
    returned. `mentions` is the result of `mentions_in`, if it is known already."""
    await index_texts(tx, MEMORY, memory.project_id, [search_text(memory)])
    await link_mentions(ports, tx, memory, mentions)
    if vector is not None and await store_vector(ports, tx, memory, vector):
        return None
    return await enqueue(ports, tx, later, memory.id)


async def queue_relating(ports: Ports, tx: Tx, id: UUID) -> None:
    """Queue relating a memory to the others of the project that it was moved to."""
    await memory_store.mark_embedded(tx, id, None, None)
    await enqueue(ports, tx, RELATE_JOB, id)


async def mentions_in(ports: Ports, content: str, tags: Sequence[str]) -> list[Mention]:
    """The mentions that the rules find; empty when the analysis takes too long."""
    return await ports.judge.mentions(content, tags)


async def link_mentions(
    ports: Ports, tx: Tx, memory: Memory, mentions: Sequence[Mention] | None = None
) -> None:
    """Link the mentions that the rules find, and queue the language model if there is one."""
    if mentions is None:
        mentions = await mentions_in(ports, memory.content, own_tags(memory))
    place = (memory.project_id, memory.id)
    all_mentions = [*speaker_of(memory), *mentions]
    await link_entities(tx, place, all_mentions, memory.valid_since)
    await queue_mentions(ports, tx, [memory])


async def queue_mentions(ports: Ports, tx: Tx, memories: Sequence[Memory]) -> None:
    """Queue asking the language model for mentions, if there is one."""
    for memory in memories if ports.judge.asks_model else ():
        priority = MENTIONS_PRIORITY
        await enqueue(ports, tx, MENTIONS_JOB, memory.id, priority=priority, large=True)


def speaker_of(memory: Memory) -> list[Mention]:
    """The speaker as a mention, unless it is the user or nobody."""
    name = " ".join((memory.speaker or "").split())
    if is_user(name) or is_external(name):
        return []
    return [Mention("person", name, normalise(name), name)]


async def store_vector(ports: Ports, tx: Tx, memory: Memory, vector: ModelVector) -> bool:
    """Store the vector; False when the vector index is down, or when the vectors belong to another
    model since it was made."""
    model, hash = vector.model, content_hash(embedding_text(memory))
    point = Point(MEMORY, memory.id, memory.project_id, vector.values)
    try:
        if not await keep_model(ports, tx, model):
            raise Unavailable(
                "The model of the vectors was changed just now.", code="model_changed"
            )
        await ports.vectors.put(tx, model, [point])
    except Unavailable as error:
        log.warning("vector_postponed", memory=str(memory.id), error=error.code)
        model = hash = None
    if memory.embedded_with != model:
        await memory_store.mark_embedded(tx, memory.id, model, hash)
    return model is not None


async def unindex_memory(ports: Ports, tx: Tx, memory: Memory) -> None:
    """Remove a memory from the word index, the vector index and the entity graph."""
    await unlink_entities(tx, memory.id)
    await unindex(ports, tx, MEMORY, memory.project_id, [memory.id])


async def hide_chain(ports: Ports, tx: Tx, memory: Memory) -> None:
    """Delete a memory softly with its chain, because a person deleted the same statement."""
    await unindex_memory(ports, tx, memory)
    await memory_version_store.set_deleted(tx, memory.root_id, deleted=True)


async def retire(ports: Ports, tx: Tx, memory: Memory, *, ends: bool = False) -> None:
    """Mark a memory as no longer current; with `ends`, also as no longer valid."""
    await unindex_memory(ports, tx, memory)
    await memory_version_store.retire(tx, memory.id, ends=ends)
