"""The cost of the nightly run over many tenants, and how fast requests are meanwhile.

Every memory is new to the run, as after an import: it is derived, compared with its neighbours and
linked, and queries are replayed. One process runs the jobs and one serves requests, on one embedded
PostgreSQL. A client sends requests before, during and after the run."""

import argparse
import asyncio
import json
import os
import random
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncpg
import httpx2
from sets.bulk import Home, unindexed
from sets.night import Filler, Statement, make_pool
from sets.processes import Programs, cpu_s, memory_mb, postgres_pid, server_and_worker

from remem.adapters.database.embedded import EmbeddedPostgres
from remem.adapters.embedding.local import LocalEmbedder
from remem.bootstrap import open_ports
from remem.core.evolution.nightly import EVOLVE, NIGHTLY, schedule_nightly
from remem.core.identity.keys.manage import create_key
from remem.core.identity.register import register
from remem.core.ports import Ports
from remem.core.projects.manage import list_projects
from remem.core.scope import ALL_RIGHTS, Scope
from remem.settings import load

ASK_EVERY_S, SAMPLE_EVERY_S = 0.2, 1.0
QUIET_REQUESTS = 150


@dataclass(frozen=True, slots=True)
class Owner:
    scope: Scope
    home: Home
    key: str
    questions: list[str]


@dataclass(slots=True)
class Observed:
    """Response times and peak memory during the run."""

    took_ms: list[float] = field(default_factory=list)
    worker_mb: float = 0.0
    postgres_mb: float = 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tenants", type=int, default=50)
    parser.add_argument("--memories", type=int, default=2_000, help="of each tenant")
    parser.add_argument(
        "--limit-s", type=float, default=3_600, help="stop a night that takes longer"
    )
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="remem-bench-") as folder:
        measured = measure(Path(folder), args.tenants, args.memories, args.limit_s)
        figures = asyncio.run(measured)
    for name, value in figures.items():
        print(f"{name:32}{value}")
    print(json.dumps(figures))


async def measure(folder: Path, tenants: int, memories: int, limit_s: float) -> dict[str, Any]:
    pool = await make_pool(LocalEmbedder(), memories + 100)
    async with open_ports(load(data_dir=folder)) as ports:
        started = time.perf_counter()
        owners = await fill(ports, folder, pool, tenants, memories)
        print(
            f"{tenants * memories:,} memories in {time.perf_counter() - started:.0f} s", flush=True
        )
        with server_and_worker(folder) as programs:
            quiet = await quiet_requests(programs, owners)
            figures, seen = await night(ports, folder, programs, owners, limit_s)
            after = await quiet_requests(programs, owners, QUIET_REQUESTS)
            return {**figures, **compare_with_quiet(seen.took_ms, quiet, after)}


# --- the store


async def fill(
    ports: Ports, folder: Path, pool: Sequence[Statement], tenants: int, memories: int
) -> list[Owner]:
    connection = await asyncpg.connect(await EmbeddedPostgres(folder).start())
    filler = Filler(connection, pool, ports.embedder.model, random.Random(9))
    owners = []
    async with unindexed(connection):
        for number in range(tenants):
            owner = await make_owner(ports, number, pool)
            await filler.fill(owner.home, memories)
            owners.append(owner)
    await connection.close()
    return owners


async def make_owner(ports: Ports, number: int, pool: Sequence[Statement]) -> Owner:
    user, tenant = await register(ports, f"bench{number}@example.org", "correct horse")
    scope = Scope(tenant.id, user.id, ALL_RIGHTS, actor="bench")
    project = (await list_projects(ports, scope))[0]
    key = await create_key(ports, scope, "bench", ALL_RIGHTS)
    home = Home(tenant.id, user.id, project.id)
    questions = [statement.question for statement in random.Random(number).sample(pool, 20)]
    return Owner(scope, home, key.raw, questions)


# --- the client


async def ask_one(http: httpx2.AsyncClient, owners: Sequence[Owner], number: int) -> float:
    owner = owners[number % len(owners)]
    query = f"{owner.questions[number // len(owners) % len(owner.questions)]} ({number})"
    headers = {"Authorization": f"Bearer {owner.key}"}
    started = time.perf_counter()
    reply = await http.post("/v3/recall", json={"query": query}, headers=headers)
    reply.raise_for_status()
    return (time.perf_counter() - started) * 1_000


async def quiet_requests(
    programs: Programs, owners: Sequence[Owner], first: int = 0
) -> list[float]:
    async with httpx2.AsyncClient(base_url=programs.url, timeout=60) as http:
        await asyncio.sleep(5)
        took = []
        for number in range(first, first + QUIET_REQUESTS + 20):
            took.append(await ask_one(http, owners, number))
            await asyncio.sleep(ASK_EVERY_S)
    return took[20:]


