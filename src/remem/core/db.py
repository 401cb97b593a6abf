"""Transactions on PostgreSQL, each bound to the caller before its first query."""

import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import wraps
from typing import Any, ParamSpec, TypeAlias, TypeVar

import anyio
import asyncpg
from asyncpg.pool import PoolConnectionProxy

from remem.core.errors import (
    CannotStart,
    Conflict,
    Deadlocked,
    NotFound,
    RememError,
    Unavailable,
)
from remem.core.scope import Bound, Scope
from remem.core.unreadable import decode_json, decode_moment, encode_moment

Tx: TypeAlias = PoolConnectionProxy
Row: TypeAlias = asyncpg.Record

_CONNECTION_ERRORS = (
    OSError,
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.CannotConnectNowError,
    asyncpg.TooManyConnectionsError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.InsufficientResourcesError,
)


# Rows are checked before they are written, so only two concurrent requests can cause these.
_RACE_ERRORS = (
    asyncpg.UniqueViolationError,
    asyncpg.ForeignKeyViolationError,
    asyncpg.DeadlockDetectedError,
)
# Under row-level security PostgreSQL names the table but not the row.
_MISSING_REFERENCE = re.compile(r'is not present in table "(\w+)"')
_IRREGULAR_NOUNS = {"memories": "memory", "entities": "entity"}


_ROLL_BACK_S = 5.0
_DEADLOCK_ATTEMPTS = 3
_Params = ParamSpec("_Params")
_Result = TypeVar("_Result")


def retry_on_deadlock(
    change: Callable[_Params, Awaitable[_Result]],
) -> Callable[_Params, Awaitable[_Result]]:
    """Retry a function of one transaction that may lock rows in another order than others do."""

    @wraps(change)
    async def retried(*args: _Params.args, **kwargs: _Params.kwargs) -> _Result:
        for _ in range(_DEADLOCK_ATTEMPTS - 1):
            try:
                return await change(*args, **kwargs)
            except Deadlocked:
                continue
        return await change(*args, **kwargs)

    return retried


class Database:
    """A pool of connections. `revive` is called to restart a server that is gone.

    When `pool` connects through a pooler, which may give each transaction another connection,
    `sessions` are connections to the server itself, and `setup_sql` is what every transaction runs
    first."""

    def __init__(
        self,
        pool: asyncpg.Pool,
        revive: Callable[[], Awaitable[None]],
        *,
        sessions: asyncpg.Pool | None = None,
        setup_sql: str = "",
    ) -> None:
        self.pool = pool
        # For LISTEN, and for statements outside transactions.
        self.sessions = sessions or pool
        self._revive = revive
        self._setup_sql = setup_sql
        # Called after a commit that changed vectors, when they are copied to another index.
        self.on_vectors_changed: Callable[[Scope], Awaitable[None]] | None = None

    @asynccontextmanager
    async def transaction(
        self, caller: Scope | Bound, *, snapshot: bool = False
    ) -> AsyncIterator[Tx]:
        """Commit when the block ends, roll back when it raises.

        Row-level security shows the block only what `caller` may see. A `snapshot` is read-only and
        sees the data of one moment.
        """
        bound = caller.bound if isinstance(caller, Scope) else caller
        changed = False
        async with self._connection() as tx:
            try:
                await tx.execute(_begin_sql(bound, snapshot) + self._setup_sql)
                yield tx
                changed = not snapshot and await self._has_changed_vectors(tx)
                await tx.execute("COMMIT")
            except _RACE_ERRORS as error:
                await _roll_back(tx)
                raise _race_error(error) from error
            except BaseException:
                await _roll_back(tx)
                raise

        if changed and self.on_vectors_changed and bound.tenant_id:
            user_id = bound.user_id or bound.tenant_id
            await self.on_vectors_changed(Scope(tenant_id=bound.tenant_id, user_id=user_id))

    async def _has_changed_vectors(self, tx: Tx) -> bool:
        """A trigger reports this, because many statements change what a filter compares."""
        if self.on_vectors_changed is None:
            return False
        return await tx.fetchval("SELECT current_setting('remem.vectors_changed', true)") == "on"

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[Tx]:
        connection = await self._acquire()
        try:
            yield connection
        except _CONNECTION_ERRORS as error:
            raise _unavailable(error) from error
        finally:
            await self._release(connection)

    async def _acquire(self) -> Tx:
        try:
            return await self.pool.acquire(timeout=30)
        except TimeoutError as error:
            raise Unavailable("Every database connection is busy; try again shortly.") from error
        except _CONNECTION_ERRORS:
            return await self._acquire_revived()

    async def _acquire_revived(self) -> Tx:
        try:
            await self._revive()
            return await self.pool.acquire(timeout=30)
        except (TimeoutError, CannotStart, asyncpg.PostgresError, *_CONNECTION_ERRORS) as error:
            raise _unavailable(error) from error

    async def _release(self, connection: Tx) -> None:
        try:
            await self.pool.release(connection)
        except _CONNECTION_ERRORS:
            # The connection died; the pool has dropped it and opens another.
            return

    @asynccontextmanager
    async def unbound(self) -> AsyncIterator[Tx]:
        """For a single statement that is bound to no tenant: it sees no tenant's rows unless a
        function of the schema binds it to one."""
        async with self._connection() as connection:
            if not self._setup_sql:
                yield connection
                return
            async with connection.transaction():
                await connection.execute(self._setup_sql.removeprefix(";"))
                yield connection

    async def ping(self) -> None:
        """Raise Unavailable unless the server answers a query now."""
        async with self._connection() as connection:
            await connection.execute("SELECT 1")

    async def close(self) -> None:
        await self.pool.close()
        if self.sessions is not self.pool:
            await self.sessions.close()


