"""Connections at the core: the store mirrors the account, whatever happens during a sync."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest

from remem.adapters.secrets.aes import AesSecrets
from remem.core.connections import advance, sync
from remem.core.connections.access import access_of
from remem.core.connections.check import check_connection
from remem.core.connections.connect import connect
from remem.core.connections.disconnect import disconnect, remove_connection
from remem.core.connections.items import take
from remem.core.connections.manage import (
    change_connection,
    get_connection,
    list_items,
)
from remem.core.connections.model import Connection, ConnectionChange, NewConnection, SyncRun
from remem.core.connections.rotate import COLUMNS, rotate_secrets
from remem.core.connections.sync import request_sync, schedule_syncs, sync_connection
from remem.core.connectors.errors import MarkExpired
from remem.core.connectors.provider import Field
from remem.core.documents.change import DocumentEdit, change_document
from remem.core.documents.deleted.delete import delete_document
from remem.core.documents.deleted.restore import restore_document
from remem.core.documents.forget import forget_document
from remem.core.documents.ingest import ingest
from remem.core.documents.model import DocumentChoice, Draft
from remem.core.documents.read import list_documents
from remem.core.errors import Conflict
from remem.core.jobs.run import run
from remem.core.ports import Ports
from remem.core.queued import Job
from remem.core.scope import Scope
from remem.core.search.model import Query
from remem.core.search.recall import recall
from remem.core.time import now
from tests.tools.idle_queue import IdleQueue
from tests.tools.vendor import Crash, Vendor

pytestmark = pytest.mark.anyio

SECRET = Field("token", "a token", is_secret=True)


@pytest.fixture
def vendor() -> Vendor:
    return Vendor()


@pytest.fixture
def store(ports: Ports, vendor: Vendor) -> Ports:
    return with_vendor(ports, vendor)


def with_vendor(ports: Ports, vendor: Vendor) -> Ports:
    """With an idle queue: the server's own worker does not know this service."""
    return replace(ports, connectors={"vendor": vendor}, queue=IdleQueue())  # type: ignore[arg-type]


async def connected(store: Ports, scope: Scope, name: str = "me") -> UUID:
    connection, _ = await connect(store, scope, NewConnection("vendor", {"name": name}))
    return connection.id


async def synced(store: Ports, scope: Scope, id: UUID) -> tuple[Connection, SyncRun]:
    await sync_connection(store, scope, id)
    connection, runs = await get_connection(store, scope, id)
    return connection, runs[0]


async def texts(store: Ports, scope: Scope) -> dict[str, UUID]:
    async with store.db.transaction(scope) as tx:
        rows = await tx.fetch(
            "SELECT id, content FROM documents WHERE tenant_id = $1 AND is_latest"
        )
    return {row["content"]: row["id"] for row in rows}


def counts(run: SyncRun) -> tuple[int, int, int, int]:
    return run.added, run.updated, run.deleted, run.unchanged


async def test_every_item_is_ingested_and_a_second_sync_changes_nothing(
    store: Ports, scope: Scope, vendor: Vendor
) -> None:
    for number in range(5):
        vendor.write(f"note{number}", f"The kettle number {number} is blue.")
    id = await connected(store, scope)
    connection, first = await synced(store, scope, id)
    assert counts(first) == (5, 0, 0, 0) and first.outcome == "done"
    assert connection.status == "active" and connection.next_at and connection.item_count == 5
    before = await texts(store, scope)
    vendor.requests.clear()
    _, second = await synced(store, scope, id)
    assert counts(second)[:3] == (0, 0, 0)
    assert "read" not in vendor.requests and await texts(store, scope) == before


async def test_changes_become_versions_and_removed_items_are_deleted(
    store: Ports, scope: Scope, vendor: Vendor
) -> None:
    vendor.write("a", "The train leaves at nine.")
    vendor.write("b", "The bakery closes on Monday.")
    id = await connected(store, scope)
    await synced(store, scope, id)
    vendor.write("a", "The train leaves at ten.")
    vendor.remove("b")
    _, run = await synced(store, scope, id)
    assert counts(run)[:3] == (0, 1, 1)
    assert list(await texts(store, scope)) == ["The train leaves at ten."]
    page = await list_documents(store, scope, DocumentChoice(), None, 100)
    assert [document.version for document in page.documents] == [2]
    reply = await recall(store, scope, Query("bakery Monday"))
    assert "bakery" not in str(reply)


