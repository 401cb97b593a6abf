"""Search latency as the store grows: every mode over HTTP with keys and row-level security, with 1
and 8 clients; and the recall of approximate vector search under filters."""

import argparse
import asyncio
import json
import random
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

import asyncpg
import httpx2
import numpy as np
from sets import locomo, longmemeval
from sets.bulk import Home, Sentence, Writer, sentences_of, unindexed
from sets.model import Talk
from sets.serving import served

from remem.adapters.database.embedded import EmbeddedPostgres
from remem.adapters.embedding.local import LocalEmbedder
from remem.bootstrap import open_ports
from remem.core.filters import Filters
from remem.core.identity.keys.manage import create_key
from remem.core.identity.register import register
from remem.core.index.kinds import CHUNK
from remem.core.ports import Ports
from remem.core.projects.manage import list_projects
from remem.core.scope import ALL_RIGHTS, Scope
from remem.core.search.model import MODES
from remem.settings import load

DATA = Path(__file__).parents[2] / "shared" / "data"
TENANTS = 50
# The first tenant has half of all rows; the others share the rest.
BIG_SHARE = 0.5
WARM_UP, ASKED, CLIENTS = 20, 200, (1, 8)
CHURNED = 100
FILTERS = {"none": (), "half": ("common",), "tenth": ("some",), "hundredth": ("rare",)}


@dataclass(frozen=True, slots=True)
class Owner:
    scope: Scope
    home: Home
    key: str
    chunks: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--rows", type=int, nargs="+", default=[10_000, 100_000])
    args = parser.parse_args()
    talks = [*locomo.load(args.data), *longmemeval.load(args.data)]
    if not talks:
        raise SystemExit(f"There are no talks in {args.data}; nothing to do.")
    figures = {}
    for rows in args.rows:
        with tempfile.TemporaryDirectory(prefix="remem-bench-") as folder:
            figures[str(rows)] = asyncio.run(measure(Path(folder), talks, rows))
    print(json.dumps(figures))


async def measure(folder: Path, talks: Sequence[Talk], rows: int) -> dict[str, object]:
    questions = sorted({question.text for talk in talks for question in talk.questions})
    random.Random(5).shuffle(questions)
    embedder = LocalEmbedder()
    sentences = await sentences_of(talks, embedder)
    settings = load(data_dir=folder)
    async with open_ports(settings) as ports:
        owners = await fill(ports, folder, sentences, rows)
        missed = await filtered_recall(ports, owners[0], questions[:100])
        figures: dict[str, object] = {"filtered recall@10": missed}
        with served(folder) as server:
            figures |= await ask(server.url, owners, questions)
            figures["upkeep"] = await upkeep(server.url, owners[0], sentences, questions)
    return figures


# --- the store


async def fill(ports: Ports, folder: Path, sentences: Sequence[Sentence], rows: int) -> list[Owner]:
    started = time.perf_counter()
    dsn = await EmbeddedPostgres(folder).start()
    connection = await asyncpg.connect(dsn)
    writer = Writer(connection, sentences, ports.embedder.model, random.Random(9))
    owners = []
    async with unindexed(connection):
        for number in range(TENANTS):
            share = BIG_SHARE if number == 0 else (1 - BIG_SHARE) / (TENANTS - 1)
            owner = await make_owner(ports, number, int(rows * share))
            await writer.fill(owner.home, "chunk", owner.chunks)
            await writer.fill(owner.home, "memory", int(rows * share / 5))
            owners.append(owner)
        loaded = time.perf_counter()
    size = await connection.fetchval("SELECT pg_size_pretty(pg_database_size(current_database()))")
    await connection.close()
    indexed = time.perf_counter() - loaded
    print(
        f"\n{rows:,} chunks and {rows // 5:,} memories of {TENANTS} tenants: {size},"
        f" loaded in {loaded - started:.0f} s, indexed in {indexed:.0f} s"
    )
    return owners


async def make_owner(ports: Ports, number: int, chunks: int) -> Owner:
    user, tenant = await register(ports, f"bench{number}@example.org", "correct horse")
    scope = Scope(tenant.id, user.id, ALL_RIGHTS, actor="bench")
    project = (await list_projects(ports, scope))[0]
    key = await create_key(ports, scope, "bench", ALL_RIGHTS)
    return Owner(scope, Home(tenant.id, user.id, project.id), key.raw, chunks)


async def filtered_recall(ports: Ports, owner: Owner, questions: Sequence[str]) -> dict[str, float]:
    """The recall@10 of the index search against an exact search over every vector."""
    recalls: dict[str, list[float]] = {name: [] for name in FILTERS}
    ids, tagged, vectors = await everything(ports, owner)
    for question in questions:
        vector = await ports.embedder.embed_query(question)
        # Rounded as in the database.
        cosines = vectors @ vector.astype(np.float16).astype(np.float32)
        for name, tags in FILTERS.items():
            async with ports.db.transaction(owner.scope) as tx:
                near = await ports.vectors.search(
                    tx, ports.embedder.model, CHUNK, vector, None, 100,
                    Filters(tags=tags))  # fmt: skip
            allowed = np.flatnonzero(tagged == tags[0]) if tags else np.arange(len(ids))
            exact = {ids[index] for index in allowed[np.argsort(-cosines[allowed])[:10]]}
            approximate = {hit.id for hit in near[:10]}
            recalls[name].append(len(exact & approximate) / max(1, len(exact)))
    means = {name: round(statistics.mean(values), 4) for name, values in recalls.items()}
    print("recall@10 of the vector index, by what a filter leaves: " + str(means))
    return means


