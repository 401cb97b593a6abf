"""Give every memory of a project to another, in a running transaction."""

from uuid import UUID

from remem.core.db import Tx
from remem.core.events.record import record
from remem.core.graph.entities import move_entities
from remem.core.graph.link import join
from remem.core.graph.model import Link
from remem.core.index.kinds import MEMORY
from remem.core.index.write import move
from remem.core.memories import store
from remem.core.memories.index_memory import retire
from remem.core.ports import Ports
from remem.core.scope import Scope


async def move_memories(
    ports: Ports, tx: Tx, scope: Scope, project_id: UUID, to: UUID
) -> tuple[int, int]:
    """How many are shown there now, and how many said what the other project said already: those
    are merged into its own, and stay as versions. Both projects are locked by the caller."""
    twins = await store.twins(tx, scope, project_id, to)
    for copy, kept_id in twins:
        await retire(ports, tx, scope, copy, ends=True)
        await join(tx, scope, [Link(MEMORY, copy.id, MEMORY, kept_id, "merged_into")])
        await record(tx, scope, MEMORY, copy.id, "merge", {"into": str(kept_id)})
    moved = await store.move_all(tx, scope, project_id, to)
    await move(ports, tx, scope, MEMORY, moved, (project_id, to))
    await move_entities(tx, scope, project_id, to)
    return len(moved), len(twins)
