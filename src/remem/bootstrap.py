"""Settings in, open ports out: the only place where plugs meet sockets."""

import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import asyncpg

from remem.adapters.analysis.deadline import Deadline
from remem.adapters.analysis.processes import ProcessAnalysis
from remem.adapters.analysis.threads import ThreadAnalysis
from remem.adapters.blobs.folder import FolderBlobs
from remem.adapters.blobs.s3 import S3Blobs
from remem.adapters.cache.memory import MemoryCache
from remem.adapters.database.access import secure
from remem.adapters.database.dump import PostgresDump, embedded_dump
from remem.adapters.database.embedded import EmbeddedPostgres
from remem.adapters.database.url import PostgresAtUrl
from remem.adapters.embedding.local import LocalEmbedder
from remem.adapters.embedding.openai import OpenAIEmbedder
from remem.adapters.extractors.sandbox import SandboxedExtractor
from remem.adapters.fetch.guarded import GuardedFetcher
from remem.adapters.importers.chatgpt import ChatGptImporter
from remem.adapters.importers.claude import ClaudeImporter
from remem.adapters.importers.karakeep import KarakeepImporter
from remem.adapters.importers.mem0 import Mem0Importer
from remem.adapters.importers.obsidian import ObsidianImporter
from remem.adapters.importers.pocket import PocketImporter
from remem.adapters.importers.raindrop import RaindropImporter
from remem.adapters.importers.supermemory import SupermemoryImporter
from remem.adapters.llm.anthropic import AnthropicLlm
from remem.adapters.llm.openai import OpenAILlm
from remem.adapters.queue.pgqueuer import PgQueuerQueue
from remem.adapters.rate.postgres import PostgresRateCounter
from remem.adapters.reader.local import LocalReader
from remem.adapters.vector_index.pgvector import PgVectorIndex, speak_vectors
from remem.core.db import Database, open_pool
from remem.core.errors import CannotStart
from remem.core.identity.register import ensure_owner
from remem.core.items import Importer
from remem.core.ports import Analysis, Blobs, Cache, DatabaseServer, Embedder, Llm, Ports, Whole
from remem.core.reads import Reads
from remem.migrations.apply import migrate, migrations
from remem.settings import Settings

# Those that know a file by most come first.
IMPORTERS: dict[str, Importer] = {
    "chatgpt": ChatGptImporter(),
    "claude": ClaudeImporter(),
    "karakeep": KarakeepImporter(),
    "supermemory": SupermemoryImporter(),
    "mem0": Mem0Importer(),
    "pocket": PocketImporter(),
    "raindrop": RaindropImporter(),
    "obsidian": ObsidianImporter(),
}
_OPENAI_URL = "https://api.openai.com/v1"
_OLLAMA_URL = "http://127.0.0.1:11434/v1"
_ANTHROPIC_URL = "https://api.anthropic.com"
_LLM_URLS = {"openai": _OPENAI_URL, "anthropic": _ANTHROPIC_URL, "ollama": _OLLAMA_URL}
_OWN_KEYS = {_OPENAI_URL: "OPENAI_API_KEY", _ANTHROPIC_URL: "ANTHROPIC_API_KEY"}