async def open_pool(
    dsn: str,
    *,
    role: str | None = None,
    max_size: int = 20,
    timeout_s: float = 10,
    prepare: Callable[[asyncpg.Connection], Awaitable[None]] | None = None,
    through_pooler: bool = False,
) -> asyncpg.Pool:
    """Open a pool. `prepare` is called once for every connection, after the codecs are set.
    `through_pooler`, each transaction may get another connection: no setting is bound to it, no
    statement is prepared on it, and each transaction begins with `transaction_setup_sql`."""

    async def init(connection: asyncpg.Connection) -> None:
        async with connection.transaction():
            await _set_codecs(connection)
            if prepare:
                await prepare(connection)

    settings = {"application_name": "remem", "timezone": "UTC"}
    if not through_pooler:
        settings |= _PLANNER_SETTINGS | ({"role": role} if role else {})
    return await asyncpg.create_pool(
        dsn,
        min_size=1,
        max_size=max_size,
        timeout=timeout_s,
        init=init,
        reset=_skip_reset,
        server_settings=settings,
        statement_cache_size=0 if through_pooler else 100,
    )


_PLANNER_SETTINGS = {
    # The data is in memory or on a solid-state disk.
    "random_page_cost": "1.1",
    # Starting parallel workers takes longer than any of our queries.
    "max_parallel_workers_per_gather": "0",
}


def transaction_setup_sql(role: str | None) -> str:
    """The settings that a transaction starts with on a connection of a pooler."""
    planning = "".join(f"; SET LOCAL {name} = {value}" for name, value in _PLANNER_SETTINGS.items())
    return (f"; SET LOCAL ROLE {role}" if role else "") + planning


async def _set_codecs(connection: asyncpg.Connection) -> None:
    await connection.set_type_codec(
        "jsonb", encoder=_to_json, decoder=decode_json, schema="pg_catalog"
    )
    await connection.set_type_codec(
        "timestamptz",
        encoder=encode_moment,
        decoder=decode_moment,
        schema="pg_catalog",
        format="tuple",
    )


async def use_custom_plans(tx: Tx) -> None:
    """Until the end of the transaction, plan each statement for its actual values: a filter may
    match three rows or all of them, and no single plan suits both."""
    await tx.execute("SET LOCAL plan_cache_mode = force_custom_plan")


async def set_savepoint(tx: Tx) -> None:
    """Remember this moment of the transaction, to roll back to it."""
    await tx.execute("SAVEPOINT moment")


async def roll_back_to_savepoint(tx: Tx) -> None:
    """Undo what the transaction did since the savepoint, and release the locks it took."""
    await tx.execute("ROLLBACK TO SAVEPOINT moment")


def _to_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


async def _skip_reset(connection: asyncpg.Connection) -> None:
    """Do nothing: settings are bound to transactions, so a returned connection needs no reset."""


def _begin_sql(bound: Bound, snapshot: bool) -> str:
    """Open the transaction and bind it in one round trip; ids and hex digests need no quoting."""
    mode = " ISOLATION LEVEL REPEATABLE READ READ ONLY" if snapshot else ""
    return (
        f"BEGIN{mode}; SET LOCAL remem.tenant_id = '{bound.tenant_id or ''}';"
        f" SET LOCAL remem.user_id = '{bound.user_id or ''}';"
        f" SET LOCAL remem.secret = '{_digest(bound.secret)}'"
        + ("; SET LOCAL remem.operator = 'on'" if bound.operator else "")
    )


def _digest(secret: str | None) -> str:
    if secret and not all(char in "0123456789abcdef" for char in secret):
        raise ValueError("A bound secret is a hexadecimal digest.")
    return secret or ""


async def _roll_back(tx: Tx) -> None:
    # A request whose client has disconnected is cancelled at each await, including this one.
    with anyio.move_on_after(_ROLL_BACK_S, shield=True):
        try:
            await tx.execute("ROLLBACK")
        except (asyncpg.PostgresError, *_CONNECTION_ERRORS):
            # The server ended the transaction with the connection.
            return


def _race_error(error: asyncpg.PostgresError) -> RememError:
    """The error for what another transaction created or deleted between this one's read and
    write."""
    if isinstance(error, asyncpg.UniqueViolationError):
        message = "Another request has just taken this name or saved the same; try again."
        return Conflict(message, code="taken")
    if isinstance(error, asyncpg.DeadlockDetectedError):
        return Deadlocked()
    missing = _MISSING_REFERENCE.search(error.as_dict().get("detail") or "")
    if missing:
        noun = _IRREGULAR_NOUNS.get(missing[1], missing[1].removesuffix("s"))
        return NotFound(noun, hint="it was deleted just now")
    return Conflict("Something this refers to was changed just now; try again.", code="changed")


def _unavailable(error: BaseException) -> Unavailable:
    if isinstance(error, asyncpg.DiskFullError):
        return Unavailable("The database's disk is full; free some space and try again.")
    return Unavailable("The database is not reachable now; nothing was changed, try again shortly.")
