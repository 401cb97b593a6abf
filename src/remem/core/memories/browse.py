"""Read memories: one, several, a page, a timeline, what is due."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from remem.core.errors import Invalid, NotFound
from remem.core.memories import memory_page_store, memory_store
from remem.core.memories.check import check_category
from remem.core.memories.memory_store import Order, Place
from remem.core.memories.model import DueSpan, Memory, MemoryChoice
from remem.core.ports import Ports
from remem.core.projects.resolve import resolve_all
from remem.core.scope import Scope
from remem.core.time import now
from remem.core.transaction import Tx

BATCH_LIMIT = 100
_BY_OCCURRENCE: Order = "coalesce(m.occurred_at, m.said_at, m.created_at)"


@dataclass(frozen=True, slots=True)
class MemoryPage:
    memories: list[Memory]
    total: int
    next: Place | None


async def get_memory(ports: Ports, scope: Scope, id: UUID) -> Memory:
    """One memory; counts the read."""
    async with ports.db.transaction(scope) as tx:
        memory = await memory_store.read_and_count(tx, id)
    if memory is None:
        raise NotFound("memory", id)
    return memory


async def get_memories(
    ports: Ports, scope: Scope, ids: Sequence[UUID]
) -> tuple[list[Memory], list[UUID]]:
    """The memories that exist, in the order of the ids, and the ids of the others."""
    if not 0 < len(ids) <= BATCH_LIMIT:
        raise Invalid("ids", f"send 1 to {BATCH_LIMIT} ids")
    unique_ids = list(dict.fromkeys(ids))
    async with ports.db.transaction(scope) as tx:
        memories = await memory_store.find_many(tx, unique_ids)
    existing = {memory.id for memory in memories}
    return memories, [id for id in unique_ids if id not in existing]


async def find_shown(tx: Tx, ids: Sequence[UUID]) -> list[Memory]:
    """The memories that are shown and valid now, in the order of the ids; in a running
    transaction."""
    memories = await memory_store.find_many(tx, ids)
    moment = now()
    return [memory for memory in memories if memory.is_valid_at(moment)]


async def read_many(tx: Tx, ids: Sequence[UUID]) -> dict[UUID, Memory]:
    """The memories that exist, by id; in a running transaction."""
    return {memory.id: memory for memory in await memory_store.find_many(tx, ids)} if ids else {}


async def current_at(
    tx: Tx, moment: datetime, project_ids: Sequence[UUID] | None, limit: int
) -> list[Memory]:
    """What was valid at a moment, newest first; in a running transaction."""
    return await memory_page_store.current_at(tx, moment, project_ids, limit)


def touch_memories(ports: Ports, scope: Scope, ids: Sequence[UUID]) -> None:
    """Record that these memories were returned."""
    ports.access_log.note(memory_store.touch, scope, ids)


async def list_memories(
    ports: Ports, scope: Scope, choice: MemoryChoice, before: Place | None, limit: int
) -> MemoryPage:
    """A page of memories, the last saved first."""
    return await _page(ports, scope, choice, "m.created_at", before, limit)


async def timeline(
    ports: Ports, scope: Scope, choice: MemoryChoice, before: Place | None, limit: int
) -> MemoryPage:
    """A page of memories, the last event first; one without a time happened when it was saved."""
    return await _page(ports, scope, choice, _BY_OCCURRENCE, before, limit)


async def _page(
    ports: Ports, scope: Scope, choice: MemoryChoice, order: Order, before: Place | None, limit: int
) -> MemoryPage:
    check_category(choice.category)
    async with ports.db.transaction(scope) as tx:
        if choice.document_id and not await memory_page_store.has_document(tx, choice.document_id):
            raise NotFound("document", choice.document_id)
        if choice.session_id and not await memory_store.session_exists(tx, choice.session_id):
            raise NotFound("session", choice.session_id)
        projects = await resolve_all(tx, choice.project)
        memories, total = await memory_page_store.page(
            tx, choice, projects, order, before, limit + 1
        )
    last = memories[limit - 1] if len(memories) > limit else None
    return MemoryPage(memories[:limit], total, _place(last, order) if last else None)


def _place(memory: Memory, order: Order) -> Place:
    occurred_at = (memory.occurred_at or memory.said_at) if order == _BY_OCCURRENCE else None
    return (occurred_at or memory.created_at, memory.id)


async def upcoming(
    ports: Ports, scope: Scope, project: str | UUID | None, limit: int, span: DueSpan | None = None
) -> list[Memory]:
    """Memories with a due date in the span, by default from now on, the next first."""
    async with ports.db.transaction(scope) as tx:
        projects = await resolve_all(tx, project)
        return await memory_page_store.due(tx, projects, span or DueSpan(now()), limit)
