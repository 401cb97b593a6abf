"""What was shown is noted together, a little later, and never in the way of an answer."""

from collections.abc import Awaitable, Callable, Sequence
from uuid import UUID

import pytest

from remem.core.access_log import AccessLog
from remem.core.db import Tx
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.time import new_id
from tests.conftest import new_scope
from tests.tools.waiting import until_so

pytestmark = pytest.mark.anyio


class Written:
    """Stands where a store's own SQL does, and says for whom the transaction was bound."""

    def __init__(self) -> None:
        self.batches: list[tuple[UUID, list[UUID]]] = []

    async def __call__(self, tx: Tx, scope: Scope, ids: Sequence[UUID]) -> None:
        self.batches.append((await tx.fetchval("SELECT bound_tenant()"), list(ids)))

    def count_is(self, count: int) -> Callable[[], Awaitable[bool]]:
        async def fact() -> bool:
            return len(self.batches) == count

        return fact


async def test_reads_of_one_moment_are_written_at_once(ports: Ports, scope: Scope) -> None:
    access_log, written, ids = (
        AccessLog(ports.db, wait_s=0.05),
        Written(),
        [new_id() for _ in range(3)],
    )
    access_log.note(written, scope, ids[:2])
    access_log.note(written, scope, ids[1:])
    access_log.note(written, scope, [])
    assert written.batches == []
    await until_so(written.count_is(1))
    assert written.batches == [(scope.tenant_id, sorted(ids))]
    access_log.note(written, scope, ids[:1])
    await until_so(written.count_is(2))
    assert written.batches[1:] == [(scope.tenant_id, ids[:1])]


async def test_each_caller_is_bound_to_their_own(ports: Ports, scope: Scope) -> None:
    other = await new_scope(ports)
    access_log, written, ids = AccessLog(ports.db), Written(), [new_id(), new_id()]
    access_log.note(written, scope, ids[:1])
    access_log.note(written, other, ids[1:])
    await access_log.close()
    assert sorted(written.batches) == sorted(
        [(scope.tenant_id, ids[:1]), (other.tenant_id, ids[1:])]
    )


async def test_one_that_cannot_be_written_is_dropped_and_the_rest_goes_on(
    ports: Ports, scope: Scope
) -> None:
    async def fail(tx: Tx, scope: Scope, ids: Sequence[UUID]) -> None:
        raise OSError

    access_log, written, id = AccessLog(ports.db, wait_s=0.05), Written(), new_id()
    access_log.note(written, scope, [id])
    access_log.note(fail, scope, [id])
    await until_so(written.count_is(1))
    assert written.batches == [(scope.tenant_id, [id])]
    access_log.note(written, scope, [id])
    await access_log.close()
    assert len(written.batches) == 2
