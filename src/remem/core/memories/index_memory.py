"""Put a memory into the indexes and take it out, in the transaction that changes it."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import structlog

from remem.core.db import Tx
from remem.core.embedding import embed_soon
from remem.core.errors import Unavailable
from remem.core.graph.entities import mention_these, unmention
from remem.core.index.kinds import MEMORY
from remem.core.index.write import Text, index_texts, unindex
from remem.core.jobs.enqueue import enqueue
from remem.core.language.names.forms import normalise
from remem.core.language.names.model import Mention
from remem.core.language.person import is_user
from remem.core.memories import store
from remem.core.memories.model import DISTIL, Memory
from remem.core.memories.versions import store as version_store
from remem.core.ports import Point, Ports, Vector
from remem.core.scope import Scope
from remem.core.text import content_hash

EMBED_JOB = "embed_memory"
RELATE_JOB = "relate_memory"
MENTIONS_JOB = "find_mentions"
# Behind everything that makes something findable.
MENTIONS_PRIORITY = -20
_WEEK_DAYS, _YEAR_DAYS = 7, 300

log = structlog.get_logger()


def meaning(memory: Memory) -> str:
    """The text a memory is embedded by."""
    return meaning_of(memory.content, memory.expanded, memory.speaker)


def meaning_of(content: str, expanded: str | None, speaker: str | None = None) -> str:
    """As it was said, by whom, and in the words a model added: never in those alone."""
    said = content if is_user(speaker) else f"{speaker}: {content}"
    return f"{said}\n{expanded}" if expanded else said


def words(memory: Memory) -> Text:
    """The text a memory is found by: also by who said it, and the days it is about."""
    said = [memory.title or "", meaning(memory), *_days(memory), *own_tags(memory)]
    return Text(memory.id, "\n".join(part for part in said if part))


def own_tags(memory: Memory) -> list[str]:
    """Tags of a document say what the document is about, and not each of its statements."""
    return [] if memory.source == DISTIL else memory.tags


def _days(memory: Memory) -> list[str]:
    """As they are written out; those of whole months and years without a day."""
    known = [one for one in memory.dates if one["certain"]]
    spans = [
        (datetime.fromisoformat(one["start"]), datetime.fromisoformat(one["end"])) for one in known
    ]
    return [_written(start, end) for start, end in spans]


def _written(start: datetime, end: datetime) -> str:
    if (end - start).days > _YEAR_DAYS:
        return f"{start.year}"
    month = f"{start:%B %Y}"
    return month if (end - start).days > _WEEK_DAYS else f"{start.day} {month}"


async def embed(ports: Ports, text: str) -> Vector | None:
    """None when the model does not answer now: what needs it is done later."""
    try:
        return (await embed_soon(ports.embedder, [text]))[0]
    except Unavailable as error:
        log.warning("embedding_postponed", error=error.code)
        return None


async def index_memory(
    ports: Ports,
    tx: Tx,
    scope: Scope,
    memory: Memory,
    vector: Vector | None,
    *,
    later: str = EMBED_JOB,
    mentions: Sequence[Mention] | None = None,
) -> UUID | None:
    """Let it be found by word and by what it mentions, and by meaning now or after the job whose
    id is given. `mentions` are those of `mentions_in`, where they are known already."""
    await index_texts(tx, scope, MEMORY, memory.project_id, [words(memory)])
    await link_mentions(ports, tx, scope, memory, mentions)
    if vector is not None and await keep_vector(ports, tx, scope, memory, vector):
        return None
    return await enqueue(ports, tx, scope, later, memory.id)


async def relate_again(ports: Ports, tx: Tx, scope: Scope, id: UUID) -> None:
    """Find out later what a memory is to the others of the project that it was moved to."""
    await store.mark_embedded(tx, scope, id, None, None)
    await enqueue(ports, tx, scope, RELATE_JOB, id)


async def mentions_in(ports: Ports, content: str, tags: Sequence[str]) -> list[Mention]:
    """What a text mentions by rules; nothing when that takes too long to find out."""
    return await ports.judge.mentions(content, tags)


async def link_mentions(
    ports: Ports,
    tx: Tx,
    scope: Scope,
    memory: Memory,
    mentions: Sequence[Mention] | None = None,
) -> None:
    """By rules at once; where there is a language model, by its word later."""
    if mentions is None:
        mentions = await mentions_in(ports, memory.content, own_tags(memory))
    place = (memory.project_id, memory.id)
    found = [*speaker_of(memory), *mentions]
    await mention_these(tx, scope, place, found, memory.valid_since)
    await queue_mentions(ports, tx, scope, [memory])


async def queue_mentions(ports: Ports, tx: Tx, scope: Scope, memories: Sequence[Memory]) -> None:
    """Ask a language model later, where there is one."""
    for memory in memories if ports.judge.asks_model else ():
        await enqueue(ports, tx, scope, MENTIONS_JOB, memory.id, priority=MENTIONS_PRIORITY)


def speaker_of(memory: Memory) -> list[Mention]:
    """Who says something is somebody it is about."""
    name = " ".join((memory.speaker or "").split())
    if is_user(name):
        return []
    return [Mention("person", name, normalise(name), name)]


async def keep_vector(ports: Ports, tx: Tx, scope: Scope, memory: Memory, vector: Vector) -> bool:
    """False when the vector index is down."""
    model, hash = ports.embedder.model, content_hash(meaning(memory))
    point = Point(MEMORY, memory.id, memory.project_id, vector)
    try:
        await ports.vectors.put(tx, scope, model, [point])
    except Unavailable as error:
        log.warning("vector_postponed", memory=str(memory.id), error=error.code)
        model = hash = None
    if memory.embedded_with != model:
        await store.mark_embedded(tx, scope, memory.id, model, hash)
    return model is not None


async def unindex_memory(ports: Ports, tx: Tx, scope: Scope, memory: Memory) -> None:
    """Let it be found no more, by word, by meaning or by what it mentions."""
    await unmention(tx, scope, memory.id)
    await unindex(ports, tx, scope, MEMORY, memory.project_id, [memory.id])


async def hide(ports: Ports, tx: Tx, scope: Scope, memory: Memory) -> None:
    """Forget it with its chain: a person has forgotten the same where it comes to."""
    await unindex_memory(ports, tx, scope, memory)
    await version_store.set_deleted(tx, scope, memory.root_id, deleted=True)


async def retire(ports: Ports, tx: Tx, scope: Scope, memory: Memory, *, ends: bool = False) -> None:
    """Mark it as no longer current: another one replaces it."""
    await unindex_memory(ports, tx, scope, memory)
    await version_store.retire(tx, scope, memory.id, ends=ends)
