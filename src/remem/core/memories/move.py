"""Give every memory of a project to another, in a running transaction."""

from uuid import UUID

from remem.core.db import Tx
from remem.core.graph.entities import move_entities
from remem.core.index.kinds import MEMORY
from remem.core.index.write import move
from remem.core.memories import store
from remem.core.memories.index_memory import hide, relate_again
from remem.core.memories.merge import merge_into
from remem.core.ports import Ports
from remem.core.scope import Scope


async def move_memories(
    ports: Ports, tx: Tx, scope: Scope, project_id: UUID, to: UUID
) -> tuple[int, int]:
    """How many are shown there now, and how many said what the other project said already: those
    are merged into its own, and stay as versions. Both projects are locked by the caller."""
    twins = await store.twins(tx, scope, project_id, to)
    for copy, kept in twins:
        await merge_into(ports, tx, scope, copy, kept)
    for memory in await store.shown_unwanted(tx, scope, project_id, to):
        await hide(ports, tx, scope, memory)
    is_alone = not await store.has_shown(tx, scope, to)
    moved = await store.move_all(tx, scope, project_id, to)
    await move(ports, tx, scope, MEMORY, moved, (project_id, to))
    await move_entities(tx, scope, project_id, to)
    for id in [] if is_alone else moved:
        await relate_again(ports, tx, scope, id)
    return len(moved), len(twins)
