"""The access log: reads are written in batches, a little later, and never delay a reply."""

from collections.abc import Awaitable, Callable, Sequence
from uuid import UUID

import pytest

from remem.core.access_log import AccessLog
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.time import new_id
from remem.core.transaction import Tx
from tests.conftest import new_scope
from tests.tools.waiting import until_async

pytestmark = pytest.mark.anyio


class RecordedWrites:
    """Stands in for a store's SQL; records each batch with the tenant of its transaction."""

    def __init__(self) -> None:
        self.batches: list[tuple[UUID, list[UUID]]] = []

    async def __call__(self, tx: Tx, ids: Sequence[UUID]) -> None:
        self.batches.append((await tx.system.fetchval("SELECT bound_tenant()"), list(ids)))

    def count_is(self, count: int) -> Callable[[], Awaitable[bool]]:
        async def has_count() -> bool:
            return len(self.batches) == count

        return has_count


async def test_reads_within_the_wait_are_written_in_one_batch(ports: Ports, scope: Scope) -> None:
    access_log, written, ids = (
        AccessLog(ports.db, wait_s=0.05),
        RecordedWrites(),
        [new_id() for _ in range(3)],
    )
    access_log.note(written, scope, ids[:2])
    access_log.note(written, scope, ids[1:])
    access_log.note(written, scope, [])
    assert written.batches == []
    await until_async(written.count_is(1))
    assert written.batches == [(scope.tenant_id, sorted(ids))]
    access_log.note(written, scope, ids[:1])
    await until_async(written.count_is(2))
    assert written.batches[1:] == [(scope.tenant_id, ids[:1])]


async def test_each_write_is_bound_to_the_tenant_of_its_caller(ports: Ports, scope: Scope) -> None:
    other = await new_scope(ports)
    access_log, written, ids = AccessLog(ports.db), RecordedWrites(), [new_id(), new_id()]
    access_log.note(written, scope, ids[:1])
    access_log.note(written, other, ids[1:])
    await access_log.close()
    assert sorted(written.batches) == sorted(
        [(scope.tenant_id, ids[:1]), (other.tenant_id, ids[1:])]
    )


async def test_a_failing_write_is_dropped_and_the_others_are_written(
    ports: Ports, scope: Scope
) -> None:
    async def fail(tx: Tx, ids: Sequence[UUID]) -> None:
        raise OSError

    access_log, written, id = AccessLog(ports.db, wait_s=0.05), RecordedWrites(), new_id()
    access_log.note(written, scope, [id])
    access_log.note(fail, scope, [id])
    await until_async(written.count_is(1))
    assert written.batches == [(scope.tenant_id, [id])]
    access_log.note(written, scope, [id])
    await access_log.close()
    assert len(written.batches) == 2
