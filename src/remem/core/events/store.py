"""SQL of the audit trail."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from remem.core.db import Tx
from remem.core.events.model import Event, EventChoice
from remem.core.scope import Scope
from remem.core.time import new_id
from remem.core.unreadable import values_of

_COLUMNS = "id, subject_kind, subject_id, type, data, actor, request_id, created_at, claimed_actor"


async def record(
    tx: Tx, scope: Scope, kind: str, subject_id: UUID, type: str, data: dict[str, Any] | None = None
) -> None:
    """Add one line, in the transaction of the change it tells of."""
    await tx.execute(
        "INSERT INTO events (tenant_id, id, subject_kind, subject_id, type, data, actor,"
        " request_id) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        scope.tenant_id,
        new_id(),
        kind,
        subject_id,
        type,
        data or {},
        scope.actor,
        scope.request_id,
    )


async def page(
    tx: Tx, scope: Scope, choice: EventChoice, before: UUID | None, limit: int
) -> list[Event]:
    """The newest below an id: ids sort by the moment they were made."""
    values: list[Any] = [scope.tenant_id, limit]
    narrowed = ""
    conditions = {
        "subject_id = {0}": choice.subject_id,
        "type = {0}": choice.type,
        "subject_kind = {0}": choice.kind,
        "(actor = {0} OR split_part(actor, ':', 1) = {0})": choice.actor,
        "created_at >= {0}": choice.since,
        "created_at < {0}": choice.until,
        "id < {0}": before,
    }
    for condition, value in conditions.items():
        if value is not None:
            values.append(value)
            narrowed += " AND " + condition.format(f"${len(values)}")
    rows = await tx.fetch(
        f"SELECT {_COLUMNS} FROM events WHERE tenant_id = $1{narrowed} ORDER BY id DESC LIMIT $2",
        *values,
    )
    return [Event(**values_of(row)) for row in rows]


async def of_subjects(tx: Tx, scope: Scope, subject_ids: Sequence[UUID], limit: int) -> list[Event]:
    rows = await tx.fetch(
        f"SELECT {_COLUMNS} FROM events WHERE tenant_id = $1 AND subject_id = ANY($2)"
        " ORDER BY id DESC LIMIT $3",
        scope.tenant_id,
        list(subject_ids),
        limit,
    )
    return [Event(**values_of(row)) for row in reversed(rows)]