@asynccontextmanager
async def open_ports(settings: Settings) -> AsyncIterator[Ports]:
    """Everything a verb needs, ready to use; closed in the reverse order."""
    async with AsyncExitStack() as stack:
        server = _database_server(settings)
        dsn = await server.start()
        stack.push_async_callback(server.stop)
        role = await _prepare_database(dsn)
        pool = await open_pool(dsn, role=role, max_size=settings.pool_size, prepare=speak_vectors)
        db = Database(pool, revive=server.revive)
        stack.push_async_callback(db.close)
        reads = Reads(db)
        stack.push_async_callback(reads.close)
        embedder = _embedder(settings)
        stack.push_async_callback(embedder.close)
        vectors = PgVectorIndex(db)
        await vectors.prepare(embedder.model, embedder.dimensions)
        queue = PgQueuerQueue(db)
        await queue.prepare()
        extractor = SandboxedExtractor(processes=settings.extract_processes, ocr=settings.ocr)
        stack.push_async_callback(extractor.close)
        analysis = _analysis(settings)
        stack.push_async_callback(analysis.close)
        fetcher = GuardedFetcher(allow_private=tuple(settings.fetch_private))
        stack.push_async_callback(fetcher.close)
        blobs = _blobs(settings)
        stack.push_async_callback(blobs.close)
        cache = _cache(settings)
        stack.push_async_callback(cache.close)
        llm = _llm(settings)
        if llm:
            stack.push_async_callback(llm.close)
        reader = LocalReader() if settings.reader else None
        if reader:
            stack.push_async_callback(reader.close)
        yield Ports(
            db=db,
            embedder=embedder,
            vectors=vectors,
            queue=queue,
            rate=PostgresRateCounter(db),
            extractor=extractor,
            analysis=analysis,
            fetcher=fetcher,
            blobs=blobs,
            cache=cache,
            reads=reads,
            importers=IMPORTERS,
            llm=llm,
            reader=reader,
            distils=settings.distil,
        )


@asynccontextmanager
async def open_whole(settings: Settings) -> AsyncIterator[Whole]:
    """The store as a thing to back up and put back; nothing of it is made or brought up to date."""
    async with AsyncExitStack() as stack:
        server = _database_server(settings)
        dsn = await server.start()
        stack.push_async_callback(server.stop)
        blobs = _blobs(settings)
        stack.push_async_callback(blobs.close)
        dump = await _dump(settings, dsn)
        yield Whole(dump=dump, blobs=blobs, knows=migrations()[-1].version)


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

    On the embedded store a lost key file is mended; elsewhere that would let anybody who has a
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


def _write_private(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(text + "\n")
    fresh.replace(path)


def _database_server(settings: Settings) -> DatabaseServer:
    if settings.database_url:
        return PostgresAtUrl(settings.database_url.get_secret_value())
    return EmbeddedPostgres(settings.data_dir)


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


def _blobs(settings: Settings) -> Blobs:
    if settings.blobs and settings.blobs.startswith("s3://"):
        return S3Blobs(settings.blobs)
    return FolderBlobs(Path(settings.blobs) if settings.blobs else settings.data_dir / "blobs")


def _cache(settings: Settings) -> Cache:
    if settings.redis_url is None:
        return MemoryCache()
    # Most stores have none, and need not wait for what speaks to it.
    from remem.adapters.cache.redis import RedisCache

    return RedisCache(settings.redis_url.get_secret_value())


def _embedder(settings: Settings) -> Embedder:
    if settings.embedding_provider == "local":
        return LocalEmbedder(threads=settings.embedding_threads)
    if not settings.embedding_model:
        raise CannotStart(
            "REMEM_EMBEDDING_MODEL is not set; name the model that"
            f" {settings.embedding_provider} should use.",
            code="embedding_model",
        )
    key = settings.embedding_key.get_secret_value() if settings.embedding_key else ""
    url = settings.embedding_url or (
        _OLLAMA_URL if settings.embedding_provider == "ollama" else _OPENAI_URL
    )
    return OpenAIEmbedder(url, key, settings.embedding_model, settings.embedding_dimensions)


def _llm(settings: Settings) -> Llm | None:
    provider = settings.llm_provider
    if provider is None:
        return None
    if not settings.llm_model:
        raise CannotStart(
            f"REMEM_LLM_MODEL is not set; name the model that {provider} should use.",
            code="llm_model",
        )
    url = settings.llm_url or _LLM_URLS[provider]
    key = settings.llm_key.get_secret_value() if settings.llm_key else None
    if key is None and url in _OWN_KEYS:
        # A vendor's own key goes to that vendor and nowhere else.
        key = os.environ.get(_OWN_KEYS[url])
    plug = AnthropicLlm if provider == "anthropic" else OpenAILlm
    return plug(url, key, settings.llm_model)