async def test_two_items_with_one_text_share_a_document_until_the_last_is_gone(
    store: Ports, scope: Scope, vendor: Vendor
) -> None:
    vendor.write("a", "The same words.")
    vendor.write("b", "The same words.")
    id = await connected(store, scope)
    await synced(store, scope, id)
    assert len(await texts(store, scope)) == 1
    vendor.write("a", "Other words.")
    await synced(store, scope, id)
    assert set(await texts(store, scope)) == {"The same words.", "Other words."}
    vendor.remove("b")
    await synced(store, scope, id)
    assert set(await texts(store, scope)) == {"Other words."}


@pytest.mark.parametrize("when", ["before", "after"])
async def test_a_text_that_the_user_saved_too_survives(
    when: str, store: Ports, scope: Scope, vendor: Vendor
) -> None:
    vendor.write("a", "The safe is behind the clock.")
    id = await connected(store, scope)
    if when == "before":
        await ingest(store, scope, Draft(content="The safe is behind the clock."))
    await synced(store, scope, id)
    if when == "after":
        await ingest(store, scope, Draft(content="The safe is behind the clock."))
    vendor.write("a", "The safe was sold.")
    await synced(store, scope, id)
    assert set(await texts(store, scope)) == {
        "The safe is behind the clock.",
        "The safe was sold.",
    }
    vendor.remove("a")
    await synced(store, scope, id)
    assert set(await texts(store, scope)) == {"The safe is behind the clock."}


async def test_a_document_that_the_user_changed_survives(
    store: Ports, scope: Scope, vendor: Vendor
) -> None:
    vendor.write("a", "Draft of the letter.")
    id = await connected(store, scope)
    await synced(store, scope, id)
    document = (await texts(store, scope))["Draft of the letter."]
    change = DocumentEdit(frozenset({"content"}), content="My own letter.")
    await change_document(store, scope, document, change)
    vendor.remove("a")
    await synced(store, scope, id)
    assert set(await texts(store, scope)) == {"My own letter."}


async def test_a_document_that_the_user_deleted_does_not_come_back(
    store: Ports, scope: Scope, vendor: Vendor
) -> None:
    vendor.write("a", "A secret of mine.")
    id = await connected(store, scope)
    await synced(store, scope, id)
    await forget_document(store, scope, (await texts(store, scope))["A secret of mine."])
    for text in ("A secret of mine, again.", "And again."):
        vendor.write("a", text)
        await request_sync(store, scope, id, full=True)
        await synced(store, scope, id)
        assert await texts(store, scope) == {}
    vendor.remove("a")
    await synced(store, scope, id)
    vendor.write("a", "Back once more.")
    await synced(store, scope, id)
    assert await texts(store, scope) == {}


async def test_a_restored_document_is_synced_again(
    store: Ports, scope: Scope, vendor: Vendor
) -> None:
    vendor.write("a", "The first text.")
    id = await connected(store, scope)
    await synced(store, scope, id)
    document = (await texts(store, scope))["The first text."]
    await delete_document(store, scope, document)
    await restore_document(store, scope, document)
    vendor.write("a", "The second text.")
    await synced(store, scope, id)
    assert set(await texts(store, scope)) == {"The second text."}


async def test_a_walk_whose_position_has_expired_starts_over(
    store: Ports, scope: Scope, vendor: Vendor
) -> None:
    for number in range(5):
        vendor.write(f"note{number}", f"Text {number}.")
    id = await connected(store, scope)
    walks: list[str] = []

    def forget(name: str) -> None:
        if name == "walk":
            walks.append(name)
            if len(walks) == 2:
                raise MarkExpired

    vendor.before = forget
    for _ in range(2):
        await synced(store, scope, id)
    assert len(await texts(store, scope)) == 5
    assert len(walks) > 3


