"""SQL of lists: what is valid, what was, what is due, a page at a time.

Conditions are written only when they are asked for, so that each finds its index."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from remem.core.current import current_memories, kept_memories, latest_memories, memories_at
from remem.core.db import Tx
from remem.core.memories.model import Memory, MemoryChoice
from remem.core.memories.store import COLUMNS, SELECT, Order, Place
from remem.core.scope import Scope
from remem.core.text import begins_with, has_tags
from remem.core.unreadable import values_of

# An inferred memory below this is worth a look by a person.
UNSURE_BELOW = 0.75
_RESTS_ON = (
    "(m.document_id = {0} OR m.id IN (SELECT l.from_id FROM links l"
    " WHERE l.tenant_id = $1 AND l.to_kind = 'document' AND l.to_id = {0}"
    " AND l.from_kind = 'memory' AND l.relation = 'derives'))"
)
# Of a memory with parts that are due, those are listed and not the memory; they go where it goes.
_DUE = (
    f"({current_memories('m')} AND NOT EXISTS (SELECT FROM memories p WHERE p.tenant_id = $1"
    f"  AND p.part_of = m.id AND p.due_at IS NOT NULL AND {kept_memories('p')})"
    f" OR m.part_of IS NOT NULL AND {kept_memories('m')} AND EXISTS (SELECT FROM memories w"
    f"  WHERE w.tenant_id = $1 AND w.id = m.part_of AND {current_memories('w')}"
    "  AND NOT w.context ? 'done'))"
)
_STATES = {
    "active": current_memories("m"),
    "quarantined": f"{latest_memories('m')} AND m.state = 'quarantined'",
    "superseded": f"{kept_memories('m')} AND m.state = 'superseded'",
}


def _where(
    scope: Scope, choice: MemoryChoice, project_ids: Sequence[UUID] | None, order: Order
) -> tuple[str, list[Any]]:
    values: list[Any] = [scope.tenant_id]

    def place(value: Any) -> str:
        values.append(value)
        return f"${len(values)}"

    parts = ["m.tenant_id = $1"]
    if choice.as_of:
        parts.append(memories_at("m", place(choice.as_of)))
    else:
        parts.append(_STATES[choice.state])
    if project_ids is not None:
        parts.append(_in_projects(project_ids, place))
    if choice.category:
        parts.append(f"m.category = {place(choice.category)}")
    parts += [f"m.content ~* {place(begins_with(word))}" for word in choice.words]
    if choice.tags:
        parts.append(has_tags("m.tags", f"{place(list(choice.tags))}::text[]"))
    if choice.since:
        parts.append(f"{order} >= {place(choice.since)}")
    if choice.until:
        parts.append(f"{order} < {place(choice.until)}")
    if choice.document_id:
        parts.append(_RESTS_ON.format(place(choice.document_id)))
    if choice.session_id:
        parts.append(f"m.session_id = {place(choice.session_id)}")
    if choice.review:
        parts.append('m.context @> \'{"review": "pending"}\'')
    if choice.review == "unsure":
        parts.append(f"(m.confidence < {place(UNSURE_BELOW)} OR m.category = 'insight')")
    return " AND ".join(parts), values


def _in_projects(project_ids: Sequence[UUID], place: Callable[[Any], str]) -> str:
    """One is asked for by itself, so that its index gives the order too."""
    if len(project_ids) == 1:
        return f"m.project_id = {place(project_ids[0])}"
    return f"m.project_id = ANY({place(list(project_ids))})"


async def has_document(tx: Tx, scope: Scope, id: UUID) -> bool:
    return await tx.fetchval(
        "SELECT EXISTS (SELECT FROM documents WHERE tenant_id = $1 AND id = $2)",
        scope.tenant_id,
        id,
    )


async def current_at(
    tx: Tx, scope: Scope, moment: datetime, project_ids: Sequence[UUID] | None, limit: int
) -> list[Memory]:
    """What was valid at a moment, whether it is current now or not."""
    rows = await tx.fetch(
        f"{SELECT} WHERE m.tenant_id = $1 AND {memories_at('m', '$2')}"
        " AND ($3::uuid[] IS NULL OR m.project_id = ANY($3))"
        " ORDER BY m.created_at DESC, m.id DESC LIMIT $4",
        scope.tenant_id,
        moment,
        list(project_ids) if project_ids is not None else None,
        limit,
    )
    return [Memory(**values_of(row)) for row in rows]


async def page(
    tx: Tx,
    scope: Scope,
    choice: MemoryChoice,
    project_ids: Sequence[UUID] | None,
    order: Order,
    before: Place | None,
    limit: int,
) -> tuple[list[Memory], int]:
    """The newest below a place, and how many there are in all."""
    where, values = _where(scope, choice, project_ids, order)
    total = f"(SELECT count(*)::int FROM memories m WHERE {where}) AS total"
    below = ""
    if before:
        values += before
        below = f" AND ({order}, m.id) < (${len(values) - 1}, ${len(values)})"
    values.append(limit)
    rows = await tx.fetch(
        f"SELECT {COLUMNS}, {total} FROM memories m WHERE {where}{below}"
        f" ORDER BY {order} DESC, m.id DESC LIMIT ${len(values)}",
        *values,
    )
    found = [values_of(row) for row in rows]
    totals = [row.pop("total") for row in found]
    return [Memory(**row) for row in found], totals[0] if totals else 0


async def due(
    tx: Tx,
    scope: Scope,
    project_ids: Sequence[UUID] | None,
    since: datetime | None,
    limit: int,
) -> list[Memory]:
    """What has a day to be done by and is not marked as done in its context, the next first."""
    values: list[Any] = [scope.tenant_id, limit]

    def place(value: Any) -> str:
        values.append(value)
        return f"${len(values)}"

    narrowed = f" AND {_in_projects(project_ids, place)}" if project_ids is not None else ""
    narrowed += f" AND m.due_at >= {place(since)}" if since else ""
    rows = await tx.fetch(
        f"{SELECT} WHERE m.tenant_id = $1 AND m.due_at IS NOT NULL"
        " AND NOT m.context ? 'done'"
        f" AND {_DUE}{narrowed} ORDER BY m.due_at, m.id LIMIT $2",
        *values,
    )
    return [Memory(**values_of(row)) for row in rows]
