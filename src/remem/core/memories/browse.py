"""Read memories: one, several, a page of them, what happened when, what is due."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from remem.core.db import Tx
from remem.core.errors import Invalid, NotFound
from remem.core.memories import store
from remem.core.memories.check import check_category
from remem.core.memories.model import Memory, MemoryChoice
from remem.core.memories.pages import store as pages
from remem.core.memories.store import Order, Place
from remem.core.ports import Ports
from remem.core.projects.resolve import resolve_all
from remem.core.scope import Scope
from remem.core.time import now

BATCH_LIMIT = 100
_BY_OCCURRENCE: Order = "coalesce(m.occurred_at, m.said_at, m.created_at)"


@dataclass(frozen=True, slots=True)
class MemoryPage:
    memories: list[Memory]
    total: int
    next: Place | None


async def get_memory(ports: Ports, scope: Scope, id: UUID) -> Memory:
    """One memory; that it was read is counted."""
    async with ports.db.transaction(scope) as tx:
        memory = await store.access(tx, scope, id)
    if memory is None:
        raise NotFound("memory", id)
    return memory


async def get_memories(
    ports: Ports, scope: Scope, ids: Sequence[UUID]
) -> tuple[list[Memory], list[UUID]]:
    """Those that are there, in the order asked for, and the ids of the others."""
    if not 0 < len(ids) <= BATCH_LIMIT:
        raise Invalid("ids", f"send 1 to {BATCH_LIMIT} ids")
    asked = list(dict.fromkeys(ids))
    async with ports.db.transaction(scope) as tx:
        found = await store.find_many(tx, scope, asked)
    if not found:
        raise NotFound("memory", asked[0])
    there = {memory.id for memory in found}
    return found, [id for id in asked if id not in there]


async def find_shown(tx: Tx, scope: Scope, ids: Sequence[UUID]) -> list[Memory]:
    """Those that are found now, in the order asked for, inside a running transaction."""
    found = await store.find_many(tx, scope, ids)
    moment = now()
    return [one for one in found if one.is_valid_at(moment)]


async def read_many(tx: Tx, scope: Scope, ids: Sequence[UUID]) -> dict[UUID, Memory]:
    """Those that are there, inside a running transaction."""
    return {memory.id: memory for memory in await store.find_many(tx, scope, ids)} if ids else {}


async def current_at(
    tx: Tx, scope: Scope, moment: datetime, project_ids: Sequence[UUID] | None, limit: int
) -> list[Memory]:
    """What was valid at a moment, newest first, inside a running transaction."""
    return await pages.current_at(tx, scope, moment, project_ids, limit)


def touch_memories(ports: Ports, scope: Scope, ids: Sequence[UUID]) -> None:
    """Record that these were returned."""
    ports.access_log.note(store.touch, scope, ids)


async def list_memories(
    ports: Ports, scope: Scope, choice: MemoryChoice, before: Place | None, limit: int
) -> MemoryPage:
    """What was saved last comes first."""
    return await _page(ports, scope, choice, "m.created_at", before, limit)


async def timeline(
    ports: Ports, scope: Scope, choice: MemoryChoice, before: Place | None, limit: int
) -> MemoryPage:
    """What happened last comes first; what has no moment of its own happened when it was saved."""
    return await _page(ports, scope, choice, _BY_OCCURRENCE, before, limit)


async def _page(
    ports: Ports, scope: Scope, choice: MemoryChoice, order: Order, before: Place | None, limit: int
) -> MemoryPage:
    check_category(choice.category)
    async with ports.db.transaction(scope) as tx:
        if choice.document_id and not await pages.has_document(tx, scope, choice.document_id):
            raise NotFound("document", choice.document_id)
        if choice.session_id and not await store.session_exists(tx, scope, choice.session_id):
            raise NotFound("session", choice.session_id)
        projects = await resolve_all(tx, scope, choice.project)
        found, total = await pages.page(tx, scope, choice, projects, order, before, limit + 1)
    last = found[limit - 1] if len(found) > limit else None
    return MemoryPage(found[:limit], total, _place(last, order) if last else None)


def _place(memory: Memory, order: Order) -> Place:
    happened = (memory.occurred_at or memory.said_at) if order == _BY_OCCURRENCE else None
    return (happened or memory.created_at, memory.id)


async def upcoming(
    ports: Ports, scope: Scope, project: str | UUID | None, limit: int, *, overdue: bool = False
) -> list[Memory]:
    """What has a day to be done by, the next first; what is past it only when asked for."""
    async with ports.db.transaction(scope) as tx:
        projects = await resolve_all(tx, scope, project)
        since = None if overdue else now()
        return await pages.due(tx, scope, projects, since, limit)
