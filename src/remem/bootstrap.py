"""Settings in, open ports out: the only place that chooses adapters."""

import os
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeVar

import asyncpg

from remem.adapters import connectors, importers
from remem.adapters.analysis.deadline import Deadline
from remem.adapters.analysis.processes import ProcessAnalysis
from remem.adapters.analysis.threads import ThreadAnalysis
from remem.adapters.circuit import Circuit
from remem.adapters.database.access import secure
from remem.adapters.database.dump import PostgresDump, embedded_dump
from remem.adapters.database.url import PostgresAtUrl
from remem.adapters.extractors.engines import Engine
from remem.adapters.extractors.sandbox import SandboxedExtractor
from remem.adapters.feeds.feedparser import FeedparserFeeds
from remem.adapters.fetch.guarded import GuardedFetcher
from remem.adapters.llm.budget import PostgresTokenBudget
from remem.adapters.oauth.http import HttpOAuthClient
from remem.adapters.queue.pgqueuer import PgQueuerQueue
from remem.adapters.reader.local import LocalReader
from remem.adapters.vector_index.pgvector import speak_vectors
from remem.choices import Choice, choices, is_remote
from remem.core.access_log import AccessLog
from remem.core.backup.ports import BackupPorts
from remem.core.connectors import Connector
from remem.core.db import Database, open_pool, opening_of
from remem.core.errors import CannotStart, RememError
from remem.core.identity.browsers import make_link
from remem.core.identity.keys.known import open_access_version
from remem.core.identity.recognise import recognise_key
from remem.core.identity.register import ensure_owner
from remem.core.items import Importer
from remem.core.jobs.wake import JobWaker
from remem.core.judges.choose import choose_judge
from remem.core.model_ports import Llm
from remem.core.ports import (
    Analysis,
    Blobs,
    DatabaseServer,
    Ports,
    VectorCopy,
)
from remem.core.providers import ModelProvider
from remem.core.upkeep.index_vectors import queue_indexing
from remem.migrations.apply import migrate, migrations
from remem.settings import Settings


class Closable(Protocol):
    async def close(self) -> None: ...


Opened = TypeVar("Opened", bound=Closable)
# Of what is analysed while nobody waits for it: it gets a processor when nobody else needs one.
NICENESS = 10


@asynccontextmanager
async def open_ports(settings: Settings) -> AsyncIterator[Ports]:
    """Everything a verb needs, ready to use; closed in the reverse order."""
    chosen = choices(settings)
    async with AsyncExitStack() as stack:
        db = await _start_database(chosen, settings, stack)
        ports = await _open_all(chosen, settings, db, stack)
        _wake_jobs(ports, stack)
        if ports.vector_copy:
            ports.vector_copy.when_behind = partial(queue_indexing, ports)
        behind = _kept(stack, _background_analysis(settings))
        judge = choose_judge(behind, ports.reader, ports.llm)
        yield replace(ports, background=replace(ports, analysis=behind, judge=judge))


async def _start_database(
    chosen: Mapping[str, Choice], settings: Settings, stack: AsyncExitStack
) -> Database:
    server: DatabaseServer = chosen["database"].adapter.make(settings)
    dsn = await server.start()
    stack.push_async_callback(server.stop)
    role = await _prepare_database(dsn)
    return _kept(stack, await _open_database(settings, dsn, role, server.revive))


