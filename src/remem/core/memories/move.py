"""Move every memory of a project to another one, in a running transaction."""

from uuid import UUID

from remem.core.graph.entities import move_entities
from remem.core.index.kinds import MEMORY
from remem.core.index.write import move
from remem.core.memories import memory_store
from remem.core.memories.index_memory import hide_chain, queue_relating
from remem.core.memories.merge import merge_into
from remem.core.ports import Ports
from remem.core.transaction import Tx


async def move_memories(ports: Ports, tx: Tx, project_id: UUID, to: UUID) -> tuple[int, int]:
    """Move the memories; returns how many of them are shown, and how many were duplicates.

    Duplicates are merged into the memories of the other project and stay as versions. The caller
    locks both projects."""
    duplicates = await memory_store.find_duplicates(tx, project_id, to)
    for copy, kept in duplicates:
        await merge_into(ports, tx, copy, kept)
    for memory in await memory_store.find_shown_rejected(tx, project_id, to):
        await hide_chain(ports, tx, memory)
    was_empty = not await memory_store.has_shown(tx, to)
    moved = await memory_store.move_all(tx, project_id, to)
    await move(ports, tx, MEMORY, moved, (project_id, to))
    await move_entities(tx, project_id, to)
    for id in [] if was_empty else moved:
        await queue_relating(ports, tx, id)
    return len(moved), len(duplicates)
