"""Low-priority job: replace the mentions found by rules with those a language model finds."""

from uuid import UUID

from remem.core.errors import NotFound
from remem.core.events.record import record
from remem.core.graph.entities import link_entities, unlink_entities
from remem.core.index.kinds import MEMORY
from remem.core.language.names.model import Mention
from remem.core.memories import memory_store
from remem.core.memories.index_memory import own_tags, speaker_of
from remem.core.memories.model import Memory
from remem.core.ports import Ports
from remem.core.projects.manage import lock_project
from remem.core.scope import Scope


async def find_mentions(ports: Ports, scope: Scope, id: UUID) -> None:
    async with ports.db.transaction(scope) as tx:
        memory = await memory_store.find(tx, id)
    if memory is None or not memory.is_shown:
        return
    mentions = await ports.judge.mentions_by_model(memory.content, own_tags(memory))
    if mentions is not None:
        await _replace_mentions(ports, scope, memory, [*speaker_of(memory), *mentions])


async def _replace_mentions(
    ports: Ports, scope: Scope, memory: Memory, mentions: list[Mention]
) -> None:
    async with ports.db.transaction(scope, turn=memory.project_id) as tx:
        try:
            await lock_project(tx, memory.project_id)
        except NotFound:
            return
        now = await memory_store.find(tx, memory.id)
        if now is None or not now.is_shown or now.project_id != memory.project_id:
            return
        if now.tags != memory.tags:
            # The edit of the tags has queued the job again.
            return
        await unlink_entities(tx, now.id)
        await link_entities(tx, (now.project_id, now.id), mentions, now.valid_since)
        await record(tx, MEMORY, now.id, "mentions", {"found": len(mentions)})