async def _open_all(
    chosen: Mapping[str, Choice], settings: Settings, db: Database, stack: AsyncExitStack
) -> Ports:
    def make(port: str, **shared: object) -> Any:
        return _kept(stack, chosen[port].adapter.make(settings, **shared))

    embedder, vectors = make("embedding"), make("vector_index", db=db)
    await vectors.prepare(embedder.model, embedder.dimensions)
    queue = PgQueuerQueue(db)
    await queue.prepare()
    circuits = {port: Circuit(port) for port in ("ocr", "asr") if is_remote(chosen[port])}
    fetcher = _kept(stack, GuardedFetcher(allow_private=tuple(settings.fetch_private)))
    feeds, cache = _kept(stack, FeedparserFeeds()), make("cache")
    analysis = _kept(stack, _analysis(settings))
    llm, reader = await _llm(chosen, settings, db, stack), _reader(settings, stack)
    return Ports(
        db=db,
        embedder=embedder,
        vectors=vectors,
        queue=queue,
        rate=make("rate", db=db),
        extractor=_kept(stack, _extractor(chosen, settings, circuits)),
        analysis=analysis,
        fetcher=fetcher,
        feeds=feeds,
        blobs=make("blobs"),
        cache=cache,
        access_log=_kept(stack, AccessLog(db)),
        access_version=open_access_version(db),
        judge=choose_judge(analysis, reader, llm),
        importers=open_importers(),
        secrets=chosen["secrets"].adapter.make(settings),
        oauth=_kept(stack, HttpOAuthClient()),
        connectors=_connectors(settings, stack, fetcher=fetcher, feeds=feeds),
        llm=llm,
        providers={
            **circuits,
            **_remote(embedding=embedder, llm=llm, qdrant=vectors, redis=cache),
        },
        reader=reader,
        distils=settings.distil,
        records_sessions=settings.record_sessions,
        session_days=settings.session_days,
        vector_copy=_copy(chosen["vector_index"], vectors),
    )


def _kept(stack: AsyncExitStack, adapter: Opened) -> Opened:
    """Closed with the stack."""
    stack.push_async_callback(adapter.close)
    return adapter


def _extractor(
    chosen: Mapping[str, Choice], settings: Settings, circuits: dict[str, Circuit]
) -> SandboxedExtractor:
    return SandboxedExtractor(
        processes=settings.extract_processes,
        ocr=_engine(chosen["ocr"], settings),
        asr=_engine(chosen["asr"], settings),
        circuits=circuits,
    )


def _reader(settings: Settings, stack: AsyncExitStack) -> LocalReader | None:
    return _kept(stack, LocalReader()) if settings.reader else None


def _wake_jobs(ports: Ports, stack: AsyncExitStack) -> None:
    """When a provider that was down answers again."""
    waker = _kept(stack, JobWaker(ports.queue))
    readers = (one for one in ports.providers.values() if isinstance(one, Circuit))
    for circuit in (*readers, *_circuits(ports.embedder, ports.llm, ports.vectors)):
        waker.watch(circuit)


@asynccontextmanager
async def open_backup_ports(settings: Settings) -> AsyncIterator[BackupPorts]:
    """The store as a thing to back up and put back; nothing of it is made or brought up to date."""
    chosen = choices(settings)
    async with AsyncExitStack() as stack:
        server: DatabaseServer = chosen["database"].adapter.make(settings)
        dsn = await server.start()
        stack.push_async_callback(server.stop)
        blobs: Blobs = _kept(stack, chosen["blobs"].adapter.make(settings))
        dump = await _dump(settings, dsn)
        yield BackupPorts(dump=dump, blobs=blobs, knows=migrations()[-1].version)


async def _dump(settings: Settings, dsn: str) -> PostgresDump:
    if settings.database_url is None:
        return embedded_dump(dsn)
    connection = await asyncpg.connect(dsn, timeout=30)
    try:
        return PostgresDump(dsn, await secure(connection))
    finally:
        await connection.close()


def forget_owner_key(settings: Settings) -> None:
    """After a restore the key in the file may be of another store; the next start makes one."""
    if settings.database_url is None:
        settings.owner_key_path.unlink(missing_ok=True)


async def ensure_owner_key(ports: Ports, settings: Settings) -> str | None:
    """Make the local owner of a fresh store and keep their key in a file only they can read.

    On the embedded store a lost key file is replaced; elsewhere that would let anybody who has a
    database address become its first user. Returns the owner's key when there is one here.
    """
    path = settings.owner_key_path
    if path.exists() and (key := path.read_text().strip()):
        made = await ensure_owner(ports)
    else:
        key = None
        made = await ensure_owner(ports, replace_key=settings.database_url is None)
    if made:
        key = made.raw
        _write_private(path, key)
    return key


