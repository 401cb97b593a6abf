"""Move every memory of a project to another one, in a running transaction."""

from uuid import UUID

from remem.core.db import Tx
from remem.core.graph.entities import move_entities
from remem.core.index.kinds import MEMORY
from remem.core.index.write import move
from remem.core.memories import store
from remem.core.memories.index_memory import hide_chain, queue_relating
from remem.core.memories.merge import merge_into
from remem.core.ports import Ports
from remem.core.scope import Scope


async def move_memories(
    ports: Ports, tx: Tx, scope: Scope, project_id: UUID, to: UUID
) -> tuple[int, int]:
    """Move the memories; returns how many of them are shown, and how many were duplicates.

    Duplicates are merged into the memories of the other project and stay as versions. The caller
    locks both projects."""
    duplicates = await store.find_duplicates(tx, scope, project_id, to)
    for copy, kept in duplicates:
        await merge_into(ports, tx, scope, copy, kept)
    for memory in await store.find_shown_rejected(tx, scope, project_id, to):
        await hide_chain(ports, tx, scope, memory)
    was_empty = not await store.has_shown(tx, scope, to)
    moved = await store.move_all(tx, scope, project_id, to)
    await move(ports, tx, scope, MEMORY, moved, (project_id, to))
    await move_entities(tx, scope, project_id, to)
    for id in [] if was_empty else moved:
        await queue_relating(ports, tx, scope, id)
    return len(moved), len(duplicates)