@asynccontextmanager
async def watching(
    programs: Programs, folder: Path, owners: Sequence[Owner]
) -> AsyncIterator[Observed]:
    seen = Observed()
    tasks = [
        asyncio.create_task(_keep_asking(programs, owners, seen)),
        asyncio.create_task(_keep_sampling(programs, folder, seen)),
    ]
    try:
        yield seen
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)


async def _keep_asking(programs: Programs, owners: Sequence[Owner], seen: Observed) -> None:
    number = QUIET_REQUESTS
    async with httpx2.AsyncClient(base_url=programs.url, timeout=60) as http:
        while True:
            number += 1
            seen.took_ms.append(await ask_one(http, owners, number))
            await asyncio.sleep(ASK_EVERY_S)


async def _keep_sampling(programs: Programs, folder: Path, seen: Observed) -> None:
    while True:
        seen.worker_mb = max(seen.worker_mb, memory_mb(programs.worker_pid))
        seen.postgres_mb = max(seen.postgres_mb, memory_mb(postgres_pid(folder)))
        await asyncio.sleep(SAMPLE_EVERY_S)


# --- the night


async def night(
    ports: Ports,
    folder: Path,
    programs: Programs,
    owners: Sequence[Owner],
    limit_s: float,
) -> tuple[dict[str, Any], Observed]:
    worker_mb_before = memory_mb(programs.worker_pid)
    cpu_before = cpu_s(programs.worker_pid), cpu_s(postgres_pid(folder))
    async with watching(programs, folder, owners) as seen:
        started = time.perf_counter()
        await schedule_nightly(ports)
        finished = await _until_done(ports, owners, started + limit_s)
        took_s = time.perf_counter() - started
        cpu_after = cpu_s(programs.worker_pid), cpu_s(postgres_pid(folder))
    jobs = await _count_jobs(ports, owners)
    figures = {
        "tenants": len(owners),
        "finished": finished,
        "took_s": round(took_s, 1),
        "worker_cpu_s": round(cpu_after[0] - cpu_before[0], 1),
        "postgres_cpu_s": round(cpu_after[1] - cpu_before[1], 1),
        "load_average": round(os.getloadavg()[1], 1),
        **jobs,
        "worker_mb_before": round(worker_mb_before),
        "worker_mb_most": round(seen.worker_mb),
        "postgres_mb_most": round(seen.postgres_mb),
    }
    return figures, seen


def compare_with_quiet(
    busy: Sequence[float], before: Sequence[float], after: Sequence[float]
) -> dict[str, Any]:
    """Compare requests during the night with those before and after it; on a shared machine the
    other load changes in the meantime."""
    quiet = [*before, *after]
    return {
        "requests_meanwhile": len(busy),
        "p50_quiet_ms": round(statistics.median(quiet), 1),
        "p50_meanwhile_ms": round(statistics.median(busy), 1),
        "p95_quiet_before_ms": _p95(before),
        "p95_quiet_after_ms": _p95(after),
        "p95_quiet_ms": _p95(quiet),
        "p95_meanwhile_ms": _p95(busy),
        "p95_ratio": round(_p95(busy) / _p95(quiet), 2),
    }


async def _until_done(ports: Ports, owners: Sequence[Owner], deadline: float) -> bool:
    """Whether every job of the night ended before the deadline."""
    remaining = list(owners)
    while remaining and time.perf_counter() < deadline:
        if await _is_done(ports, remaining[-1].scope):
            remaining.pop()
            print(f"{len(remaining)} tenants left, load {os.getloadavg()[0]:.1f}", flush=True)
        else:
            await asyncio.sleep(SAMPLE_EVERY_S)
    return not remaining


async def _is_done(ports: Ports, scope: Scope) -> bool:
    async with ports.db.transaction(scope) as tx:
        return not await tx.system.fetchval(
            "SELECT count(*) FROM jobs WHERE name = ANY($1)"
            " AND status IN ('pending', 'processing')",
            [NIGHTLY, EVOLVE],
        )


async def _count_jobs(ports: Ports, owners: Sequence[Owner]) -> dict[str, Any]:
    jobs: Counter[str] = Counter()
    done: Counter[str] = Counter()
    unfinished = 0
    for owner in owners:
        async with ports.db.transaction(owner.scope) as tx:
            rows = await tx.system.fetch("SELECT job_type, status, result FROM evolution_jobs")
        jobs.update(row["job_type"] for row in rows)
        unfinished += sum(row["status"] != "completed" for row in rows)
        for row in rows:
            done.update({name: n for name, n in row["result"].items() if type(n) is int})
    return {"jobs": dict(jobs), "jobs_unfinished": unfinished, "done": dict(done)}


def _p95(took_ms: Sequence[float]) -> float:
    return round(statistics.quantiles(took_ms, n=20)[-1], 1)


if __name__ == "__main__":
    main()
