"""Merge several memories into one; the others stay as history and link to it."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.errors import Conflict, Invalid, NotFound
from remem.core.events.record import record
from remem.core.graph.link import add_links
from remem.core.graph.model import Link
from remem.core.index.kinds import MEMORY
from remem.core.language.person import is_user
from remem.core.memories import check, memory_store
from remem.core.memories.evidence import add_place, inheritable_tags, places_of
from remem.core.memories.index_memory import build_embedding_text, embed, retire
from remem.core.memories.model import Memory
from remem.core.memories.versions.add import reload_locked, succeed
from remem.core.ports import ModelVector, Ports
from remem.core.projects.manage import lock_project
from remem.core.scope import Scope
from remem.core.text import clean, unique_tags
from remem.core.transaction import Tx
from remem.core.validate import TAGS_LIMIT

MAX_MEMORIES = 10


async def merge_memories(
    ports: Ports, scope: Scope, ids: Sequence[UUID], content: str | None = None
) -> Memory:
    """Merge memories into a new version of the newest one.

    Its text is `content` if it is sent, else the language model's if that is valid, else the texts
    one after the other."""
    unique_ids = list(dict.fromkeys(ids))
    if not 2 <= len(unique_ids) <= MAX_MEMORIES:
        raise Invalid("ids", f"name 2 to {MAX_MEMORIES} different memories")
    if content is not None:
        check.check_content(content)
    async with ports.db.transaction(scope) as tx:
        rows = [await memory_store.find(tx, id) for id in unique_ids]
    memories = _require_current(unique_ids, rows)
    if len({memory.project_id for memory in memories}) > 1:
        raise Invalid("ids", "are of several projects; move them into one first")
    if content is None and len({_speaker(memory) for memory in memories}) > 1:
        raise Invalid("ids", "are of several speakers; send the merged text as content")
    memories.sort(key=lambda memory: (memory.valid_since, memory.id))
    text = (
        clean(content)
        if content
        else await ports.judge.merge([memory.content for memory in memories])
    )
    check.check_content(text)
    vector = await embed(ports, scope, build_embedding_text(text, None, memories[-1].speaker))
    async with ports.db.transaction(scope, turn=memories[0].project_id) as tx:
        await lock_project(tx, memories[0].project_id)
        now = [_require_unchanged(await reload_locked(tx, memory), memory) for memory in memories]
        return await _merge(ports, tx, now, text, vector)


async def merge_into(ports: Ports, tx: Tx, copy: Memory, kept: Memory) -> None:
    """Retire a duplicate; the kept memory gets its tags and evidence."""
    await retire(ports, tx, copy, ends=True)
    tags = unique_tags([*kept.tags, *await inheritable_tags(tx, copy, kept)])[:TAGS_LIMIT]
    kept = await memory_store.change(tx, kept.id, {"tags": tags})
    await _link_copy(tx, copy, kept)


async def _merge(
    ports: Ports, tx: Tx, memories: Sequence[Memory], text: str, vector: ModelVector | None
) -> Memory:
    *others, newest = memories
    for memory in others:
        await retire(ports, tx, memory, ends=True)
    tags = [tag for memory in others for tag in await inheritable_tags(tx, memory, newest)]
    tags = unique_tags([*tags, *newest.tags])[:TAGS_LIMIT]
    confidence = max(memory.confidence for memory in memories)
    dates = [date for memory in memories for date in memory.dates if date["text"] in text]
    values = {"content": text, "tags": tags, "confidence": confidence, "dates": dates}
    merged = await succeed(ports, tx, newest, values, vector)
    for memory in others:
        await _link_copy(tx, memory, merged)
    await record(tx, MEMORY, merged.id, "merge", {"of": [str(memory.id) for memory in others]})
    return merged


async def _link_copy(tx: Tx, copy: Memory, kept: Memory) -> None:
    await add_links(tx, [Link(MEMORY, copy.id, MEMORY, kept.id, "merged_into")])
    await record(tx, MEMORY, copy.id, "merge", {"into": str(kept.id)})
    for place in places_of(copy):
        kept = await add_place(tx, kept, place)


def _speaker(memory: Memory) -> str:
    """The speaker, in lower case; empty for the user."""
    return "" if is_user(memory.speaker) else (memory.speaker or "").casefold()


def _require_current(ids: Sequence[UUID], rows: Sequence[Memory | None]) -> list[Memory]:
    memories = {memory.id: memory for memory in rows if memory}
    for id in ids:
        if id not in memories:
            raise NotFound("memory", id)
    for memory in memories.values():
        if not memory.is_shown:
            raise Conflict(
                f"The memory {memory.id} is an old version, or not active; merge what is current.",
                code="not_current",
            )
    return list(memories.values())


def _require_unchanged(now: Memory | None, before: Memory) -> Memory:
    if now is None or not now.is_shown or now.content_hash != before.content_hash:
        raise Conflict(f"The memory {before.id} was changed just now; try again.", code="changed")
    return now
