"""SQL of lists of memories: what is valid, what was valid, what is due, a page at a time.

Only the conditions that are needed are written, so that PostgreSQL can use the right index."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from remem.core.current import (
    current_memories,
    deleted_memories,
    latest_memories,
    memories_at,
    undeleted_memories,
)
from remem.core.memories.memory_store import COLUMNS, SELECT, Order, Place
from remem.core.memories.model import DueSpan, Memory, MemoryChoice
from remem.core.scope import Scope
from remem.core.text import has_tags_sql, word_prefix_pattern
from remem.core.transaction import Tx
from remem.core.unreadable import row_values

# What a person is asked about: insights, and inferred memories with a lower confidence where a
# mistake matters: with a date, or said by another person. The rest stays as it is, and so does what
# nobody looked at for so long.
UNSURE_BELOW, ASKED_DAYS = 0.75, 30
_MATTERS = (
    "(m.due_at IS NOT NULL OR m.dates <> '[]' OR m.speaker IS NOT NULL AND m.speaker <> 'user'"
    "  AND m.speaker !~ '^(Page|Feed|File): ')"
)
_STATED_BY = (
    "(m.document_id = {0} OR m.id IN (SELECT l.from_id FROM links l"
    " WHERE l.tenant_id = $1 AND l.to_kind = 'document' AND l.to_id = {0}"
    " AND l.from_kind = 'memory' AND l.relation = 'derives'))"
)
# If parts of a memory are due, they are listed instead of it, as long as the memory is current.
_DUE = (
    f"({current_memories('m')} AND NOT EXISTS (SELECT FROM memories p WHERE p.tenant_id = $1"
    f"  AND p.part_of = m.id AND p.due_at IS NOT NULL AND {undeleted_memories('p')})"
    f" OR m.part_of IS NOT NULL AND {undeleted_memories('m')} AND EXISTS (SELECT FROM memories w"
    f"  WHERE w.tenant_id = $1 AND w.id = m.part_of AND {current_memories('w')}"
    "  AND NOT w.context ? 'done'))"
)
_STATES = {
    "active": current_memories("m"),
    "quarantined": f"{latest_memories('m')} AND m.state = 'quarantined'",
    "superseded": f"{undeleted_memories('m')} AND m.state = 'superseded'",
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
        parts.append(_waiting() if choice.review else _STATES[choice.state])
    if project_ids is not None:
        parts.append(_in_projects(project_ids, place))
    if choice.category:
        parts.append(f"m.category = {place(choice.category)}")
    parts += [f"m.content ~* {place(word_prefix_pattern(word))}" for word in choice.words]
    if choice.tags:
        parts.append(has_tags_sql("m.tags", f"{place(list(choice.tags))}::text[]"))
    if choice.since:
        parts.append(f"{order} >= {place(choice.since)}")
    if choice.until:
        parts.append(f"{order} < {place(choice.until)}")
    if choice.document_id:
        parts.append(_STATED_BY.format(place(choice.document_id)))
    if choice.session_id:
        parts.append(f"m.session_id = {place(choice.session_id)}")
    if choice.review:
        parts.append('m.context @> \'{"review": "pending"}\'')
    if choice.review == "unsure":
        is_unsure = f"m.confidence < {place(UNSURE_BELOW)} AND {_MATTERS}"
        parts.append(f"({is_unsure} OR m.category = 'insight')")
        parts.append(f"m.created_at > now() - interval '{ASKED_DAYS} days'")
    return " AND ".join(parts), values


def _waiting() -> str:
    """Shown memories, and insights, which are hidden until they are accepted."""
    return f"({_STATES['active']} OR m.category = 'insight' AND {_STATES['quarantined']})"


def _in_projects(project_ids: Sequence[UUID], place: Callable[[Any], str]) -> str:
    """A condition on the projects; `=` for a single one, so that its index also gives the order."""
    if len(project_ids) == 1:
        return f"m.project_id = {place(project_ids[0])}"
    return f"m.project_id = ANY({place(list(project_ids))})"


async def has_document(tx: Tx, id: UUID) -> bool:
    return await tx.fetchval(
        "SELECT EXISTS (SELECT FROM documents WHERE tenant_id = $1 AND id = $2)", id
    )


async def current_at(
    tx: Tx, moment: datetime, project_ids: Sequence[UUID] | None, limit: int
) -> list[Memory]:
    """What was valid at a moment, whether it is current now or not."""
    rows = await tx.fetch(
        f"{SELECT} WHERE m.tenant_id = $1 AND {memories_at('m', '$2')}"
        " AND ($3::uuid[] IS NULL OR m.project_id = ANY($3))"
        " ORDER BY m.created_at DESC, m.id DESC LIMIT $4",
        moment,
        list(project_ids) if project_ids is not None else None,
        limit,
    )
    return [Memory(**row_values(row)) for row in rows]


async def deleted(tx: Tx, limit: int) -> list[Memory]:
    rows = await tx.fetch(
        f"{SELECT} WHERE m.tenant_id = $1 AND {deleted_memories('m')}"
        " ORDER BY m.deleted_at DESC, m.id DESC LIMIT $2",
        limit,
    )
    return [Memory(**row_values(row)) for row in rows]


async def page(
    tx: Tx,
    choice: MemoryChoice,
    project_ids: Sequence[UUID] | None,
    order: Order,
    before: Place | None,
    limit: int,
) -> tuple[list[Memory], int]:
    """The newest memories before a position, and the total number."""
    where, values = _where(tx.scope, choice, project_ids, order)
    total = f"(SELECT count(*)::int FROM memories m WHERE {where}) AS total"
    after_cursor = ""
    if before:
        values += before
        after_cursor = f" AND ({order}, m.id) < (${len(values) - 1}, ${len(values)})"
    values.append(limit)
    rows = await tx.system.fetch(
        f"SELECT {COLUMNS}, {total} FROM memories m WHERE {where}{after_cursor}"
        f" ORDER BY {order} DESC, m.id DESC LIMIT ${len(values)}",
        *values,
    )
    all_columns = [row_values(row) for row in rows]
    totals = [row.pop("total") for row in all_columns]
    return [Memory(**row) for row in all_columns], totals[0] if totals else 0


async def due(
    tx: Tx, project_ids: Sequence[UUID] | None, span: DueSpan, limit: int
) -> list[Memory]:
    """Memories with a due date that are not marked as done in their context, the next first."""
    values: list[Any] = [tx.scope.tenant_id, limit]

    def place(value: Any) -> str:
        values.append(value)
        return f"${len(values)}"

    conditions = f" AND {_in_projects(project_ids, place)}" if project_ids is not None else ""
    conditions += f" AND m.due_at >= {place(span.since)}" if span.since else ""
    conditions += f" AND m.due_at < {place(span.until)}" if span.until else ""
    rows = await tx.system.fetch(
        f"{SELECT} WHERE m.tenant_id = $1 AND m.due_at IS NOT NULL"
        " AND NOT m.context ? 'done'"
        f" AND {_DUE}{conditions} ORDER BY m.due_at, m.id LIMIT $2",
        *values,
    )
    return [Memory(**row_values(row)) for row in rows]