async def owner_link(ports: Ports, key: str | None) -> str | None:
    """The path of a link that signs the local owner in, when there is a key of theirs here that
    works."""
    try:
        owner = await recognise_key(ports, key) if key else None
        return f"/open/{(await make_link(ports, owner))[0]}" if owner else None
    except RememError:
        return None


def _write_private(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(text + "\n")
    fresh.replace(path)


async def _open_database(
    settings: Settings, dsn: str, role: str | None, revive: Callable[[], Awaitable[None]]
) -> Database:
    size = settings.pool_size
    sessions = await open_pool(dsn, role=role, max_size=size, prepare=speak_vectors)
    if settings.pooler_url is None:
        return Database(sessions, revive)
    url = settings.pooler_url.get_secret_value()
    try:
        await PostgresAtUrl(url, "REMEM_POOLER_URL").start()
        pool = await open_pool(url, max_size=size, prepare=speak_vectors, by_pooler=True)
    except BaseException:
        await sessions.close()
        raise
    db = Database(pool, revive, sessions=sessions, opening=opening_of(role))
    try:
        await _check_same_server(db)
    except BaseException:
        await db.close()
        raise
    return db


async def _check_same_server(db: Database) -> None:
    """What is written through the pooler must be where jobs look for it."""
    async with db.alone() as pooled, db.sessions.acquire() as direct:
        asked = "SELECT pg_postmaster_start_time(), current_database()"
        if await pooled.fetchrow(asked) != await direct.fetchrow(asked):
            raise CannotStart(
                "REMEM_POOLER_URL leads to another database than REMEM_DATABASE_URL; both must be"
                " the same one.",
                code="pooler_url",
            )


async def _prepare_database(dsn: str) -> str | None:
    connection = await asyncpg.connect(dsn, timeout=30)
    try:
        role = await secure(connection)
        if role:
            await connection.execute(f"SET ROLE {role}")
        await migrate(connection)
        return role
    finally:
        await connection.close()


def _analysis(settings: Settings) -> Analysis:
    deadline = Deadline(settings.analysis_seconds)
    if settings.analysis_processes == 0:
        return ThreadAnalysis(deadline)
    return ProcessAnalysis(settings.analysis_processes, deadline)


def _background_analysis(settings: Settings) -> Analysis:
    """One process of its own: a request never waits for a text that nobody waits for."""
    if settings.analysis_processes == 0:
        return _analysis(settings)
    return ProcessAnalysis(1, Deadline(settings.analysis_seconds), niceness=NICENESS)


def _engine(choice: Choice, settings: Settings) -> Engine:
    """For the processes that read files, which make the adapter themselves."""
    return Engine(choice.adapter.target, choice.adapter.arguments(settings))


async def _llm(
    chosen: Mapping[str, Choice], settings: Settings, db: Database, stack: AsyncExitStack
) -> Llm | None:
    if "llm" not in chosen:
        return None
    budget = PostgresTokenBudget(db, settings.llm_monthly_tokens)
    await budget.refresh()
    return _kept(stack, chosen["llm"].adapter.make(settings, budget=budget))


def _remote(**adapters: Any) -> dict[str, ModelProvider]:
    """Those that call a service."""
    return {port: adapter for port, adapter in adapters.items() if hasattr(adapter, "state")}


def _circuits(*adapters: Any) -> list[Circuit]:
    found = [getattr(adapter, "circuit", None) for adapter in adapters]
    return [circuit for circuit in found if isinstance(circuit, Circuit)]


def _copy(choice: Choice, vectors: Any) -> VectorCopy | None:
    return vectors if choice.name == "qdrant" else None


def _connectors(
    settings: Settings, stack: AsyncExitStack, **shared: object
) -> dict[str, Connector]:
    opened: dict[str, Connector] = {}
    for name, adapter in connectors.ADAPTERS.items():
        opened[name] = _kept(stack, adapter.make(settings, **shared))
    return opened


def open_importers() -> dict[str, Importer]:
    return {name: adapter.make(None) for name, adapter in importers.ADAPTERS.items()}
