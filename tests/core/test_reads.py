"""What was shown is noted together, a little later, and never in the way of an answer."""

import asyncio
from collections.abc import Sequence
from uuid import UUID

import pytest

from remem.core.db import Tx
from remem.core.ports import Ports
from remem.core.reads import Reads
from remem.core.scope import Scope
from remem.core.time import new_id
from tests.conftest import new_scope

pytestmark = pytest.mark.anyio


class Written:
    """Stands where a store's own SQL does, and says for whom the transaction was bound."""

    def __init__(self) -> None:
        self.batches: list[tuple[UUID, list[UUID]]] = []

    async def __call__(self, tx: Tx, scope: Scope, ids: Sequence[UUID]) -> None:
        self.batches.append((await tx.fetchval("SELECT bound_tenant()"), list(ids)))


async def test_reads_of_one_moment_are_written_at_once(ports: Ports, scope: Scope) -> None:
    reads, written, ids = Reads(ports.db, wait_s=0.05), Written(), [new_id() for _ in range(3)]
    reads.note(written, scope, ids[:2])
    reads.note(written, scope, ids[1:])
    reads.note(written, scope, [])
    assert written.batches == []
    await asyncio.sleep(0.3)
    assert written.batches == [(scope.tenant_id, sorted(ids))]
    reads.note(written, scope, ids[:1])
    await asyncio.sleep(0.3)
    assert written.batches[1:] == [(scope.tenant_id, ids[:1])]


async def test_each_caller_is_bound_to_their_own(ports: Ports, scope: Scope) -> None:
    other = await new_scope(ports)
    reads, written, ids = Reads(ports.db), Written(), [new_id(), new_id()]
    reads.note(written, scope, ids[:1])
    reads.note(written, other, ids[1:])
    await reads.close()
    assert sorted(written.batches) == sorted(
        [(scope.tenant_id, ids[:1]), (other.tenant_id, ids[1:])]
    )


async def test_one_that_cannot_be_written_is_dropped_and_the_rest_goes_on(
    ports: Ports, scope: Scope
) -> None:
    async def fail(tx: Tx, scope: Scope, ids: Sequence[UUID]) -> None:
        raise OSError

    reads, written, id = Reads(ports.db, wait_s=0.05), Written(), new_id()
    reads.note(written, scope, [id])
    reads.note(fail, scope, [id])
    await asyncio.sleep(0.3)
    assert written.batches == [(scope.tenant_id, [id])]
    reads.note(written, scope, [id])
    await reads.close()
    assert len(written.batches) == 2