async def test_nothing_is_removed_before_a_walk_is_complete(
    store: Ports, scope: Scope, vendor: Vendor
) -> None:
    for number in range(5):
        vendor.write(f"note{number}", f"Text {number}.")
    id = await connected(store, scope)
    await synced(store, scope, id)
    vendor.remove("note0")
    vendor.expire()
    seen: list[int] = []

    def stop(name: str) -> None:
        if name == "walk":
            seen.append(1)
        if len(seen) == 2:
            raise Crash

    vendor.before = stop
    with pytest.raises(Crash):
        for _ in range(3):
            await sync_connection(store, scope, id)
    assert len(await texts(store, scope)) == 5
    vendor.before = lambda name: None
    await expire_lock(store, scope, id)
    await synced(store, scope, id)
    assert len(await texts(store, scope)) == 4


async def expire_lock(store: Ports, scope: Scope, id: UUID) -> None:
    """Expire the lock, as happens some time after a worker has crashed."""
    async with store.db.transaction(scope) as tx:
        await tx.system.execute("UPDATE connections SET locked_until = now() WHERE id = $1", id)


async def test_an_emptied_account_is_an_error_and_removes_nothing(
    store: Ports, scope: Scope, vendor: Vendor
) -> None:
    vendor.page = 100
    for number in range(advance.SUSPICIOUS_ITEMS + 1):
        vendor.write(f"note{number}", f"Text {number}.")
    id = await connected(store, scope)
    await synced(store, scope, id)
    vendor.files.clear()
    await request_sync(store, scope, id, full=True)
    connection, run = await synced(store, scope, id)
    assert run.outcome == "failed" and "nothing was removed" in str(connection.error)
    assert len(await texts(store, scope)) == advance.SUSPICIOUS_ITEMS + 1


async def test_a_revoked_token_is_reported_with_what_to_do(
    store: Ports, scope: Scope, vendor: Vendor
) -> None:
    id = await connected(store, scope)
    vendor.is_revoked = True
    connection, run = await synced(store, scope, id)
    assert (connection.status, run.outcome) == ("needs_auth", "needs_auth")
    assert connection.error == "The token was revoked; connect again with a new one."
    assert connection.next_at is None
    with pytest.raises(Conflict):
        await request_sync(store, scope, id)
    vendor.is_revoked = False
    again, is_new = await connect(store, scope, NewConnection("vendor", {"name": "me"}))
    assert again.id == id and not is_new and again.status == "active" and again.error is None


async def test_a_rate_limit_is_respected_and_is_no_failure(
    store: Ports, scope: Scope, vendor: Vendor
) -> None:
    for number in range(5):
        vendor.write(f"note{number}", f"Text {number}.")
    id = await connected(store, scope)
    until = now() + timedelta(minutes=30)
    reads: list[str] = []

    def limit(name: str) -> None:
        reads.append(name)
        vendor.wait_until = until if reads.count("read") > 2 else None

    vendor.before = limit
    connection, run = await synced(store, scope, id)
    assert run.outcome == "rate_limited" and connection.failures == 0
    assert connection.next_at and until <= connection.next_at < until + timedelta(minutes=1)
    assert connection.status == "active" and len(await texts(store, scope)) == 2
    vendor.before, vendor.wait_until = lambda name: None, None
    await synced(store, scope, id)
    assert len(await texts(store, scope)) == 5


async def test_failures_back_off_and_are_reported_after_a_day(
    store: Ports, scope: Scope, vendor: Vendor
) -> None:
    def fail(name: str) -> None:
        raise OSError("the cable is cut")

    id = await connected(store, scope)
    vendor.before = fail
    first, run = await synced(store, scope, id)
    assert run.outcome == "failed" and first.status == "active" and first.failures == 1
    async with store.db.transaction(scope) as tx:
        await tx.system.execute(
            "UPDATE connections SET failing_since = now() - interval '25 hours' WHERE id = $1", id
        )
    later, _ = await synced(store, scope, id)
    assert later.status == "failing" and later.error and "cable" not in later.error
    vendor.before = lambda name: None
    recovered, _ = await synced(store, scope, id)
    assert recovered.status == "active" and recovered.failures == 0 and recovered.error is None


