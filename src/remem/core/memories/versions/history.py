"""The history of a memory: its versions and the events of the audit trail."""

from dataclasses import dataclass
from uuid import UUID

from remem.core.events.model import Event
from remem.core.events.read import events_of
from remem.core.memories import memory_store
from remem.core.memories.model import Memory
from remem.core.memories.versions import memory_version_store
from remem.core.ports import Ports
from remem.core.scope import Scope

VERSIONS_LIMIT = 200


@dataclass(frozen=True, slots=True)
class History:
    """Both oldest first; of a long chain, only the newest versions."""

    versions: list[Memory]
    events: list[Event]


async def get_history(ports: Ports, scope: Scope, id: UUID) -> History:
    async with ports.db.transaction(scope) as tx:
        memory = await memory_store.require(tx, id)
        versions = await memory_version_store.chain(tx, memory.root_id, VERSIONS_LIMIT)
        events = await events_of(tx, [version.id for version in versions])
    return History(versions, events)