async def everything(ports: Ports, owner: Owner) -> tuple[list[UUID], np.ndarray, np.ndarray]:
    """Every chunk of an owner: its id, the tag of its document, and its stored vector."""
    async with ports.db.transaction(owner.scope) as tx:
        rows = await tx.fetch(
            "SELECT e.owner_id, d.tags[1] AS tag, e.vector FROM embeddings e"
            " JOIN chunks c ON c.tenant_id = e.tenant_id AND c.id = e.owner_id"
            " JOIN documents d ON d.tenant_id = c.tenant_id AND d.id = c.document_id"
            " WHERE e.tenant_id = $1 AND e.owner_kind = $2",
            CHUNK,
        )
    vectors = np.array([row["vector"] for row in rows])
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    ids, tags = [row["owner_id"] for row in rows], [row["tag"] for row in rows]
    return ids, np.array(tags), vectors / lengths


# --- the clients


async def ask(url: str, owners: Sequence[Owner], questions: Sequence[str]) -> dict[str, object]:
    figures: dict[str, object] = {}
    queries = iter(f"{question} ({n})" for n in range(100) for question in questions)
    print(f"{'':24}{'clients':>8}{'p50 ms':>9}{'p95 ms':>9}{'requests/s':>12}{'health p50':>12}")
    for group, group_owners in (("small tenants", owners[1:]), ("big tenant", owners[:1])):
        for mode in MODES:
            for clients in CLIENTS:
                batch = [next(queries) for _ in range(WARM_UP + ASKED)]
                p50, p95, rate = await load_test(url, group_owners, mode, clients, batch)
                bare = await health(url)
                print(f"{group:16}{mode:8}{clients:8}{p50:9.1f}{p95:9.1f}{rate:12.0f}{bare:12.1f}")
                figures[f"{group} {mode} {clients}"] = {
                    "p50_ms": p50, "p95_ms": p95, "rps": rate, "health_p50_ms": bare,
                }  # fmt: skip
    return figures


async def health(url: str) -> float:
    """The median of HTTP alone at this moment, as a yardstick: the machine's speed varies."""
    times_ms = []
    async with httpx2.AsyncClient(base_url=url) as http:
        for _ in range(100):
            started = time.perf_counter()
            (await http.get("/health")).raise_for_status()
            times_ms.append((time.perf_counter() - started) * 1_000)
    return round(statistics.median(times_ms), 2)


async def upkeep(
    url: str, owner: Owner, sentences: Sequence[Sentence], questions: Sequence[str]
) -> dict[str, float]:
    """The cost of writes in the biggest tenant, and whether searches are slower after them."""
    rng = random.Random(21)
    texts = [
        " ".join(sentence.text for sentence in rng.sample(sentences, 5)) for _ in range(2 * CHURNED)
    ]
    queries = [f"{question} (again)" for question in questions]
    before, _, _ = await load_test(url, [owner], "balanced", 1, queries[: WARM_UP + 100])
    headers = {"Authorization": f"Bearer {owner.key}"}
    times_ms: dict[str, list[float]] = {"save": [], "change": [], "delete": []}
    async with httpx2.AsyncClient(base_url=url, headers=headers, timeout=60) as http:

        async def timed(name: str, method: str, path: str, body: object = None) -> str:
            started = time.perf_counter()
            reply = await http.request(method, path, json=body)
            reply.raise_for_status()
            times_ms[name].append((time.perf_counter() - started) * 1_000)
            return reply.json()["id"] if reply.content else ""

        ids = [await timed("save", "POST", "/v3/memory", {"content": t}) for t in texts[:CHURNED]]
        ids = [
            await timed("change", "PATCH", f"/v3/documents/{id}", {"content": text})
            for id, text in zip(ids, texts[CHURNED:], strict=True)
        ]
        for id in ids:
            await timed("delete", "DELETE", f"/v3/documents/{id}")
    after, _, _ = await load_test(url, [owner], "balanced", 1, queries[-(WARM_UP + 100) :])
    figures = {
        f"{name}_p50_ms": round(statistics.median(values), 1) for name, values in times_ms.items()
    }
    figures |= {"recall_before_p50_ms": before, "recall_after_p50_ms": after}
    print("upkeep in the big tenant: " + str(figures))
    return figures


async def load_test(
    url: str, owners: Sequence[Owner], mode: str, clients: int, questions: Sequence[str]
) -> tuple[float, float, float]:
    async with httpx2.AsyncClient(base_url=url, timeout=60) as http:
        pending = list(enumerate(questions))
        times_ms: list[float] = []

        async def send(number: int, question: str) -> float:
            owner = owners[number % len(owners)]
            started = time.perf_counter()
            reply = await http.post(
                "/v3/recall",
                # Every other request names a project, as most clients do.
                json={"query": question, "mode": mode}
                | ({"project": str(owner.home.project_id)} if number % 2 else {}),
                headers={"Authorization": f"Bearer {owner.key}"},
            )
            reply.raise_for_status()
            assert reply.headers["X-Cache"] == "miss"
            return (time.perf_counter() - started) * 1_000

        async def client() -> None:
            while pending:
                times_ms.append(await send(*pending.pop()))

        for _ in range(WARM_UP):
            await send(*pending.pop())
        started = time.perf_counter()
        await asyncio.gather(*(client() for _ in range(clients)))
        rate = len(times_ms) / (time.perf_counter() - started)
    return (
        round(statistics.median(times_ms), 1),
        round(statistics.quantiles(times_ms, n=20)[-1], 1),
        rate,
    )


if __name__ == "__main__":
    main()
