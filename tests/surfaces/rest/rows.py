"""Rows read directly from the database, without any API."""

import re
from typing import Any, TypeAlias
from uuid import UUID

import asyncpg

from remem.adapters.database.embedded.cluster import SUPERUSER
from remem.core.ports import Ports
from remem.core.scope import Bound
from remem.core.transaction import SystemTx
from tests.conftest import Server
from tests.core.scratch import connected

Rows: TypeAlias = dict[str, list[dict[str, Any]]]

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


async def rows_of(ports: Ports, tenant_id: str) -> Rows:
    """All rows of one tenant by table; new tables are included automatically."""
    async with ports.db.transaction(Bound(tenant_id=UUID(tenant_id))) as tx:
        tables = dict.fromkeys(await _tables(tx, "tenant_id"), "tenant_id") | {"tenants": "id"}
        # In one statement: one query per table takes several times as long.
        parts = [
            f"SELECT '{table}' AS name, to_jsonb(t) AS row, t::text AS line"
            f" FROM {table} t WHERE {column} = $1"
            for table, column in tables.items()
        ]
        records = await tx.fetch(" UNION ALL ".join(parts) + " ORDER BY line", UUID(tenant_id))
    rows: Rows = {table: [] for table in tables}
    for record in records:
        rows[record["name"]].append(record["row"])
    return rows


async def all_rows(server: Server) -> dict[str, list[str]]:
    """Every row of every table and tenant, as text."""
    async with connected(server, "remem", SUPERUSER) as superuser:
        return {
            table: [row[0] for row in await superuser.fetch(f"SELECT t::text FROM {table} t")]
            for table in await _tables(superuser)
        }


async def change(ports: Ports, tenant_id: str, statement: str, *values: Any) -> None:
    """Change rows by SQL, for states that only the passing of time brings about."""
    async with ports.db.transaction(Bound(tenant_id=UUID(tenant_id))) as tx:
        status = await tx.execute(statement, *values)
    assert not status.endswith(" 0"), f"{statement} found nothing to change"


def ids_in(value: object) -> set[str]:
    return set(_UUID.findall(str(value)))


def is_id(value: object) -> bool:
    return isinstance(value, str) and _UUID.fullmatch(value) is not None


async def _tables(tx: SystemTx | asyncpg.Connection, column: str | None = None) -> list[str]:
    rows = await tx.fetch(
        "SELECT DISTINCT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid"
        " WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace"
        " AND ($1::text IS NULL OR a.attname = $1) ORDER BY 1",
        column,
    )
    return [row[0] for row in rows]
