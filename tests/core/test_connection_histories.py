"""Random histories of two connections: the store mirrors the accounts, whatever is interrupted."""

import os
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, TypeAlias
from uuid import UUID

import pytest

from remem.core.connections.connect import connect
from remem.core.connections.items import take
from remem.core.connections.manage import get_connection
from remem.core.connections.model import NewConnection
from remem.core.connections.sync import request_sync, sync_connection
from remem.core.db import Database
from remem.core.documents.forget import forget_document
from remem.core.documents.ingest import ingest
from remem.core.documents.model import Draft
from remem.core.ports import Ports
from remem.core.scope import Bound, Scope
from remem.core.transaction import AnyTx
from tests.conftest import new_scope
from tests.core.test_connections import expire_lock, texts
from tests.tools.idle_queue import IdleQueue
from tests.tools.vendor import Crash, Vendor

pytestmark = pytest.mark.anyio

PROVIDERS = ("first", "second")
# About as many steps as a sync of so few items takes; a crash beyond the last step has no effect.
STEPS = 26
SYNC_LIMIT = 30
HISTORIES = 8
# A crash after a document is saved and before its item refers to it.
BEFORE_LINKING = -1

Write: TypeAlias = tuple[str, str | None]


@dataclass(frozen=True)
class Round:
    """The owner of an account writes, the service may lose its list of changes, a sync crashes at a
    step, and the owner writes again during and after it; then a sync completes."""

    provider: str
    before: tuple[Write, ...]
    is_expired: bool
    crash_at: int | None
    is_full: bool
    meanwhile: tuple[tuple[int, Write], ...]
    after: tuple[Write, ...]


@dataclass(frozen=True)
class DeletedItem:
    """A user deletes the document of an item here; in the account it is then changed, or removed
    and written again. It must not come back."""

    provider: str
    name: str
    is_removed: bool
    text: str


@dataclass(frozen=True)
class UserChange:
    """A user saves a text here, or deletes the document with it."""

    text: str
    is_deletion: bool


@dataclass(frozen=True)
class Sync:
    """`crash_at` is the step at which the process crashes; `meanwhile` has the owner's writes by
    step of the sync."""

    provider: str
    crash_at: int | None = None
    is_full: bool = False
    meanwhile: tuple[tuple[int, Write], ...] = ()


NAMES, TEXTS = "abcd", ("one", "two", "three", "shared")


def random_events(seed: int) -> list[Any]:
    """A random history; the same for the same seed."""
    rng = Random(seed)
    return [_random_event(rng) for _ in range(rng.randint(5, 8))]


def _random_event(rng: Random) -> Any:
    kind = rng.random()
    if kind < 0.1:
        return UserChange(rng.choice(TEXTS), rng.random() < 0.5)
    if kind < 0.3:
        provider, name = rng.choice(PROVIDERS), rng.choice(NAMES)
        return DeletedItem(provider, name, rng.random() < 0.6, rng.choice(TEXTS))
    before = _random_writes(rng, 1, 4)
    return Round(
        provider=rng.choice(PROVIDERS),
        before=before,
        is_expired=rng.random() < 0.15,
        crash_at=_random_crash(rng),
        is_full=rng.random() < 0.35,
        meanwhile=tuple(
            (rng.randrange(STEPS), write)
            for write in (_random_writes(rng, 1, 2) if rng.random() < 0.4 else ())
        ),
        after=_random_writes(rng, 0, 2, [name for name, _ in before]),
    )


def _random_crash(rng: Random) -> int | None:
    kind = rng.random()
    if kind < 0.25:
        return None
    return BEFORE_LINKING if kind < 0.4 else rng.randint(2, STEPS)


def _random_writes(
    rng: Random, min_count: int, max_count: int, names: Sequence[str] = NAMES
) -> tuple[Write, ...]:
    """One in six removes an item."""
    return tuple(
        (rng.choice(names), rng.choice((*TEXTS, None) if rng.random() < 0.8 else TEXTS))
        for _ in range(rng.randint(min_count, max_count))
    )


@dataclass
class Steps:
    """Counts the requests of a sync and its transactions, before and after each."""

    vendor: Vendor
    syncing: Sync
    suffix: str
    taken: int = 0

    def step(self, _: str = "") -> None:
        for at, (name, text) in self.syncing.meanwhile:
            if at == self.taken:
                edit(self.vendor, name, text, self.suffix)
        if self.syncing.crash_at == self.taken:
            raise Crash
        self.taken += 1


