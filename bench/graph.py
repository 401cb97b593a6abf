"""How fast the memory graph, related memories and the profile are, with 10,000 memories.

The rows of one tenant are inserted into the tables directly; requests go over HTTP, from one
client, with a key and row-level security. Nothing is cached on these paths."""

import argparse
import asyncio
import json
import random
import statistics
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from uuid import UUID

import asyncpg
import httpx2
from sets.bulk import CHUNKS_A_DOCUMENT, Home, Sentence, Writer, unindexed
from sets.serving import served

from remem.adapters.database.embedded import EmbeddedPostgres
from remem.bootstrap import open_ports
from remem.core.identity.keys.manage import create_key
from remem.core.identity.register import register
from remem.core.ports import Ports
from remem.core.projects.manage import list_projects
from remem.core.scope import ALL_RIGHTS, Scope
from remem.core.time import new_id
from remem.settings import Settings

MEMORIES, DOCUMENTS, ENTITIES = 10_000, 500, 2_000
MENTIONS_A_MEMORY, LINKS_A_MEMORY = 3, 1.5
RELATIONS = ("updates", "extends", "similar", "similar", "similar", "related", "derives")
TYPES = ("person", "organization", "place", "technology", "concept")
QUERIES = ("where does the team meet", "what does Ada like", "which port is it", "the plan of May")


async def fill(
    ports: Ports, folder: Path, home: Home, rng: random.Random, memories: int
) -> list[UUID]:
    """Insert all rows of one tenant as saving would; return the memory ids."""
    connection = await asyncpg.connect(await EmbeddedPostgres(folder).start())
    writer = Writer(connection, await sentences(ports), ports.embedder.model, rng)
    async with unindexed(connection):
        await writer.fill(home, "chunk", DOCUMENTS * CHUNKS_A_DOCUMENT)
        await writer.fill(home, "memory", memories)
        ids = await connect_memories(connection, home, rng)
    await connection.close()
    return ids


async def connect_memories(
    connection: asyncpg.Connection, home: Home, rng: random.Random
) -> list[UUID]:
    """Give half of the memories a document, and all of them mentions and links."""
    ids = [row["id"] for row in await connection.fetch("SELECT id FROM memories ORDER BY id")]
    documents = [row["id"] for row in await connection.fetch("SELECT id FROM documents")]
    await connection.executemany(
        "UPDATE memories SET document_id = $2 WHERE tenant_id = $1 AND id = $3",
        [(home.tenant_id, rng.choice(documents), id) for id in ids if rng.random() < 0.5],
    )
    entities = await put_entities(connection, home, rng)
    await put_links(connection, home, mentions(ids, entities, rng))
    await put_links(connection, home, random_links(ids, rng))
    return ids


async def sentences(ports: Ports) -> list[Sentence]:
    names = ("Ada", "Bert", "the team", "the office", "our server", "the garden", "my sister")
    does = ("likes", "moved to", "is planned for", "depends on", "was painted in", "costs")
    what = ("blue", "Berlin", "Friday", "PostgreSQL", "May", "40 euros", "the harbour", "jazz")
    texts = [
        f"{subject} {verb} {object_}." for subject in names for verb in does for object_ in what
    ]
    vectors = await ports.embedder.embed(texts)
    return [Sentence(text, vector) for text, vector in zip(texts, vectors, strict=True)]


async def put_entities(
    connection: asyncpg.Connection, home: Home, rng: random.Random
) -> list[UUID]:
    ids = [new_id() for _ in range(ENTITIES)]
    await connection.executemany(
        "INSERT INTO entities (tenant_id, id, project_id, type, name, name_normalized, aliases)"
        " VALUES ($1, $2, $3, $4, $5, $5, '{}')",
        [
            (home.tenant_id, id, home.project_id, rng.choice(TYPES), f"thing {number}")
            for number, id in enumerate(ids)
        ],
    )
    return ids


