"""Exports whose clients read slowly or not at all: no database connection waits for them, and
the number of concurrent exports is limited."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest

from remem.core.db import Database
from remem.core.errors import Unavailable
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.transfer.export import export
from remem.core.transfer.export_limits import (
    EXPORTS_IN_TOTAL,
    EXPORTS_PER_USER,
    ExportLimiter,
    TooManyExports,
)
from remem.core.transfer.model import ExportRequest
from remem.core.transfer.spool import SpooledPiece, spooled
from remem.settings import Settings
from remem.surfaces.rest.v3.transfer import give_out
from tests.conftest import Person
from tests.transfer.stores import fill_store

pytestmark = pytest.mark.anyio


class CountingDatabase(Database):
    """Counts the open snapshots."""

    def __init__(self, db: Database) -> None:
        super().__init__(db.pool, db._revive)
        self.snapshots = 0
        self.closed = asyncio.Event()

    @asynccontextmanager
    async def transaction(self, who: Any, **options: Any) -> AsyncIterator[Any]:
        self.snapshots += bool(options.get("snapshot"))
        async with super().transaction(who, **options) as tx:
            yield tx
        self.snapshots -= bool(options.get("snapshot"))
        self.closed.set()


@pytest.fixture
async def scope(ports: Ports, person: Person) -> Scope:
    await fill_store(ports, person)
    return Scope(UUID(person.tenant_id), UUID(person.user_id))


async def test_no_connection_waits_for_a_client_that_does_not_read(
    ports: Ports, scope: Scope
) -> None:
    db = CountingDatabase(ports.db)
    async with aclosing(export(replace(ports, db=db), scope, ExportRequest(vectors=True))) as lines:
        assert b'"header"' in await anext(lines)
        async with asyncio.timeout(120):
            await db.closed.wait()
        assert db.snapshots == 0
        rest = [line async for line in lines]
    assert b'"footer"' in rest[-1]


async def test_an_abandoned_export_closes_its_transaction(ports: Ports, scope: Scope) -> None:
    connections_before = ports.db.pool.get_size() - ports.db.pool.get_idle_size()
    async with aclosing(export(ports, scope, ExportRequest())) as lines:
        await anext(lines)
    assert ports.db.pool.get_size() - ports.db.pool.get_idle_size() <= connections_before


async def test_concurrent_exports_of_a_user_are_limited(ports: Ports, scope: Scope) -> None:
    responses = [await give_out(ports, scope) for _ in range(EXPORTS_PER_USER)]
    with pytest.raises(TooManyExports, match="exports of yours are under way") as refused:
        await give_out(ports, scope)
    assert refused.value.retry_after_s > 0

    async def send(message: Any) -> None:
        raise OSError("The client is gone.")

    async def receive() -> Any:
        await asyncio.Event().wait()

    with pytest.raises(BaseException):  # noqa: B017
        await responses[0]({"type": "http"}, receive, send)
    responses[0] = await give_out(ports, scope)
    for response in responses:
        await response._rest.aclose()


def test_all_exports_together_leave_connections_for_other_requests() -> None:
    assert Settings.model_fields["pool_size"].default >= EXPORTS_IN_TOTAL * 4
    export_limiter, users = ExportLimiter(per_user=1, in_total=2), [uuid4() for _ in range(3)]
    with (
        export_limiter.slot(users[0]),
        export_limiter.slot(users[1]),
        pytest.raises(Unavailable, match="2 exports are under way"),
        export_limiter.slot(users[2]),
    ):
        pass
    with export_limiter.slot(users[2]):
        pass


async def test_pieces_of_any_size_are_read_in_order_before_the_error() -> None:
    sizes = [0, 1, 300_000, 7, 256_000, *range(2_000), 1_000_000]

    async def pieces() -> AsyncIterator[SpooledPiece]:
        for size in sizes:
            yield SpooledPiece(f"kind{size}", b"x" * size)
        raise Unavailable("The database went away.")

    received: list[SpooledPiece] = []
    with pytest.raises(Unavailable, match="went away"):
        async with spooled(pieces()) as read:  # type: ignore[arg-type]
            async for piece in read:
                received.append(piece)
    assert [(piece.kind, len(piece.data)) for piece in received][:-1] == [
        (f"kind{size}", size) for size in sizes
    ][: len(received) - 1]
