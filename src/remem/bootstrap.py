"""Open the ports that the settings describe: the only place that opens adapters."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeVar

import asyncpg

from remem.adapters import connectors, delivery, importers
from remem.adapters.analysis.deadline import Deadline
from remem.adapters.analysis.processes import ProcessAnalysis
from remem.adapters.analysis.threads import ThreadAnalysis
from remem.adapters.blobs.folder import FolderBlobs
from remem.adapters.circuit import Circuit
from remem.adapters.database.access import prepare_access
from remem.adapters.database.dump import PostgresDump, embedded_dump
from remem.adapters.database.embedded import EmbeddedPostgres
from remem.adapters.extractors.engines import Engine
from remem.adapters.extractors.sandbox import SandboxedExtractor
from remem.adapters.feeds.feedparser import FeedparserFeeds
from remem.adapters.fetch.guarded import GuardedFetcher
from remem.adapters.llm.budget import PostgresTokenBudget
from remem.adapters.oauth.http import HttpOAuthClient
from remem.adapters.queue.pgqueuer import PgQueuerQueue
from remem.adapters.queue.pgqueuer import install as install_queue
from remem.adapters.reader.local import LocalReader
from remem.choices import Choice, choices, is_remote, require_valid
from remem.core.access_log import AccessLog
from remem.core.backup.nightly import make_nightly
from remem.core.backup.ports import BackupPorts
from remem.core.connectors.port import Connector
from remem.core.db import Database
from remem.core.delivery_ports import Channel
from remem.core.errors import CannotStart, Invalid
from remem.core.identity.keys.key_cache import open_access_version
from remem.core.items import Importer
from remem.core.jobs.wake import JobWaker
from remem.core.judges.choose import choose_judge
from remem.core.model_ports import Llm
from remem.core.ports import (
    Analysis,
    Blobs,
    DatabaseServer,
    Embedder,
    LocalModels,
    Ports,
    VectorCopy,
)
from remem.core.providers import ModelProvider
from remem.core.question_file import QuestionGuard, read_questions
from remem.core.upkeep.index_vectors import queue_indexing
from remem.migrations.apply import Migration, migrate, migrations, pending
from remem.open_database import open_database, prepare_database
from remem.settings import Settings


class Closable(Protocol):
    async def close(self) -> None: ...


Opened = TypeVar("Opened", bound=Closable)
# Background analysis runs at this niceness: it gets a processor when nothing else needs one.
NICENESS = 10


@asynccontextmanager
async def open_ports(settings: Settings) -> AsyncIterator[Ports]:
    """Open everything a verb needs; on exit, close it in the reverse order."""
    chosen = choices(settings)
    require_valid(chosen, settings)
    async with AsyncExitStack() as stack:
        db, dsn = await _start_database(chosen, settings, stack)
        ports = await _open_all(chosen, settings, db, stack)
        _wake_jobs(ports, stack)
        if ports.vector_copy:
            ports.vector_copy.on_pending = partial(queue_indexing, ports)
        ports = replace(
            ports,
            back_up=await _nightly(chosen, settings, ports, dsn),
            question_guard=_question_guard(settings),
        )
        background_analysis = _close_with(stack, _background_analysis(settings))
        judge = choose_judge(background_analysis, ports.reader, ports.llm)
        background = replace(
            ports,
            analysis=background_analysis,
            judge=judge,
            embedder=_in_background(ports.embedder),
        )
        yield replace(ports, background=background)


async def _start_database(
    chosen: Mapping[str, Choice], settings: Settings, stack: AsyncExitStack
) -> tuple[Database, str]:
    server: DatabaseServer = chosen["database"].adapter.make(settings)
    dsn = await server.start()
    stack.push_async_callback(server.stop)
    role = await prepare_database(dsn)
    return _close_with(stack, await open_database(settings, dsn, role, server.revive)), dsn


async def _open_all(
    chosen: Mapping[str, Choice], settings: Settings, db: Database, stack: AsyncExitStack
) -> Ports:
    make = partial(_make, chosen, settings, stack)
    embedder, vectors = make("embedding"), make("vector_index", db=db)
    await vectors.prepare(embedder.model, embedder.dimensions)
    circuits = {port: Circuit(port) for port in ("ocr", "asr") if is_remote(chosen[port])}
    fetcher = _close_with(stack, GuardedFetcher(allow_private=tuple(settings.fetch_private)))
    feeds, cache = _close_with(stack, FeedparserFeeds()), make("cache")
    analysis = _close_with(stack, _analysis(settings))
    llm, reader = await _llm(chosen, settings, db, stack), _reader(settings, stack)
    remote = _remote_providers(embedding=embedder, llm=llm, qdrant=vectors, redis=cache)
    return Ports(
        db=db,
        embedder=embedder,
        vectors=vectors,
        queue=await _queue(db),
        rate=make("rate", db=db),
        extractor=_close_with(stack, _extractor(chosen, settings, circuits)),
        analysis=analysis,
        fetcher=fetcher,
        feeds=feeds,
        blobs=make("blobs"),
        cache=cache,
        access_log=_close_with(stack, AccessLog(db)),
        access_version=open_access_version(db),
        judge=choose_judge(analysis, reader, llm),
        importers=open_importers(),
        secrets=chosen["secrets"].adapter.make(settings),
        oauth=_close_with(stack, HttpOAuthClient()),
        connectors=_connectors(settings, stack, fetcher=fetcher, feeds=feeds),
        channels=_channels(settings, stack),
        llm=llm,
        providers={**circuits, **remote},
        reader=reader,
        distils=settings.distil,
        records_sessions=settings.record_sessions,
        session_days=settings.session_days,
        vector_copy=_vector_copy(chosen["vector_index"], vectors),
    )


def _make(
    chosen: Mapping[str, Choice],
    settings: Settings,
    stack: AsyncExitStack,
    port: str,
    **shared: object,
) -> Any:
    return _close_with(stack, chosen[port].adapter.make(settings, **shared))


def _close_with(stack: AsyncExitStack, adapter: Opened) -> Opened:
    """Close the adapter when the stack closes."""
    stack.push_async_callback(adapter.close)
    return adapter


async def _queue(db: Database) -> PgQueuerQueue:
    queue = PgQueuerQueue(db)
    await queue.prepare()
    return queue


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
    return _close_with(stack, LocalReader()) if settings.reader else None


def _wake_jobs(ports: Ports, stack: AsyncExitStack) -> None:
    """Make waiting jobs due when a provider that was down answers again."""
    waker = _close_with(stack, JobWaker(ports.queue))
    circuits = (provider for provider in ports.providers.values() if isinstance(provider, Circuit))
    for circuit in (*circuits, *_circuits(ports.embedder, ports.llm, ports.vectors)):
        waker.watch(circuit)


def _question_guard(settings: Settings) -> QuestionGuard | None:
    if settings.questions is None:
        return None
    path = Path(settings.questions).expanduser()
    try:
        questions = read_questions(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise CannotStart(f"REMEM_QUESTIONS: {path} cannot be read: {error}.") from error
    except Invalid as error:
        raise CannotStart(f"REMEM_QUESTIONS: {path}: {error.message}") from error
    return QuestionGuard(questions, settings.questions_accept_loss)


async def _nightly(
    chosen: Mapping[str, Choice], settings: Settings, ports: Ports, dsn: str
) -> Callable[[], Awaitable[None]] | None:
    if settings.backups_folder is None:
        return None
    backup_ports = BackupPorts(await _dump(settings, dsn), ports.blobs, _newest_schema())
    return partial(
        make_nightly, ports.db, backup_ports, settings.backups_folder, settings.min_free_bytes
    )


@asynccontextmanager
async def open_scratch_ports(folder: Path) -> AsyncIterator[BackupPorts]:
    """Open an empty store in a folder, to restore a backup into."""
    server = EmbeddedPostgres(folder)
    dsn = await server.start()
    try:
        dump = embedded_dump(dsn, _create_schema)
        yield BackupPorts(dump, FolderBlobs(folder / "blobs"), _newest_schema())
    finally:
        await server.stop()


def _newest_schema() -> int:
    return migrations()[-1].version


@asynccontextmanager
async def open_backup_ports(settings: Settings) -> AsyncIterator[BackupPorts]:
    """Open the store for backup and restore; the schema is neither created nor migrated."""
    chosen = choices(settings)
    async with AsyncExitStack() as stack:
        server: DatabaseServer = chosen["database"].adapter.make(settings)
        dsn = await server.start()
        stack.push_async_callback(server.stop)
        blobs: Blobs = _close_with(stack, chosen["blobs"].adapter.make(settings))
        dump = await _dump(settings, dsn)
        yield BackupPorts(dump=dump, blobs=blobs, newest_schema=_newest_schema())


async def pending_migrations(settings: Settings) -> list[Migration]:
    """What opening the store would change in its schema."""
    server: DatabaseServer = choices(settings)["database"].adapter.make(settings)
    connection = await asyncpg.connect(await server.start(), timeout=30)
    try:
        return await pending(connection)
    finally:
        await connection.close()
        await server.stop()


async def _dump(settings: Settings, dsn: str) -> PostgresDump:
    if settings.database_url is None:
        return embedded_dump(dsn, _create_schema)
    connection = await asyncpg.connect(dsn, timeout=30)
    try:
        return PostgresDump(dsn, await prepare_access(connection), _create_schema)
    finally:
        await connection.close()


async def _create_schema(connection: asyncpg.Connection, version: int) -> None:
    await migrate(connection, version)
    await install_queue(connection)


def _analysis(settings: Settings) -> Analysis:
    deadline = Deadline(settings.analysis_seconds)
    if settings.analysis_processes == 0:
        return ThreadAnalysis(deadline)
    return ProcessAnalysis(settings.analysis_processes, deadline)


def _background_analysis(settings: Settings) -> Analysis:
    """Use a separate process, so that requests never wait for background work."""
    if settings.analysis_processes == 0:
        return _analysis(settings)
    return ProcessAnalysis(1, Deadline(settings.analysis_seconds), niceness=NICENESS)


def _engine(choice: Choice, settings: Settings) -> Engine:
    """Describe the adapter to the processes that read files, which create it themselves."""
    return Engine(choice.adapter.target, choice.adapter.arguments(settings))


async def _llm(
    chosen: Mapping[str, Choice], settings: Settings, db: Database, stack: AsyncExitStack
) -> Llm | None:
    if "llm" not in chosen:
        return None
    budget = PostgresTokenBudget(db, settings.llm_monthly_tokens)
    await budget.refresh()
    return _close_with(stack, chosen["llm"].adapter.make(settings, budget=budget))


def _remote_providers(**adapters: Any) -> dict[str, ModelProvider]:
    """The adapters that call a service."""
    return {port: adapter for port, adapter in adapters.items() if hasattr(adapter, "state")}


def _circuits(*adapters: Any) -> list[Circuit]:
    circuits = [getattr(adapter, "circuit", None) for adapter in adapters]
    return [circuit for circuit in circuits if isinstance(circuit, Circuit)]


def _in_background(embedder: Embedder) -> Embedder:
    return embedder.in_background() if isinstance(embedder, LocalModels) else embedder


def _vector_copy(choice: Choice, vectors: Any) -> VectorCopy | None:
    return vectors if choice.name == "qdrant" else None


def _connectors(
    settings: Settings, stack: AsyncExitStack, **shared: object
) -> dict[str, Connector]:
    opened: dict[str, Connector] = {}
    for name, adapter in connectors.ADAPTERS.items():
        opened[name] = _close_with(stack, adapter.make(settings, **shared))
    return opened


def _channels(settings: Settings, stack: AsyncExitStack) -> dict[str, Channel]:
    opened: dict[str, Channel] = {}
    for name, adapter in delivery.ADAPTERS.items():
        if name != "mail" or settings.smtp_host:
            opened[name] = _close_with(stack, adapter.make(settings))
    return opened


def open_importers() -> dict[str, Importer]:
    return {name: adapter.make(None) for name, adapter in importers.ADAPTERS.items()}