def mentions(
    memories: Sequence[UUID], entities: Sequence[UUID], rng: random.Random
) -> Iterable[tuple[UUID, str, UUID, str]]:
    """Links from memories to entities; few entities are mentioned often, most of them rarely."""
    weights = [1 / (place + 2) for place in range(len(entities))]
    for id in memories:
        for entity in set(rng.choices(entities, weights, k=MENTIONS_A_MEMORY)):
            yield id, "entity", entity, "mentions"


def random_links(
    memories: Sequence[UUID], rng: random.Random
) -> Iterable[tuple[UUID, str, UUID, str]]:
    for _ in range(int(len(memories) * LINKS_A_MEMORY)):
        first, second = rng.sample(memories, 2)
        yield first, "memory", second, rng.choice(RELATIONS)


async def put_links(
    connection: asyncpg.Connection, home: Home, links: Iterable[tuple[UUID, str, UUID, str]]
) -> None:
    rows = [(new_id(), *link) for link in links]
    await connection.execute(
        "INSERT INTO links (tenant_id, id, from_kind, from_id, to_kind, to_id, relation,"
        " confidence) SELECT $1, id, 'memory', f, k, t, r, 0.5 + random() / 2"
        " FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::uuid[], $6::text[])"
        " AS made(id, f, k, t, r) ON CONFLICT DO NOTHING",
        home.tenant_id,
        *map(list, zip(*rows, strict=True)),
    )


async def measure(folder: Path, memories: int, rounds: int) -> dict[str, list[float]]:
    rng = random.Random(5)
    async with open_ports(Settings(data_dir=folder)) as ports:
        user, tenant = await register(ports, "bench@example.org", "correct horse")
        scope = Scope(tenant.id, user.id, ALL_RIGHTS, actor="bench")
        key = await create_key(ports, scope, "bench", ALL_RIGHTS)
        project = (await list_projects(ports, scope))[0]
        ids = await fill(ports, folder, Home(tenant.id, user.id, project.id), rng, memories)
        with served(folder) as server:
            return await asyncio.to_thread(ask, server.url, key.raw, ids, rounds)


def ask(url: str, key: str, ids: Sequence[UUID], rounds: int) -> dict[str, list[float]]:
    rng = random.Random(6)
    headers = {"Authorization": f"Bearer {key}"}
    took: dict[str, list[float]] = {}
    with httpx2.Client(base_url=url, headers=headers, timeout=60) as http:
        for number in range(rounds + 3):
            for name, path in paths(rng.choice(ids), QUERIES[number % len(QUERIES)]):
                started = time.perf_counter()
                http.get(path).raise_for_status()
                # The first rounds warm the server up.
                if number >= 3:
                    took.setdefault(name, []).append(1000 * (time.perf_counter() - started))
    return took


def paths(id: UUID, query: str) -> list[tuple[str, str]]:
    return [
        ("memory-graph, 200 nodes", "/v3/memory-graph?limit=200"),
        ("memory-graph, 1,000 nodes", "/v3/memory-graph?limit=1000"),
        *((f"related, depth {n}", f"/v1/memories/{id}/related?depth={n}") for n in (1, 2, 3)),
        ("profile", "/v1/profile"),
        ("profile with a query", f"/v1/profile?query={query.replace(' ', '+')}"),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=MEMORIES)
    parser.add_argument("--rounds", type=int, default=40)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="remem-bench-") as name:
        took = asyncio.run(measure(Path(name), args.memories, args.rounds))
    figures = {name: cuts(times) for name, times in took.items()}
    print(f"{'':28}{'p50 ms':>10}{'p95 ms':>10}")
    for name, (median, late) in figures.items():
        print(f"{name:28}{median:10.1f}{late:10.1f}")
    print(json.dumps({name: {"p50": p50, "p95": p95} for name, (p50, p95) in figures.items()}))


def cuts(times: Sequence[float]) -> tuple[float, float]:
    return round(statistics.median(times), 1), round(statistics.quantiles(times, n=20)[-1], 1)


if __name__ == "__main__":
    main()
