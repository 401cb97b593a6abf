"""Say in one memory what several say; the others stay as history, and lead to it."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.db import Tx
from remem.core.errors import Conflict, Invalid, NotFound
from remem.core.events.record import record
from remem.core.graph.link import join
from remem.core.graph.model import Link
from remem.core.index.kinds import MEMORY
from remem.core.language.person import is_user
from remem.core.memories import check, store
from remem.core.memories.evidence import add_place, places_of, tags_to_give
from remem.core.memories.index_memory import embed, meaning_of, retire
from remem.core.memories.model import Memory
from remem.core.memories.versions.add import reload_locked, succeed
from remem.core.ports import Ports, Vector
from remem.core.projects.manage import lock_project
from remem.core.scope import Scope
from remem.core.text import clean, unique_tags
from remem.core.validate import TAGS_LIMIT

AT_ONCE = 10


async def merge_memories(
    ports: Ports, scope: Scope, ids: Sequence[UUID], content: str | None = None
) -> Memory:
    """The newest gets a version that says all of it: as `content` has it, or in the words of a
    language model where its answer is valid, or in their own, one after the other."""
    asked = list(dict.fromkeys(ids))
    if not 2 <= len(asked) <= AT_ONCE:
        raise Invalid("ids", f"name 2 to {AT_ONCE} different memories")
    if content is not None:
        check.check_content(content)
    async with ports.db.transaction(scope) as tx:
        found = [await store.find(tx, scope, id) for id in asked]
    memories = _all_current(asked, found)
    if len({memory.project_id for memory in memories}) > 1:
        raise Invalid("ids", "are of several projects; move them into one first")
    if content is None and len({_owner(memory) for memory in memories}) > 1:
        raise Invalid("ids", "are of several speakers; send the merged text as content")
    memories.sort(key=lambda one: (one.valid_since, one.id))
    said = clean(content) if content else await ports.judge.merge([one.content for one in memories])
    check.check_content(said)
    vector = await embed(ports, meaning_of(said, None, memories[-1].speaker))
    async with ports.db.transaction(scope) as tx:
        await lock_project(tx, scope, memories[0].project_id)
        now = [_unchanged(await reload_locked(tx, scope, one), one) for one in memories]
        return await _merge(ports, tx, scope, now, said, vector)


async def merge_into(ports: Ports, tx: Tx, scope: Scope, copy: Memory, kept: Memory) -> None:
    """End one that another says as well: that one is kept, and stands on its documents too."""
    await retire(ports, tx, scope, copy, ends=True)
    tags = unique_tags([*kept.tags, *await tags_to_give(tx, scope, copy, kept)])[:TAGS_LIMIT]
    kept = await store.change(tx, scope, kept.id, {"tags": tags})
    await _lead(tx, scope, copy, kept)


async def _merge(
    ports: Ports,
    tx: Tx,
    scope: Scope,
    memories: Sequence[Memory],
    said: str,
    vector: Vector | None,
) -> Memory:
    *others, newest = memories
    for one in others:
        await retire(ports, tx, scope, one, ends=True)
    tags = [tag for one in others for tag in await tags_to_give(tx, scope, one, newest)]
    tags = unique_tags([*tags, *newest.tags])[:TAGS_LIMIT]
    surest = max(one.confidence for one in memories)
    dates = [date for one in memories for date in one.dates if date["text"] in said]
    values = {"content": said, "tags": tags, "confidence": surest, "dates": dates}
    merged = await succeed(ports, tx, scope, newest, values, vector)
    for one in others:
        await _lead(tx, scope, one, merged)
    await record(tx, scope, MEMORY, merged.id, "merge", {"of": [str(one.id) for one in others]})
    return merged


async def _lead(tx: Tx, scope: Scope, copy: Memory, kept: Memory) -> None:
    await join(tx, scope, [Link(MEMORY, copy.id, MEMORY, kept.id, "merged_into")])
    await record(tx, scope, MEMORY, copy.id, "merge", {"into": str(kept.id)})
    for place in places_of(copy):
        kept = await add_place(tx, scope, kept, place)


def _owner(memory: Memory) -> str:
    """Whose "I" it is; empty for the user's."""
    return "" if is_user(memory.speaker) else (memory.speaker or "").casefold()


def _all_current(ids: Sequence[UUID], found: Sequence[Memory | None]) -> list[Memory]:
    there = {memory.id: memory for memory in found if memory}
    for id in ids:
        if id not in there:
            raise NotFound("memory", id)
    for memory in there.values():
        if not memory.is_shown:
            raise Conflict(
                f"The memory {memory.id} is an old version, or not active; merge what is current.",
                code="not_current",
            )
    return list(there.values())


def _unchanged(now: Memory | None, before: Memory) -> Memory:
    if now is None or not now.is_shown or now.content_hash != before.content_hash:
        raise Conflict(f"The memory {before.id} was changed just now; try again.", code="changed")
    return now
