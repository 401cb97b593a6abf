"""A transaction knows its caller: each of its statements gets their tenant first."""

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import asyncpg
from asyncpg.pool import PoolConnectionProxy

from remem.core.scope import Scope

Connection: TypeAlias = PoolConnectionProxy
Row: TypeAlias = asyncpg.Record


class _Transaction:
    __slots__ = ("connection",)

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def acting_for(self, scope: Scope) -> "Tx":
        """The same transaction for another caller, to whom it was bound meanwhile."""
        return Tx(self.connection, scope)


class SystemTx(_Transaction):
    """For what runs without a tenant: statements get only the values that are named."""

    __slots__ = ()

    async def fetch(self, sql: str, *values: object) -> list[Row]:
        return await self.connection.fetch(sql, *values)

    async def fetchrow(self, sql: str, *values: object) -> Any:
        return await self.connection.fetchrow(sql, *values)

    async def fetchval(self, sql: str, *values: object) -> Any:
        return await self.connection.fetchval(sql, *values)

    async def execute(self, sql: str, *values: object) -> str:
        return await self.connection.execute(sql, *values)


class Tx(_Transaction):
    """A transaction of one caller: statements get the caller's tenant as `$1`, then the values."""

    __slots__ = ("scope",)

    def __init__(self, connection: Connection, scope: Scope) -> None:
        super().__init__(connection)
        self.scope = scope

    @property
    def system(self) -> SystemTx:
        """The same transaction, for statements that do not begin with the tenant."""
        return SystemTx(self.connection)

    async def fetch(self, sql: str, *values: object) -> list[Row]:
        return await self.connection.fetch(sql, self.scope.tenant_id, *values)

    async def fetchrow(self, sql: str, *values: object) -> Any:
        return await self.connection.fetchrow(sql, self.scope.tenant_id, *values)

    async def fetchval(self, sql: str, *values: object) -> Any:
        return await self.connection.fetchval(sql, self.scope.tenant_id, *values)

    async def execute(self, sql: str, *values: object) -> str:
        return await self.connection.execute(sql, self.scope.tenant_id, *values)

    async def executemany(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        tenant_id = self.scope.tenant_id
        await self.connection.executemany(sql, [(tenant_id, *row) for row in rows])


AnyTx: TypeAlias = Tx | SystemTx
