"""Transactions on PostgreSQL, each bound to the caller before its first query."""

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from contextvars import ContextVar
from functools import wraps
from typing import ParamSpec, TypeVar, overload
from uuid import UUID

import anyio
import asyncpg

from remem.core.binding import binding_sql
from remem.core.deadlines import current_deadlines
from remem.core.errors import (
    CannotStart,
    Conflict,
    Deadlocked,
    NotFound,
    RememError,
    Unavailable,
)
from remem.core.scope import Bound, Scope
from remem.core.transaction import AnyTx, Connection, SystemTx, Tx
from remem.core.turns import Shares, Turns

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
    asyncpg.IdleInTransactionSessionTimeoutError,
)
# After these, the other connections of the pool are probably dead too: the server was restarted.
_LOST_ERRORS = (
    ConnectionError,
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
)
# The message of these says that somebody else is slow, not that the server is.
_BUSY_ERRORS = (asyncpg.LockNotAvailableError, asyncpg.QueryCanceledError)


# Rows are checked before they are written, so only two concurrent requests can cause these.
_RACE_ERRORS = (
    asyncpg.UniqueViolationError,
    asyncpg.ForeignKeyViolationError,
    asyncpg.DeadlockDetectedError,
)
# Under row-level security PostgreSQL names the table but not the row.
_MISSING_REFERENCE = re.compile(r'is not present in table "(\w+)"')
_IRREGULAR_NOUNS = {"memories": "memory", "entities": "entity"}