@dataclass
class CrashingDatabase:
    """The process may crash before a transaction begins and after it is committed; `look` is called
    between two transactions."""

    database: Database
    steps: Steps | None = None
    look: Callable[[], Awaitable[None]] | None = None

    @asynccontextmanager
    async def transaction(self, who: Scope | Bound, **options: Any) -> AsyncIterator[AnyTx]:
        if self.steps:
            self.steps.step()
            if self.look:
                await self.look()
        async with self.database.transaction(who, **options) as tx:
            yield tx
        if self.steps:
            self.steps.step()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.database, name)


async def crash(*_: object) -> bool:
    raise Crash


def edit(vendor: Vendor, name: str, text: str | None, suffix: str) -> None:
    if text is None:
        vendor.remove(name)
    else:
        vendor.write(name, f"{text} {suffix}")


@dataclass
class History:
    """Two accounts, the real store, and what a user changed in it."""

    ports: Ports = field(repr=False)
    scope: Scope
    vendors: dict[str, Vendor] = field(
        default_factory=lambda: {name: Vendor() for name in PROVIDERS}
    )
    ids: dict[str, Any] = field(default_factory=dict)
    saved: set[str] = field(default_factory=set)
    hidden: set[tuple[str, str]] = field(default_factory=set)
    # By provider, the revisions that the last undisturbed sync delivered.
    delivered: dict[str, set[tuple[str, str, int]]] = field(default_factory=dict)
    # Providers whose last sync was neither interrupted nor disturbed, with no edits since.
    settled: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.database = CrashingDatabase(self.ports.db)
        self.store = replace(
            self.ports,
            db=self.database,
            connectors=self.vendors,
            queue=IdleQueue(),  # type: ignore[arg-type]
        )
        self.suffix = str(self.scope.tenant_id)

    async def play(self, events: list[Any]) -> None:
        for name in PROVIDERS:
            new = NewConnection(name, {"name": "me"})
            self.ids[name] = (await connect(self.store, self.scope, new))[0].id
            await self._sync(Sync(name))
        for event in events:
            await self.happen(event)

    async def happen(self, event: Any) -> None:
        match event:
            case Round():
                await self._round(event)
            case DeletedItem():
                await self._delete_item(event)
            case UserChange(text, is_deletion):
                await (self._delete if is_deletion else self._save)(f"{text} {self.suffix}")

    async def _round(self, event: Round) -> None:
        vendor = self.vendors[event.provider]
        self._write(event.provider, event.before)
        if event.is_expired:
            vendor.expire()
        if event.crash_at is not None:
            await self._sync(Sync(event.provider, event.crash_at, event.is_full, event.meanwhile))
        elif event.is_full or event.meanwhile:
            await self._sync(Sync(event.provider, None, event.is_full, event.meanwhile))
        self._write(event.provider, event.after)
        await self._sync(Sync(event.provider))

    def _write(self, provider: str, writes: tuple[Write, ...]) -> None:
        for name, text in writes:
            edit(self.vendors[provider], name, text, self.suffix)
        if writes:
            self.settled.discard(provider)

    async def _delete_item(self, event: DeletedItem) -> None:
        files = self.vendors[event.provider].files
        if (event.provider, event.name) in self.hidden or event.name not in files:
            return
        await self._delete(files[event.name])
        if event.is_removed:
            self._write(event.provider, ((event.name, None),))
            await self._sync(Sync(event.provider))
        self._write(event.provider, ((event.name, event.text),))
        await self._sync(Sync(event.provider))

    async def _save(self, content: str) -> None:
        await ingest(self.ports, self.scope, Draft(content=content))
        self.saved.add(content)

    async def _delete(self, content: str) -> None:
        """Only between two completed syncs: for a half-ingested item the outcome is not defined."""
        document = (await texts(self.ports, self.scope)).get(content)
        async with self.ports.db.transaction(self.scope) as tx:
            pending = await tx.system.fetchval(
                "SELECT EXISTS (SELECT FROM connection_items WHERE pending_id IS NOT NULL)"
            )
            rows = await tx.system.fetch(
                "SELECT connection_id, reference FROM connection_items WHERE document_id IN"
                " (SELECT id FROM documents WHERE root_id ="
                " (SELECT root_id FROM documents WHERE id = $1))",
                document,
            )
        if document is None or pending:
            return
        names = {id: name for name, id in self.ids.items()}
        self.hidden |= {(names[row["connection_id"]], row["reference"]) for row in rows}
        await forget_document(self.ports, self.scope, document)
        self.saved.discard(content)

    async def _sync(self, syncing: Sync) -> None:
        name = syncing.provider
        # An item that was not delivered yet may be here through another item, and go with that one.
        before = self._revisions(name) & self.delivered.get(name, set())
        here = set(await texts(self.ports, self.scope))
        steps = Steps(self.vendors[name], syncing, self.suffix)

        async def look() -> None:
            kept = before & self._revisions(name)
            wanted = {text for _, text, _ in kept if text in here} | self.saved
            assert wanted <= set(await self._contents()), "a text is missing here"

        self.database.look = look
        edits = len(self.vendors[name].log)
        try:
            await self._until_done(syncing, steps)
            crashed = False
        except Crash:
            crashed = True
        self.database.steps = None
        self.vendors[name].before = lambda _: None
        is_quiet = not crashed and edits == len(self.vendors[name].log)
        (self.settled.add if is_quiet else self.settled.discard)(name)
        if is_quiet:
            self.delivered[name] = self._revisions(name)
        kept = before & self._revisions(name)
        await self._check({text for _, text, _ in kept if text in here})

    async def _until_done(self, syncing: Sync, steps: Steps) -> None:
        id = self.ids[syncing.provider]
        await expire_lock(self.ports, self.scope, id)
        if syncing.is_full:
            await request_sync(self.ports, self.scope, id, full=True)
        self.database.steps, self.vendors[syncing.provider].before = steps, steps.step
        with pytest.MonkeyPatch.context() as patch:
            if syncing.crash_at == BEFORE_LINKING:
                patch.setattr(take, "_link_document", crash)
            await self._work(id)

    async def _work(self, id: UUID) -> None:
        """Run job after job until the sync has an outcome."""
        for _ in range(SYNC_LIMIT):
            await sync_connection(self.store, self.scope, id)
            connection, runs = await get_connection(self.ports, self.scope, id)
            if runs[0].outcome:
                assert runs[0].outcome == "done", connection.error
                return
        raise AssertionError("the sync never ends")

    def _account_texts(self, provider: str) -> set[str]:
        files = self.vendors[provider].files.items()
        return {text for name, text in files if (provider, name) not in self.hidden}

    def _revisions(self, provider: str) -> set[tuple[str, str, int]]:
        """The files of an account by name, text and when they were written."""
        vendor = self.vendors[provider]
        return {
            (name, text, len(vendor.log) - vendor.log[::-1].index(name))
            for name, text in vendor.files.items()
            if (provider, name) not in self.hidden
        }

    async def _check(self, kept: set[str]) -> None:
        """`kept`: texts that were here before the sync and unchanged in the account since."""
        stored = Counter(await self._contents())
        assert max(stored.values(), default=1) == 1, "a text is here twice"
        assert kept | self.saved <= set(stored), "a text is missing here"
        settled = set().union(
            *(self._account_texts(provider) for provider in self.settled), self.saved
        )
        assert settled <= set(stored), "a text of the account was not ingested"
        if self.settled == set(PROVIDERS):
            assert set(stored) == settled, "a text removed from the account is still here"

    async def _contents(self) -> list[str]:
        async with self.ports.db.transaction(self.scope) as tx:
            rows = await tx.fetch(
                "SELECT content FROM documents WHERE tenant_id = $1 AND is_latest"
                " AND duplicate_of IS NULL"
            )
        return [row["content"] for row in rows]


@pytest.mark.parametrize("seed", range(int(os.environ.get("REMEM_HISTORIES", HISTORIES))))
async def test_the_store_mirrors_the_accounts(ports: Ports, seed: int) -> None:
    """For more: `REMEM_HISTORIES=500 make test ARGS="-k the_store_mirrors_the_accounts"`."""
    await History(ports, await new_scope(ports)).play(random_events(seed))
