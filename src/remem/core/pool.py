"""Open a pool of connections to PostgreSQL, with our types and settings, that are kept alive."""

import json
import socket
from collections.abc import Awaitable, Callable
from typing import Any

import asyncpg

from remem.core.unreadable import decode_json, decode_moment, encode_moment


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
        _keep_alive(connection)
        async with connection.transaction():
            await _set_codecs(connection)
            if prepare:
                await prepare(connection)

    settings = {"application_name": "remem", "timezone": "UTC"}
    if not through_pooler:
        settings |= _PLANNER_SETTINGS | _KEEPALIVE_SETTINGS | ({"role": role} if role else {})
    return await asyncpg.create_pool(
        dsn,
        min_size=1,
        max_size=max_size,
        timeout=timeout_s,
        command_timeout=_POOL_STATEMENT_S,
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


# Statements outside transactions, which are those of the queue.
_POOL_STATEMENT_S = 60.0
# The other end is gone when it has not answered for this long.
_KEEPALIVE_IDLE_S, _KEEPALIVE_INTERVAL_S, _KEEPALIVE_COUNT = 15, 5, 3
_UNANSWERED_MS = 30_000
# The same for the server, so that it ends the transactions of a machine that is gone.
_KEEPALIVE_SETTINGS = {
    "tcp_keepalives_idle": str(_KEEPALIVE_IDLE_S),
    "tcp_keepalives_interval": str(_KEEPALIVE_INTERVAL_S),
    "tcp_keepalives_count": str(_KEEPALIVE_COUNT),
    "tcp_user_timeout": str(_UNANSWERED_MS),
}


def _keep_alive(connection: asyncpg.Connection) -> None:
    """Notice a network that was cut. asyncpg has no options for this, and hides the socket."""
    connected = connection._transport.get_extra_info("socket")
    if connected is None or connected.family == getattr(socket, "AF_UNIX", None):
        return
    connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in (
        ("TCP_KEEPIDLE", _KEEPALIVE_IDLE_S),
        ("TCP_KEEPALIVE", _KEEPALIVE_IDLE_S),
        ("TCP_KEEPINTVL", _KEEPALIVE_INTERVAL_S),
        ("TCP_KEEPCNT", _KEEPALIVE_COUNT),
        ("TCP_USER_TIMEOUT", _UNANSWERED_MS),
    ):
        # Each system has some of them.
        if hasattr(socket, name):
            connected.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


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


def _to_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


async def _skip_reset(connection: asyncpg.Connection) -> None:
    """Do nothing: settings are bound to transactions, so a returned connection needs no reset."""
