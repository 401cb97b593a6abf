"""Search latency before, during and after vectors move to another local model, and what is found.

    .venv/bin/python bench/moving.py [--rows 10000] [--real]

The store has one large tenant and a small one, whose saves are measured as well. The other model is
MiniLM in a rotated space under the name of the multilingual one, so every answer must stay the
same, question by question, at every moment; `--real` moves to the multilingual model itself, whose
answers differ at the end. Prints a row for each phase; the last line is JSON, with latencies as
ratios to those before."""

import argparse
import asyncio
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncpg
import httpx2
from sets import locomo, longmemeval
from sets.bulk import Writer, sentences_of, unindexed
from sets.model import Talk
from sets.serving import Served, address_of
from speed import DATA, Owner, make_owner

from remem.adapters.database.embedded import EmbeddedPostgres
from remem.adapters.embedding.local import LocalEmbedder
from remem.adapters.embedding.networks import MINILM as FIRST
from remem.adapters.embedding.networks import MULTILINGUAL as SECOND
from remem.bootstrap import open_ports
from remem.core.errors import WorkRemains
from remem.core.ports import Ports
from remem.core.upkeep.reembed import reembed_tenant
from remem.core.upkeep.upkeep_store import mark_stale
from remem.settings import load

ROOT = Path(__file__).parents[1]
QUESTIONS, SAVES = 60, 20


