"""SQL of connections and their runs."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from remem.core.connections.model import RUNS_LIMIT, Connection, SyncRun, Trigger
from remem.core.errors import NotFound
from remem.core.time import new_id
from remem.core.transaction import Row, Tx
from remem.core.unreadable import row_values

_COLUMNS = (
    "c.id, c.user_id, c.project_id,"
    " project_ref(p.slug, p.name, p.settings) AS project_ref, c.provider, c.account, c.settings,"
    " c.chosen, c.is_walk_due, c.cursor, c.status, c.error, c.failures, c.failing_since,"
    " c.interval_s, c.next_at, c.last_synced_at, c.created_at, c.updated_at, c.token,"
    " (SELECT count(*) FROM connection_items i WHERE i.tenant_id = $1"
    " AND i.connection_id = c.id AND i.document_id IS NOT NULL AND i.hidden_at IS NULL)::int"
    " AS item_count,"
    " (SELECT count(*) FROM connection_items i WHERE i.tenant_id = $1"
    " AND i.connection_id = c.id AND i.problem IS NOT NULL)::int AS problem_count"
)
_FROM = "connections c JOIN projects p ON p.tenant_id = $1 AND p.id = c.project_id"
_RUN = (
    "id, connection_id, trigger, outcome, error, added, updated, deleted, unchanged, skipped,"
    " errors, started_at, ended_at"
)


def _connection(row: Row | None) -> Connection | None:
    return Connection(**row_values(row)) if row else None


async def list_all(tx: Tx) -> list[Connection]:
    rows = await tx.fetch(
        f"SELECT {_COLUMNS} FROM {_FROM} WHERE c.tenant_id = $1 ORDER BY c.created_at, c.id"
    )
    return [Connection(**row_values(row)) for row in rows]


async def count_all(tx: Tx) -> int:
    return await tx.fetchval("SELECT count(*)::int FROM connections WHERE tenant_id = $1")


async def find(tx: Tx, id: UUID) -> Connection | None:
    return _connection(
        await tx.fetchrow(
            f"SELECT {_COLUMNS} FROM {_FROM} WHERE c.tenant_id = $1 AND c.id = $2", id
        )
    )


async def require(tx: Tx, id: UUID) -> Connection:
    connection = await find(tx, id)
    if connection is None:
        raise NotFound("connection", id)
    return connection


async def lock(tx: Tx, id: UUID) -> bool:
    """Lock the connection until the transaction ends; False when it is gone."""
    return bool(
        await tx.fetchval(
            "SELECT true FROM connections WHERE tenant_id = $1 AND id = $2 FOR UPDATE", id
        )
    )


async def find_account(tx: Tx, provider: str, account_key: str) -> UUID | None:
    return await tx.fetchval(
        "SELECT id FROM connections WHERE tenant_id = $1 AND provider = $2 AND account_key = $3"
        " FOR UPDATE",
        provider,
        account_key,
    )


async def insert(tx: Tx, values: dict[str, Any]) -> bool:
    """False when the account is connected already."""
    row = {"tenant_id": tx.scope.tenant_id, "user_id": tx.scope.user_id, **values}
    placeholders = ", ".join(f"${n}" for n in range(1, len(row) + 1))
    return bool(
        await tx.system.fetchval(
            f"INSERT INTO connections ({', '.join(row)}) VALUES ({placeholders})"
            " ON CONFLICT DO NOTHING RETURNING true",
            *row.values(),
        )
    )


async def change(tx: Tx, id: UUID, values: dict[str, Any]) -> None:
    columns = ", ".join(f"{name} = ${n}" for n, name in enumerate(values, start=3))
    await tx.execute(
        f"UPDATE connections SET {columns}, updated_at = now() WHERE tenant_id = $1 AND id = $2",
        id,
        *values.values(),
    )


async def set_meter(tx: Tx, id: UUID, meter: dict[str, Any]) -> None:
    await tx.execute(
        "UPDATE connections SET cursor = cursor || jsonb_build_object('meter', $3::jsonb)"
        " WHERE tenant_id = $1 AND id = $2",
        id,
        meter,
    )


async def delete(tx: Tx, id: UUID) -> None:
    await tx.execute("DELETE FROM connections WHERE tenant_id = $1 AND id = $2", id)


async def synced_of(tx: Tx, providers: Sequence[str]) -> list[UUID]:
    """The ids of synced connections of some services."""
    rows = await tx.fetch(
        "SELECT id FROM connections WHERE tenant_id = $1 AND status IN ('active', 'failing')"
        " AND provider = ANY($2) ORDER BY id",
        list(providers),
    )
    return [row["id"] for row in rows]


async def due(tx: Tx) -> list[UUID]:
    rows = await tx.fetch(
        "SELECT id FROM connections WHERE tenant_id = $1 AND status IN ('active', 'failing')"
        " AND next_at <= now() ORDER BY next_at FOR UPDATE SKIP LOCKED"
    )
    return [row["id"] for row in rows]


# One worker at a time


async def acquire_lock(tx: Tx, id: UUID, holder: UUID, lock_s: int) -> bool:
    """False while another worker has the lock, or when the connection is not synced."""
    return bool(
        await tx.fetchval(
            "UPDATE connections SET locked_by = $3,"
            " locked_until = now() + make_interval(secs => $4) WHERE tenant_id = $1 AND id = $2"
            " AND status IN ('active', 'failing')"
            " AND (locked_until IS NULL OR locked_until < now()) RETURNING true",
            id,
            holder,
            lock_s,
        )
    )


async def renew_lock(tx: Tx, id: UUID, holder: UUID, lock_s: int) -> bool:
    """False when the lock was lost, or when the connection was paused or removed meanwhile."""
    return bool(
        await tx.fetchval(
            "UPDATE connections SET locked_until = now() + make_interval(secs => $4)"
            " WHERE tenant_id = $1 AND id = $2 AND locked_by = $3"
            " AND status IN ('active', 'failing') RETURNING true",
            id,
            holder,
            lock_s,
        )
    )


async def release_lock(tx: Tx, id: UUID, holder: UUID) -> bool:
    """False when another worker has the lock by now."""
    return bool(
        await tx.fetchval(
            "UPDATE connections SET locked_by = NULL, locked_until = NULL"
            " WHERE tenant_id = $1 AND id = $2 AND locked_by = $3 RETURNING true",
            id,
            holder,
        )
    )


async def locked_until(tx: Tx, id: UUID) -> datetime | None:
    return await tx.fetchval(
        "SELECT locked_until FROM connections WHERE tenant_id = $1 AND id = $2"
        " AND status IN ('active', 'failing') AND locked_until > now()",
        id,
    )


# Runs


async def open_run(tx: Tx, connection_id: UUID, trigger: Trigger) -> UUID:
    """The id of the open run, or of a new one."""
    open_id = await tx.fetchval(
        "SELECT id FROM connection_runs WHERE tenant_id = $1 AND connection_id = $2"
        " AND ended_at IS NULL",
        connection_id,
    )
    if open_id:
        return open_id
    id = new_id()
    await tx.execute(
        "INSERT INTO connection_runs (tenant_id, id, connection_id, trigger)"
        " VALUES ($1, $2, $3, $4)",
        id,
        connection_id,
        trigger,
    )
    await tx.execute(
        "DELETE FROM connection_runs WHERE tenant_id = $1 AND connection_id = $2 AND id IN"
        " (SELECT id FROM connection_runs WHERE tenant_id = $1 AND connection_id = $2"
        " ORDER BY started_at DESC, id DESC OFFSET $3)",
        connection_id,
        RUNS_LIMIT,
    )
    return id


async def count_in_run(
    tx: Tx, id: UUID, column: str, number: int, errors: list[dict[str, str]], limit: int
) -> None:
    """Increase a counter of the run, named by `column`; errors beyond the limit are not stored."""
    await tx.execute(
        f"UPDATE connection_runs SET {column} = {column} + $3, errors = CASE"
        " WHEN jsonb_array_length(errors) < $5 THEN errors || $4::jsonb ELSE errors END"
        " WHERE tenant_id = $1 AND id = $2",
        id,
        number,
        errors,
        limit,
    )


async def end_run(tx: Tx, connection_id: UUID, outcome: str, error: str | None) -> None:
    await tx.execute(
        "UPDATE connection_runs SET outcome = $3, error = $4, ended_at = now()"
        " WHERE tenant_id = $1 AND connection_id = $2 AND ended_at IS NULL",
        connection_id,
        outcome,
        error,
    )


async def runs(tx: Tx, connection_id: UUID, limit: int) -> list[SyncRun]:
    """Newest first."""
    rows = await tx.fetch(
        f"SELECT {_RUN} FROM connection_runs WHERE tenant_id = $1 AND connection_id = $2"
        " ORDER BY started_at DESC, id DESC LIMIT $3",
        connection_id,
        limit,
    )
    return [SyncRun(**row_values(row)) for row in rows]


async def lock_tokens(tx: Tx) -> list[tuple[UUID, bytes]]:
    """The sealed credentials, locked until the transaction ends."""
    rows = await tx.fetch(
        "SELECT id, token FROM connections WHERE tenant_id = $1 AND token IS NOT NULL"
        " ORDER BY id FOR UPDATE"
    )
    return [(row["id"], row["token"]) for row in rows]


async def set_token(tx: Tx, id: UUID, token: bytes) -> None:
    await change(tx, id, {"token": token})