# Whether this task has a transaction already, which a second one must not wait for.
_in_transaction: ContextVar[bool] = ContextVar("in_transaction", default=False)
# Statements that every server answers at once, unless it is frozen or the network is cut.
_BEGIN_S = 10.0
_CONNECT_S = 10.0
_ROLL_BACK_S = 3.0
# How long to wait for a connection, and for the writers of a project that came before.
_SHARE_S = 15.0
_TURN_S = 45.0
# The server ends a transaction whose process is frozen, because others wait for its locks.
_IDLE_MS = 300_000
_DEADLOCK_ATTEMPTS = 3
_SEND_SETTINGS = "SET LOCAL citus.propagate_set_commands = 'local'; "
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
    first. Where the tables are distributed, the settings of a transaction are sent to its nodes."""

    def __init__(
        self,
        pool: asyncpg.Pool,
        revive: Callable[[], Awaitable[None]],
        *,
        sessions: asyncpg.Pool | None = None,
        setup_sql: str = "",
        is_distributed: bool = False,
    ) -> None:
        self.pool = pool
        # For LISTEN, and for statements outside transactions.
        self.sessions = sessions or pool
        self._revive = revive
        self._setup_sql = setup_sql
        self._is_distributed = is_distributed
        size = pool.get_max_size()
        # The queue takes connections of the same pool, and must always find one.
        self._shares = Shares(size - (min(2, size // 4) if self.sessions is pool else 0))
        self._turns = Turns()
        # Called after a commit that changed vectors, when they are copied to another index.
        self.on_vectors_changed: Callable[[Scope], Awaitable[None]] | None = None

    @overload
    def transaction(
        self, caller: Scope, *, snapshot: bool = False, turn: Hashable = None
    ) -> AbstractAsyncContextManager[Tx]: ...

    @overload
    def transaction(
        self, caller: Bound, *, snapshot: bool = False, turn: Hashable = None
    ) -> AbstractAsyncContextManager[SystemTx]: ...

    def transaction(
        self, caller: Scope | Bound, *, snapshot: bool = False, turn: Hashable = None
    ) -> AbstractAsyncContextManager[AnyTx]:
        """Commit when the block ends, roll back when it raises.

        Row-level security shows the block only what `caller` may see. A `snapshot` is read-only and
        sees the data of one moment. With a `turn`, such as the id of the project that the block
        will lock, it waits for others with the same one before it takes a connection.
        """
        return self._transaction(caller, snapshot, turn)

    @asynccontextmanager
    async def _transaction(
        self, caller: Scope | Bound, snapshot: bool, turn: Hashable
    ) -> AsyncIterator[AnyTx]:
        bound = caller.bound if isinstance(caller, Scope) else caller
        changed = False
        waiting = self._turns.turn(turn, _TURN_S) if turn else nullcontext()
        begin = self._begin_sql(bound, snapshot)
        async with waiting, self._connection(bound.tenant_id, begin) as connection:
            try:
                yield Tx(connection, caller) if isinstance(caller, Scope) else SystemTx(connection)
                changed = not snapshot and await self._has_changed_vectors(connection, bound)
                await _commit(connection)
            except _RACE_ERRORS as error:
                await _roll_back(connection)
                raise _race_error(error) from error
            except BaseException:
                await _roll_back(connection)
                raise

        if changed and self.on_vectors_changed and bound.tenant_id:
            user_id = bound.user_id or bound.tenant_id
            await self.on_vectors_changed(Scope(tenant_id=bound.tenant_id, user_id=user_id))

    def _begin_sql(self, bound: Bound, snapshot: bool) -> Sequence[str]:
        """Open the transaction and bind it, in one round trip where it stays on one node."""
        mode = " ISOLATION LEVEL REPEATABLE READ READ ONLY" if snapshot else ""
        settings = (
            binding_sql(bound)
            + f"; SET LOCAL lock_timeout = {current_deadlines().lock_s * 1_000:.0f}"
            + ("" if snapshot else f"; SET LOCAL idle_in_transaction_session_timeout = {_IDLE_MS}")
            + self._setup_sql
        )
        if self._is_distributed:
            # Nodes get the text of each call that sets something, so BEGIN is a call of its own.
            return f"BEGIN{mode}", _SEND_SETTINGS + settings
        return (f"BEGIN{mode}; {settings}",)

    async def _has_changed_vectors(self, connection: Connection, bound: Bound) -> bool:
        """A trigger reports this, because many statements change what a filter compares."""
        if self.on_vectors_changed is None or bound.tenant_id is None:
            return False
        if self._is_distributed:
            # What a trigger sets on another node stays there.
            sql = "SELECT EXISTS (SELECT FROM vector_changes WHERE tenant_id = $1)"
            return await connection.fetchval(sql, bound.tenant_id)
        sql = "SELECT current_setting('remem.vectors_changed', true)"
        return await connection.fetchval(sql) == "on"

    @asynccontextmanager
    async def _connection(
        self, tenant_id: UUID | None = None, begin: Sequence[str] = ()
    ) -> AsyncIterator[Connection]:
        # Who has a connection already gets another one first, or nobody would ever give one back.
        share = None if _in_transaction.get() else tenant_id
        await self._shares.take(share, _SHARE_S)
        try:
            async with self._acquired(begin) as connection:
                yield connection
        finally:
            self._shares.give_back(share)

    @asynccontextmanager
    async def _acquired(self, begin: Sequence[str]) -> AsyncIterator[Connection]:
        was_in_transaction = _in_transaction.get()
        connection: Connection | None = None
        try:
            connection = await self._acquire_begun(begin)
            _in_transaction.set(True)
            _set_statement_deadline(connection, current_deadlines().statement_s)
            yield connection
        except _BUSY_ERRORS as error:
            raise Unavailable(_BUSY, code="busy") from error
        except _CONNECTION_ERRORS as error:
            if isinstance(error, _LOST_ERRORS):
                await self.pool.expire_connections()
            raise _unavailable(error) from error
        finally:
            _in_transaction.set(was_in_transaction)
            if connection is not None:
                await self._release(connection)

    async def _acquire_begun(self, begin: Sequence[str]) -> Connection:
        """A connection on which `begin` has run, if there is one; a dead one of the pool is
        replaced, because nothing was done on it."""
        try:
            return await self._begin(await self._acquire(), begin)
        except _LOST_ERRORS:
            await self.pool.expire_connections()
            return await self._begin(await self._acquire(), begin)

    async def _begin(self, connection: Connection, begin: Sequence[str]) -> Connection:
        try:
            for sql in begin:
                await connection.execute(sql, timeout=_BEGIN_S)
        except BaseException:
            await _roll_back(connection)
            await self._release(connection)
            raise
        return connection

    async def _acquire(self) -> Connection:
        try:
            return await self.pool.acquire(timeout=_CONNECT_S)
        except TimeoutError as error:
            raise _unavailable(error) from error
        except _CONNECTION_ERRORS:
            return await self._acquire_revived()

    async def _acquire_revived(self) -> Connection:
        try:
            await self._revive()
            return await self.pool.acquire(timeout=_CONNECT_S)
        except (TimeoutError, CannotStart, asyncpg.PostgresError, *_CONNECTION_ERRORS) as error:
            raise _unavailable(error) from error

    async def _release(self, connection: Connection) -> None:
        try:
            await self.pool.release(connection, timeout=_ROLL_BACK_S)
        except _CONNECTION_ERRORS:
            # The connection died; the pool has dropped it and opens another.
            return

    @asynccontextmanager
    async def unbound(self) -> AsyncIterator[SystemTx]:
        """For a single statement that is bound to no tenant: it sees no tenant's rows unless a
        function of the schema binds it to one."""
        async with self._connection() as connection:
            if not self._setup_sql:
                yield SystemTx(connection)
                return
            async with connection.transaction():
                await connection.execute(self._setup_sql.removeprefix(";"))
                yield SystemTx(connection)

    async def ping(self) -> None:
        """Raise Unavailable unless the server answers a query now."""
        async with self._connection() as connection:
            await connection.execute("SELECT 1", timeout=_BEGIN_S)

    async def close(self) -> None:
        await self.pool.close()
        if self.sessions is not self.pool:
            await self.sessions.close()


def _set_statement_deadline(connection: Connection, seconds: float) -> None:
    """asyncpg reads the time limit of a statement here; its options set one for a whole pool."""
    real = connection._con
    real._config = real._config._replace(command_timeout=seconds)


async def use_custom_plans(tx: AnyTx) -> None:
    """Until the end of the transaction, plan each statement for its actual values: a filter may
    match three rows or all of them, and no single plan suits both."""
    await tx.connection.execute("SET LOCAL plan_cache_mode = force_custom_plan")


async def allow_loss(tx: AnyTx) -> None:
    """Commit this transaction without waiting for the disk: a crash may lose all that it wrote.
    Only for what nobody was promised, such as when something was last read."""
    await tx.connection.execute("SET LOCAL synchronous_commit = off")


async def set_savepoint(tx: AnyTx) -> None:
    """Remember this moment of the transaction, to roll back to it."""
    await tx.connection.execute("SAVEPOINT moment")


async def roll_back_to_savepoint(tx: AnyTx) -> None:
    """Undo what the transaction did since the savepoint, and release the locks it took."""
    await tx.connection.execute("ROLLBACK TO SAVEPOINT moment")


async def _roll_back(connection: Connection) -> None:
    # A request whose client has disconnected is cancelled at each await, including this one.
    with anyio.move_on_after(_ROLL_BACK_S, shield=True) as waiting:
        try:
            await connection.execute("ROLLBACK")
        except (asyncpg.PostgresError, *_CONNECTION_ERRORS):
            # The server ended the transaction with the connection.
            return
    if waiting.cancelled_caught:
        # Nobody else may get a connection that may still be in a transaction.
        connection.terminate()


async def _commit(connection: Connection) -> None:
    try:
        await connection.execute("COMMIT")
    except _CONNECTION_ERRORS as error:
        raise Unavailable(
            "The database did not confirm the change; it may be stored or not, look before you try"
            " again."
        ) from error


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


_BUSY = "Another change of the same takes long; nothing was changed, try again shortly."


def _unavailable(error: BaseException) -> Unavailable:
    if isinstance(error, asyncpg.DiskFullError):
        return Unavailable("The database's disk is full; free some space and try again.")
    return Unavailable("The database is not reachable now; nothing was changed, try again shortly.")
