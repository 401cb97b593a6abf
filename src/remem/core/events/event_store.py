"""SQL of the audit trail."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from remem.core.current import undeleted_memories, unexpired_documents
from remem.core.events.model import Event, EventChoice
from remem.core.text import shorten
from remem.core.time import new_id
from remem.core.transaction import Tx
from remem.core.unreadable import row_values

_COLUMNS = "id, subject_kind, subject_id, type, data, actor, request_id, created_at, claimed_actor"


async def record(
    tx: Tx, kind: str, subject_id: UUID, type: str, data: dict[str, Any] | None = None
) -> None:
    """Add one event, in the transaction of the change it records."""
    await tx.execute(
        "INSERT INTO events (tenant_id, id, subject_kind, subject_id, type, data, actor,"
        " request_id) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        new_id(),
        kind,
        subject_id,
        type,
        data or {},
        tx.scope.actor,
        tx.scope.request_id,
    )


async def record_all(
    tx: Tx, kind: str, type: str, events: Sequence[tuple[UUID, dict[str, Any]]]
) -> None:
    """Add several events, each with its own data."""
    await tx.executemany(
        "INSERT INTO events (tenant_id, id, subject_kind, subject_id, type, data, actor,"
        " request_id) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        [
            (new_id(), kind, id, type, data, tx.scope.actor, tx.scope.request_id)
            for id, data in events
        ],
    )


async def page(tx: Tx, choice: EventChoice, before: UUID | None, limit: int) -> list[Event]:
    """The newest events before an id; ids sort by the time they were created."""
    values: list[Any] = [tx.scope.tenant_id, limit]
    where = ""
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
            where += " AND " + condition.format(f"${len(values)}")
    rows = await tx.system.fetch(
        f"SELECT {_COLUMNS} FROM events WHERE tenant_id = $1{where} ORDER BY id DESC LIMIT $2",
        *values,
    )
    return [Event(**row_values(row)) for row in rows]


# The name of an item: its title, its statement, its name. Deleted items have none, even while they
# can be restored; sessions are only named to their owner.
_NAMES = f"""
SELECT id, title AS name FROM documents
  WHERE tenant_id = $1 AND id = ANY($2) AND {unexpired_documents()}
UNION ALL SELECT id, content FROM memories
  WHERE tenant_id = $1 AND id = ANY($2) AND {undeleted_memories()}
UNION ALL SELECT id, name FROM projects WHERE tenant_id = $1 AND id = ANY($2)
UNION ALL SELECT id, coalesce(title, agent) FROM sessions
  WHERE tenant_id = $1 AND id = ANY($2) AND user_id = $3
UNION ALL SELECT id, name FROM api_keys WHERE tenant_id = $1 AND id = ANY($2)
UNION ALL SELECT id, coalesce(title, url) FROM feeds WHERE tenant_id = $1 AND id = ANY($2)
UNION ALL SELECT g.id, c.name FROM oauth_grants g JOIN oauth_clients c ON c.id = g.client_id
  WHERE g.tenant_id = $1 AND g.id = ANY($2)
"""
_NAME_LIMIT = 200


async def subject_names(tx: Tx, ids: Sequence[UUID]) -> dict[UUID, str]:
    """The current names of the items; deleted ones are left out."""
    rows = await tx.fetch(_NAMES, list(ids), tx.scope.user_id)
    return {row["id"]: shorten(row["name"], _NAME_LIMIT) for row in rows if row["name"]}


async def key_names(tx: Tx, prefixes: Sequence[str]) -> dict[str, str]:
    """The names of API keys, also of revoked ones, by the prefix in an actor."""
    rows = await tx.fetch(
        "SELECT prefix, name FROM api_keys WHERE tenant_id = $1 AND prefix = ANY($2)",
        list(prefixes),
    )
    return {row["prefix"]: row["name"] for row in rows}


async def of_subjects(tx: Tx, subject_ids: Sequence[UUID], limit: int) -> list[Event]:
    rows = await tx.fetch(
        f"SELECT {_COLUMNS} FROM events WHERE tenant_id = $1 AND subject_id = ANY($2)"
        " ORDER BY id DESC LIMIT $3",
        list(subject_ids),
        limit,
    )
    return [Event(**row_values(row)) for row in reversed(rows)]
