"""Ask a language model, behind all other work, what a memory mentions; the rules' word is first."""

from uuid import UUID

from remem.core.errors import NotFound
from remem.core.events.record import record
from remem.core.graph.entities import mention_these, unmention
from remem.core.index.kinds import MEMORY
from remem.core.language.names.model import Mention
from remem.core.memories import store
from remem.core.memories.index_memory import own_tags, speaker_of
from remem.core.memories.model import Memory
from remem.core.ports import Ports
from remem.core.projects.manage import lock_project
from remem.core.scope import Scope


async def find_mentions(ports: Ports, scope: Scope, id: UUID) -> None:
    async with ports.db.transaction(scope) as tx:
        memory = await store.find(tx, scope, id)
    if memory is None or not memory.is_shown:
        return
    found = await ports.judge.mentions_by_model(memory.content, own_tags(memory))
    if found is not None:
        await _keep(ports, scope, memory, [*speaker_of(memory), *found])


async def _keep(ports: Ports, scope: Scope, memory: Memory, found: list[Mention]) -> None:
    async with ports.db.transaction(scope) as tx:
        try:
            await lock_project(tx, scope, memory.project_id)
        except NotFound:
            return
        now = await store.find(tx, scope, memory.id)
        if now is None or not now.is_shown or now.project_id != memory.project_id:
            return
        if now.tags != memory.tags:
            # The change that caused this has queued the job again.
            return
        await unmention(tx, scope, now.id)
        await mention_these(tx, scope, (now.project_id, now.id), found, now.valid_since)
        await record(tx, scope, MEMORY, now.id, "mentions", {"found": len(found)})