async def test_an_unreadable_item_is_reported_and_the_others_are_ingested(
    store: Ports, scope: Scope, vendor: Vendor
) -> None:
    vendor.write("a", "unreadable thing")
    vendor.write("b", "A good text.")
    id = await connected(store, scope)
    connection, run = await synced(store, scope, id)
    assert run.skipped == 1 and run.errors == [{"reference": "a", "reason": "it has no text"}]
    assert connection.problem_count == 1
    items, _ = await list_items(store, scope, id, True, None, 10)
    assert [(item.reference, item.problem) for item in items] == [("a", "it has no text")]
    vendor.write("a", "Now it has.")
    connection, _ = await synced(store, scope, id)
    assert connection.problem_count == 0 and "Now it has." in await texts(store, scope)


async def test_a_pause_takes_effect_between_two_items(
    store: Ports, scope: Scope, vendor: Vendor
) -> None:
    for number in range(4):
        vendor.write(f"note{number}", f"Text {number}.")
    id = await connected(store, scope)
    loop = asyncio.get_running_loop()
    tasks: list[asyncio.Task[Connection]] = []

    class Pausing(Vendor):
        async def read(self, *arguments: object) -> object:  # type: ignore[override]
            if not tasks:
                pause = change_connection(store, scope, id, ConnectionChange(is_paused=True))
                tasks.append(loop.create_task(pause))
                await tasks[0]
            return await super().read(*arguments)  # type: ignore[arg-type]

    pausing = Pausing(files=vendor.files, log=vendor.log)
    connection, run = await synced(with_vendor(store, pausing), scope, id)
    assert connection.status == "paused" and run.outcome == "stopped"
    assert await texts(store, scope) == {}
    await change_connection(store, scope, id, ConnectionChange(is_paused=False))
    await synced(store, scope, id)
    assert len(await texts(store, scope)) == 4


async def test_two_workers_do_not_get_in_each_others_way(
    store: Ports, scope: Scope, vendor: Vendor
) -> None:
    for number in range(6):
        vendor.write(f"note{number}", f"Text {number}.")
    id = await connected(store, scope)
    await asyncio.gather(*(sync_connection(store, scope, id) for _ in range(3)))
    assert len(await texts(store, scope)) == 6
    assert vendor.requests.count("begin") == 1


async def test_a_connection_has_one_job_and_one_run_at_a_time(
    store: Ports, scope: Scope, vendor: Vendor
) -> None:
    id = await connected(store, scope)
    first = await request_sync(store, scope, id)
    assert await request_sync(store, scope, id) == first
    assert await count_scheduled_jobs(store, scope, id) == 0
    async with store.db.transaction(scope) as tx:
        user = await tx.system.fetchval("SELECT user_id FROM connections WHERE id = $1", id)
    job = Job(first[0], sync.JOB, scope.tenant_id, user, id)
    from remem.surfaces.worker.jobs import JOBS

    await run(store, job, JOBS[sync.JOB])
    assert (await get_connection(store, scope, id))[1][0].outcome == "done"
    assert await request_sync(store, scope, id) != first


async def count_scheduled_jobs(store: Ports, scope: Scope, id: UUID) -> int:
    """The number of jobs the scheduler creates for a connection that is due."""
    async with store.db.transaction(scope) as tx:
        await tx.system.execute("UPDATE connections SET next_at = now() WHERE id = $1", id)
        before = await tx.system.fetchval("SELECT count(*) FROM jobs WHERE subject_id = $1", id)
    await schedule_syncs(store)
    async with store.db.transaction(scope) as tx:
        after = await tx.system.fetchval("SELECT count(*) FROM jobs WHERE subject_id = $1", id)
    return after - before


@pytest.mark.parametrize("erase", [True, False])
async def test_a_connection_is_removed_with_or_without_its_documents(
    erase: bool, store: Ports, scope: Scope, vendor: Vendor
) -> None:
    vendor.write("a", "Only there.")
    vendor.write("b", "Saved here too.")
    id = await connected(store, scope)
    await synced(store, scope, id)
    await ingest(store, scope, Draft(content="Saved here too."))
    job = await disconnect(store, scope, id, erase=erase)
    assert bool(job) == erase
    if erase:
        await remove_connection(store, scope, id)
    expected = {"Saved here too."} if erase else {"Saved here too.", "Only there."}
    assert set(await texts(store, scope)) == expected
    async with store.db.transaction(scope) as tx:
        assert await tx.system.fetchval("SELECT count(*) FROM connection_items") == 0
        assert await tx.system.fetchval("SELECT count(*) FROM connections") == 0


