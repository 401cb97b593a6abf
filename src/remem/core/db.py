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

_DOWN = (
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


# Rows are looked at before they are written, so that these come of two requests at once alone.
_RACES = (
    asyncpg.UniqueViolationError,
    asyncpg.ForeignKeyViolationError,
    asyncpg.DeadlockDetectedError,
)
# Under row-level security PostgreSQL names the table, and not the row.
_MISSING = re.compile(r'is not present in table "(\w+)"')
_NOUNS = {"memories": "memory", "entities": "entity"}


_ROLL_BACK_S = 5.0
_DEADLOCK_ATTEMPTS = 3
_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")


def repeat_after_deadlock(
    change: Callable[_Given, Awaitable[_Result]],
) -> Callable[_Given, Awaitable[_Result]]:
    """For what makes one transaction, and touches what others have locked in another order."""

    @wraps(change)
    async def repeated(*given: _Given.args, **named: _Given.kwargs) -> _Result:
        for _ in range(_DEADLOCK_ATTEMPTS - 1):
            try:
                return await change(*given, **named)
            except Deadlocked:
                continue
        return await change(*given, **named)

    return repeated


class Database:
    """A pool of connections. `revive` is asked to bring the server back when it is gone.

    Where `pool` is behind a pooler that gives each transaction another connection, `sessions` are
    connections to the server itself, and `opening` is what every transaction sets first."""

    def __init__(
        self,
        pool: asyncpg.Pool,
        revive: Callable[[], Awaitable[None]],
        *,
        sessions: asyncpg.Pool | None = None,
        opening: str = "",
    ) -> None:
        self.pool = pool
        # To listen, and for statements that are no part of a transaction.
        self.sessions = sessions or pool
        self._revive = revive
        self._opening = opening
        # Called after a commit that changed vectors, where these are copied elsewhere.
        self.when_vectors_changed: Callable[[Scope], Awaitable[None]] | None = None

    @asynccontextmanager
    async def transaction(self, who: Scope | Bound, *, snapshot: bool = False) -> AsyncIterator[Tx]:
        """Commit when the block ends, roll back when it raises.

        Row-level security shows the block only what `who` may see. A `snapshot` only reads, and
        sees one moment for as long as it lasts.
        """
        bound = who.bound if isinstance(who, Scope) else who
        changed = False
        async with self._connection() as tx:
            try:
                await tx.execute(_begin(bound, snapshot) + self._opening)
                yield tx
                changed = not snapshot and await self._has_changed_vectors(tx)
                await tx.execute("COMMIT")
            except _RACES as error:
                await _roll_back(tx)
                raise _raced(error) from error
            except BaseException:
                await _roll_back(tx)
                raise

        if changed and self.when_vectors_changed and bound.tenant_id:
            user_id = bound.user_id or bound.tenant_id
            await self.when_vectors_changed(Scope(tenant_id=bound.tenant_id, user_id=user_id))

    async def _has_changed_vectors(self, tx: Tx) -> bool:
        """A trigger says so, for there are many ways to change what a filter compares."""
        if self.when_vectors_changed is None:
            return False
        return await tx.fetchval("SELECT current_setting('remem.vectors_changed', true)") == "on"

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[Tx]:
        connection = await self._acquire()
        try:
            yield connection
        except _DOWN as error:
            raise _unavailable(error) from error
        finally:
            await self._release(connection)

    async def _acquire(self) -> Tx:
        try:
            return await self.pool.acquire(timeout=30)
        except TimeoutError as error:
            raise Unavailable("Every database connection is busy; try again shortly.") from error
        except _DOWN:
            return await self._acquire_revived()

    async def _acquire_revived(self) -> Tx:
        try:
            await self._revive()
            return await self.pool.acquire(timeout=30)
        except (TimeoutError, CannotStart, asyncpg.PostgresError, *_DOWN) as error:
            raise _unavailable(error) from error

    async def _release(self, connection: Tx) -> None:
        try:
            await self.pool.release(connection)
        except _DOWN:
            # The connection died; the pool has dropped it and opens another.
            return

    @asynccontextmanager
    async def alone(self) -> AsyncIterator[Tx]:
        """For one statement by itself, bound to nobody: it sees no tenant's rows but what a
        function of ours binds it to."""
        async with self._connection() as connection:
            if not self._opening:
                yield connection
                return
            async with connection.transaction():
                await connection.execute(self._opening.removeprefix(";"))
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
    by_pooler: bool = False,
) -> asyncpg.Pool:
    """`prepare` is asked once for every connection, after what all of them need. A connection
    `by_pooler` may be another one for each transaction: nothing is bound to it or prepared on it,
    and each transaction begins with `opening_of` the role."""

    async def init(connection: asyncpg.Connection) -> None:
        async with connection.transaction():
            await _set_codecs(connection)
            if prepare:
                await prepare(connection)

    settings = {"application_name": "remem", "timezone": "UTC"}
    if not by_pooler:
        settings |= _PLANNING | ({"role": role} if role else {})
    return await asyncpg.create_pool(
        dsn,
        min_size=1,
        max_size=max_size,
        timeout=timeout_s,
        init=init,
        reset=_keep,
        server_settings=settings,
        statement_cache_size=0 if by_pooler else 100,
    )


_PLANNING = {
    # What is asked for is in memory or on a disk without a head that moves.
    "random_page_cost": "1.1",
    # To start helpers takes longer than any of our queries.
    "max_parallel_workers_per_gather": "0",
}


def opening_of(role: str | None) -> str:
    """What a transaction sets first on a connection that nothing is bound to."""
    planning = "".join(f"; SET LOCAL {name} = {value}" for name, value in _PLANNING.items())
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


async def plan_anew(tx: Tx) -> None:
    """From here to the end of the transaction, plan each statement for the values it has: a filter
    may leave three rows or all of them, and no one plan is good for both."""
    await tx.execute("SET LOCAL plan_cache_mode = force_custom_plan")


def _to_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


async def _keep(connection: asyncpg.Connection) -> None:
    """Settings are bound to transactions, so a returned connection has nothing to reset."""


def _begin(bound: Bound, snapshot: bool) -> str:
    """One round trip opens the transaction and binds it; ids and hex digests need no quoting."""
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
    # A request whose client is gone is cancelled again at each await, also at this one.
    with anyio.move_on_after(_ROLL_BACK_S, shield=True):
        try:
            await tx.execute("ROLLBACK")
        except (asyncpg.PostgresError, *_DOWN):
            # The server ended the transaction with the connection.
            return


def _raced(error: asyncpg.PostgresError) -> RememError:
    """What another transaction made or deleted between this one's look and its write."""
    if isinstance(error, asyncpg.UniqueViolationError):
        message = "Another request has just taken this name or saved the same; try again."
        return Conflict(message, code="taken")
    if isinstance(error, asyncpg.DeadlockDetectedError):
        return Deadlocked()
    missing = _MISSING.search(error.as_dict().get("detail") or "")
    if missing:
        noun = _NOUNS.get(missing[1], missing[1].removesuffix("s"))
        return NotFound(noun, hint="it was deleted just now")
    return Conflict("Something this refers to was changed just now; try again.", code="changed")


def _unavailable(error: BaseException) -> Unavailable:
    if isinstance(error, asyncpg.DiskFullError):
        return Unavailable("The database's disk is full; free some space and try again.")
    return Unavailable("The database is not reachable now; nothing was changed, try again shortly.")
