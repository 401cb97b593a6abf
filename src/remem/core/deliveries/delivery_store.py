"""SQL of deliveries and their messages. They belong to one person, also in an organization."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any
from uuid import UUID

from remem.core.deliveries.model import Delivery, LoggedMessage
from remem.core.time import new_id
from remem.core.transaction import Tx
from remem.core.unreadable import row_values

_DELIVERY = (
    "id, user_id, channel, shown, target, page_url, minute, time_zone, is_on, confirm_tries,"
    " confirmed_at, next_at, expires_at, created_at"
)
_MESSAGE = (
    "id, delivery_id, kind, day, status, attempts, reason, next_try_at, handed_over_at, ended_at,"
    " created_at"
)
_LOG_DAYS = 90
# A job may begin a little before its time.
_EARLY = "interval '5 seconds'"


async def list_own(tx: Tx) -> list[Delivery]:
    rows = await tx.fetch(
        f"SELECT {_DELIVERY} FROM deliveries WHERE tenant_id = $1 AND user_id = $2"
        " ORDER BY created_at, id",
        tx.scope.user_id,
    )
    return [Delivery(**row_values(row)) for row in rows]


async def find_own(tx: Tx, id: UUID) -> Delivery | None:
    """The caller's own, locked until the transaction ends."""
    row = await tx.fetchrow(
        f"SELECT {_DELIVERY} FROM deliveries WHERE tenant_id = $1 AND user_id = $2 AND id = $3"
        " FOR UPDATE",
        tx.scope.user_id,
        id,
    )
    return Delivery(**row_values(row)) if row else None


async def find(tx: Tx, id: UUID) -> Delivery | None:
    row = await tx.fetchrow(
        f"SELECT {_DELIVERY} FROM deliveries WHERE tenant_id = $1 AND id = $2", id
    )
    return Delivery(**row_values(row)) if row else None


async def insert(tx: Tx, values: Mapping[str, Any]) -> None:
    row = {"tenant_id": tx.scope.tenant_id, "user_id": tx.scope.user_id, **values}
    placeholders = ", ".join(f"${n}" for n in range(1, len(row) + 1))
    await tx.system.execute(
        f"INSERT INTO deliveries ({', '.join(row)}) VALUES ({placeholders})", *row.values()
    )


async def change(tx: Tx, id: UUID, values: Mapping[str, Any]) -> None:
    columns = ", ".join(f"{name} = ${n}" for n, name in enumerate(values, start=3))
    await tx.execute(
        f"UPDATE deliveries SET {columns}, updated_at = now() WHERE tenant_id = $1 AND id = $2",
        id,
        *values.values(),
    )


async def delete(tx: Tx, id: UUID) -> None:
    await tx.execute("DELETE FROM deliveries WHERE tenant_id = $1 AND id = $2", id)


async def due(tx: Tx, moment: datetime) -> list[Delivery]:
    """Those that are due, locked: another worker skips them."""
    rows = await tx.fetch(
        f"SELECT {_DELIVERY} FROM deliveries WHERE tenant_id = $1 AND is_on"
        " AND confirmed_at IS NOT NULL AND next_at <= $2"
        " AND (expires_at IS NULL OR expires_at > $2) ORDER BY next_at FOR UPDATE SKIP LOCKED",
        moment,
    )
    return [Delivery(**row_values(row)) for row in rows]


async def is_member(tx: Tx, user_id: UUID) -> bool:
    return await tx.fetchval(
        "SELECT EXISTS (SELECT FROM members WHERE tenant_id = $1 AND user_id = $2)", user_id
    )


async def lock_targets(tx: Tx) -> list[tuple[UUID, bytes]]:
    """The sealed targets, locked until the transaction ends."""
    rows = await tx.fetch(
        "SELECT id, target FROM deliveries WHERE tenant_id = $1 ORDER BY id FOR UPDATE"
    )
    return [(row["id"], row["target"]) for row in rows]


async def set_target(tx: Tx, id: UUID, target: bytes) -> None:
    await change(tx, id, {"target": target})


# Messages