async def test_a_check_reads_a_page_and_stores_nothing(
    store: Ports, scope: Scope, vendor: Vendor
) -> None:
    vendor.write("a", "A text.")
    id = await connected(store, scope)
    checked = await check_connection(store, scope, id)
    assert (checked.account, checked.seen, checked.paths) == ("me", 1, ["a"])
    assert await texts(store, scope) == {} and "read" not in vendor.requests


async def test_keys_are_rotated_and_a_lost_one_asks_for_the_account_again(
    ports: Ports, scope: Scope, tmp_path: Path
) -> None:
    class WithToken(Vendor):
        provider = replace(Vendor.provider, fields=(*Vendor.provider.fields, SECRET))

    vendor = WithToken()
    secrets = AesSecrets(tmp_path / "keys.json", None)
    store = replace(with_vendor(ports, vendor), secrets=secrets)
    fields = {"name": "me", "token": "xyzzy-token"}
    connection, _ = await connect(store, scope, NewConnection("vendor", fields))
    assert access_of(store, scope, connection).credential == {"token": "xyzzy-token"}
    rotated = await rotate_secrets(store, COLUMNS)
    assert (rotated.key, rotated.sealed) == (2, 1)
    stored, _ = await get_connection(store, scope, connection.id)
    assert access_of(store, scope, stored).credential == {"token": "xyzzy-token"}
    assert stored.token and secrets.key_number(stored.token) == 2
    (tmp_path / "keys.json").unlink()
    lost = replace(store, secrets=AesSecrets(tmp_path / "keys.json", None))
    stored, _ = await synced(lost, scope, connection.id)
    assert stored.status == "needs_auth" and "connect the account again" in str(stored.error)


async def crash_sync_at_second(
    store: Ports, scope: Scope, id: UUID, vendor: Vendor, name: str
) -> None:
    """Crash a sync at its second request of a kind."""
    requests: list[str] = []

    def crash(request: str) -> None:
        requests.append(request)
        if requests.count(name) == 2:
            raise Crash

    vendor.before = crash
    with pytest.raises(Crash):
        await sync_connection(store, scope, id)
    vendor.before = lambda request: None
    await expire_lock(store, scope, id)


async def test_a_change_is_not_lost_when_its_sync_crashes(
    store: Ports, scope: Scope, vendor: Vendor
) -> None:
    id = await connected(store, scope)
    await synced(store, scope, id)
    vendor.write("a", "The first text.")
    vendor.write("b", "The second text.")
    await crash_sync_at_second(store, scope, id, vendor, "read")
    await synced(store, scope, id)
    assert set(await texts(store, scope)) == {"The first text.", "The second text."}


async def test_changes_made_during_a_walk_are_synced_after_it(
    store: Ports, scope: Scope, vendor: Vendor
) -> None:
    for name in "abcd":
        vendor.write(name, f"The text of {name}.")

    def change(request: str) -> None:
        if request == "walk" and vendor.requests.count("walk") == 2:
            vendor.write("a", "The text of a, changed.")
            vendor.remove("b")

    vendor.before = change
    id = await connected(store, scope)
    await synced(store, scope, id)
    expected = {"The text of a, changed.", "The text of c.", "The text of d."}
    assert set(await texts(store, scope)) == expected


@pytest.mark.parametrize("known", [True, False])
async def test_a_document_saved_just_before_a_crash_is_not_orphaned(
    known: bool, store: Ports, scope: Scope, vendor: Vendor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The document is saved, its item does not refer to it yet, and then the item is removed."""

    async def crash(*_: object) -> bool:
        raise Crash

    id = await connected(store, scope)
    if known:
        vendor.write("a", "The first text.")
        await synced(store, scope, id)
    vendor.write("a", "The second text.")
    with monkeypatch.context() as patch:
        patch.setattr(take, "_link_document", crash)
        with pytest.raises(Crash):
            await sync_connection(store, scope, id)
    assert "The second text." in await texts(store, scope)
    await expire_lock(store, scope, id)
    vendor.remove("a")
    await synced(store, scope, id)
    assert await texts(store, scope) == {}