@dataclass(slots=True)
class Phase:
    """The latencies of a phase, and of each question the results that were found."""

    recalls_ms: list[float] = field(default_factory=list)
    saves_ms: list[float] = field(default_factory=list)
    found: dict[str, list[list[str]]] = field(default_factory=dict)
    missed: int = 0

    def row(self) -> dict[str, float]:
        return {
            "p50_ms": round(statistics.median(self.recalls_ms), 2),
            "p95_ms": round(statistics.quantiles(self.recalls_ms, n=20)[-1], 2),
            "save_p50_ms": round(statistics.median(self.saves_ms), 2),
            "recalls": len(self.recalls_ms),
            "saves_not_found_at_once": self.missed,
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--real", action="store_true", help="the multilingual model itself")
    args = parser.parse_args()
    talks = [*locomo.load(args.data), *longmemeval.load(args.data)]
    if not talks:
        raise SystemExit(f"There are no talks in {args.data}; nothing to do.")
    with tempfile.TemporaryDirectory(prefix="remem-bench-") as folder:
        large, small = asyncio.run(fill(Path(folder), talks, args.rows))
        questions = choose_questions(talks)
        module = "remem" if args.real else "tests.tools.second_model"
        with served(Path(folder), FIRST, module) as server:
            before = measure(server, large, small, questions)
        with served(Path(folder), SECOND, module) as server:
            started = time.monotonic()
            during = measure_while_moving(server, large, small, questions)
            took_s = time.monotonic() - started
            after = measure(server, large, small, questions)
    report(args.rows, took_s, {"before": before, "during": during, "after": after})


def choose_questions(talks: Sequence[Talk]) -> list[str]:
    questions = sorted({question.text for talk in talks for question in talk.questions})
    random.Random(5).shuffle(questions)
    return questions[:QUESTIONS]


async def fill(folder: Path, talks: Sequence[Talk], rows: int) -> tuple[Owner, Owner]:
    """Write chunks and memories, and give each the vector of its own text."""
    embedder = LocalEmbedder(model=FIRST)
    sentences = await sentences_of(talks, embedder)
    async with open_ports(load(data_dir=folder, embedding_model=FIRST)) as ports:
        connection = await asyncpg.connect(await EmbeddedPostgres(folder).start())
        writer = Writer(connection, sentences, FIRST, random.Random(9))
        large, small = [await make_owner(ports, number, rows) for number in range(2)]
        async with unindexed(connection):
            await writer.fill(large.home, "chunk", rows * 4 // 5)
            await writer.fill(large.home, "memory", rows // 5)
            await embed_all(ports, large)
        await connection.close()
    return large, small


async def embed_all(ports: Ports, owner: Owner) -> None:
    started = time.monotonic()
    async with ports.db.transaction(owner.scope) as tx:
        await mark_stale(tx)
    while True:
        try:
            await reembed_tenant(ports, owner.scope, owner.scope.tenant_id)
            break
        except WorkRemains:
            continue
    print(f"embedded in {time.monotonic() - started:.0f} s")


@contextmanager
def served(folder: Path, model: str, module: str) -> Iterator[Served]:
    environment = {
        **os.environ,
        "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}",
        "REMEM_DATA_DIR": str(folder),
        "REMEM_EMBEDDING_MODEL": model,
        "REMEM_DISTIL": "false",
        "REMEM_RATE_LIMIT": "100000000",
        "REMEM_LOG_LEVEL": "warning",
    }
    command = [sys.executable, "-m", module, "serve", "--port", "0"]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    try:
        url = address_of(process)
        yield Served(url, (folder / "owner.key").read_text().strip(), process.pid)
    finally:
        process.terminate()
        process.wait()


def client(server: Served, owner: Owner) -> httpx2.Client:
    headers = {"Authorization": f"Bearer {owner.key}"}
    return httpx2.Client(base_url=server.url, headers=headers, timeout=60)


def measure(server: Served, large: Owner, small: Owner, questions: Sequence[str]) -> Phase:
    phase = Phase()
    with client(server, large) as searching, client(server, small) as saving:
        warm_up(searching, saving)
        for _ in range(3):
            one_round(phase, searching, saving, questions)
    return phase


def measure_while_moving(
    server: Served, large: Owner, small: Owner, questions: Sequence[str]
) -> Phase:
    phase = Phase()
    with client(server, large) as searching, client(server, small) as saving:
        warm_up(searching, saving)
        while move := send(searching, "GET", "/v3/stats")["vector_move"]:
            print(f"  {move['moved']:,} of {move['total']:,}")
            one_round(phase, searching, saving, questions)
    return phase


def warm_up(searching: httpx2.Client, saving: httpx2.Client) -> None:
    for number in range(20):
        send(searching, "POST", "/v3/recall", {"query": f"warm up {number}"})
        send(saving, "POST", "/v3/memory", {"content": f"The kettle number {number} is warm."})


def one_round(
    phase: Phase, searching: httpx2.Client, saving: httpx2.Client, questions: Sequence[str]
) -> None:
    """Ask each question once. What is saved first is found at once; it is deleted again, so that
    no ranking comes from the cache and every round searches the same texts."""
    saved = send(searching, "POST", "/v3/memory", {"content": "Grandma bakes rye loaves."})
    hits = recall(searching, "Which bread does granny make?", limit=5)
    phase.missed += saved["id"] not in hits
    searching.delete(f"/v3/documents/{saved['id']}")
    for place, question in enumerate(questions):
        started = time.perf_counter()
        ids = recall(searching, question)
        phase.recalls_ms.append((time.perf_counter() - started) * 1_000)
        phase.found.setdefault(question, []).append(ids)
        if place % (QUESTIONS // SAVES) == 0:
            text = f"The parcel {time.time_ns()} is at the neighbour's."
            started = time.perf_counter()
            send(saving, "POST", "/v3/memory", {"content": text})
            phase.saves_ms.append((time.perf_counter() - started) * 1_000)


def recall(http: httpx2.Client, question: str, limit: int = 10) -> list[str]:
    body = {"query": question, "limit": limit, "weak": True}
    return [hit["id"] for hit in send(http, "POST", "/v3/recall", body)["results"]]


def send(http: httpx2.Client, method: str, path: str, body: object = None) -> Any:
    reply = http.request(method, path, json=body)
    reply.raise_for_status()
    return reply.json()


def report(rows: int, took_s: float, phases: dict[str, Phase]) -> None:
    figures: dict[str, Any] = {"rows": rows, "moved_in_s": round(took_s, 1)}
    first = phases["before"].row()
    expected = {question: found[0] for question, found in phases["before"].found.items()}
    for name, phase in phases.items():
        row = phase.row()
        ratios = {
            key.replace("_ms", "_ratio"): round(row[key] / first[key], 2)
            for key in ("p50_ms", "p95_ms", "save_p50_ms")
        }
        differing = [
            question
            for question, found in phase.found.items()
            if any(ids != expected[question] for ids in found)
        ]
        figures[name] = {**row, **ratios, "questions_with_other_results": len(differing)}
        print(f"{name:8} {figures[name]}")
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