async def insert_message(
    tx: Tx, delivery_id: UUID, kind: str, moment: datetime, day: date | None = None
) -> UUID | None:
    """None if the page of that day was sent, or is being sent, already."""
    await tx.execute(
        "DELETE FROM delivery_messages WHERE tenant_id = $1 AND delivery_id = $2"
        f" AND created_at < now() - interval '{_LOG_DAYS} days'",
        delivery_id,
    )
    return await tx.fetchval(
        "INSERT INTO delivery_messages (tenant_id, id, delivery_id, kind, day, next_try_at)"
        " VALUES ($1, $2, $3, $4, $5, $6)"
        " ON CONFLICT (tenant_id, delivery_id, day) WHERE kind = 'morning' DO NOTHING RETURNING id",
        new_id(),
        delivery_id,
        kind,
        day,
        moment,
    )


async def messages(tx: Tx, delivery_id: UUID, limit: int) -> list[LoggedMessage]:
    """The newest first."""
    rows = await tx.fetch(
        f"SELECT {_MESSAGE} FROM delivery_messages WHERE tenant_id = $1 AND delivery_id = $2"
        " ORDER BY created_at DESC, id DESC LIMIT $3",
        delivery_id,
        limit,
    )
    return [LoggedMessage(**row_values(row)) for row in rows]


async def last_messages(tx: Tx) -> list[LoggedMessage]:
    """The last message of each of the caller's deliveries."""
    rows = await tx.fetch(
        f"SELECT DISTINCT ON (delivery_id) {_MESSAGE} FROM delivery_messages"
        " WHERE tenant_id = $1 AND delivery_id IN"
        " (SELECT id FROM deliveries WHERE tenant_id = $1 AND user_id = $2)"
        " ORDER BY delivery_id, created_at DESC, id DESC",
        tx.scope.user_id,
    )
    return [LoggedMessage(**row_values(row)) for row in rows]


async def find_message(tx: Tx, id: UUID) -> LoggedMessage | None:
    row = await tx.fetchrow(
        f"SELECT {_MESSAGE} FROM delivery_messages WHERE tenant_id = $1 AND id = $2", id
    )
    return LoggedMessage(**row_values(row)) if row else None


async def claim(tx: Tx, id: UUID, moment: datetime, until: datetime) -> LoggedMessage | None:
    """The message, for one more attempt by this caller alone; None if it is not due, has ended, or
    another worker sends it. That of a worker that died can be claimed after its lease."""
    row = await tx.fetchrow(
        "UPDATE delivery_messages SET status = 'sending', attempts = attempts + 1,"
        " lease_until = $4, next_try_at = NULL WHERE tenant_id = $1 AND id = $2"
        f" AND ((status = 'waiting' AND next_try_at <= $3::timestamptz + {_EARLY})"
        " OR (status = 'sending' AND lease_until <= $3::timestamptz))"
        f" RETURNING {_MESSAGE}",
        id,
        moment,
        until,
    )
    return LoggedMessage(**row_values(row)) if row else None


async def leased_until(tx: Tx, id: UUID) -> datetime | None:
    return await tx.fetchval(
        "SELECT lease_until FROM delivery_messages WHERE tenant_id = $1 AND id = $2"
        " AND status = 'sending'",
        id,
    )


async def note_handing_over(tx: Tx, id: UUID, attempt: int, moment: datetime) -> bool:
    """False if this attempt lost its claim."""
    return bool(
        await tx.fetchval(
            "UPDATE delivery_messages SET handed_over_at = $4 WHERE tenant_id = $1 AND id = $2"
            " AND status = 'sending' AND attempts = $3 AND lease_until > $4 RETURNING true",
            id,
            attempt,
            moment,
        )
    )


async def end_attempt(tx: Tx, id: UUID, attempt: int, values: Mapping[str, Any]) -> bool:
    """Record the result; False if the attempt lost its claim."""
    columns = ", ".join(f"{name} = ${n}" for n, name in enumerate(values, start=4))
    return bool(
        await tx.fetchval(
            f"UPDATE delivery_messages SET {columns}, lease_until = NULL WHERE tenant_id = $1"
            " AND id = $2 AND status = 'sending' AND attempts = $3 RETURNING true",
            id,
            attempt,
            *values.values(),
        )
    )


async def overdue(tx: Tx, before: datetime) -> list[UUID]:
    """Messages whose job was lost: they should have been tried before this moment."""
    rows = await tx.fetch(
        "SELECT id FROM delivery_messages WHERE tenant_id = $1"
        " AND status IN ('waiting', 'sending') AND coalesce(next_try_at, lease_until) < $2"
        " ORDER BY created_at LIMIT 100",
        before,
    )
    return [row["id"] for row in rows]
