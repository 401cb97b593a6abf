"""Kill -9 in the middle of a sync, several times, with two workers: nothing is lost, nothing is
duplicated, and memory does not grow with the number of items.

    python bench/connection_kill.py --items 10000 --kills 5

Two processes sync one folder into a real store; both are killed together, several times during the
sync. The lock of a killed worker is expired at once; a server would wait a minute for that.
Documents are saved but not processed, which `bench/ingest.py` measures."""

import argparse
import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias
from uuid import UUID

from remem.bootstrap import open_ports
from remem.core.connections.connect import connect
from remem.core.connections.manage import get_connection
from remem.core.connections.model import NewConnection
from remem.core.connections.sync import sync_connection
from remem.core.identity.register import register
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.settings import Settings

WORKERS = 2
POLL_S = 0.05
Worker: TypeAlias = "subprocess.Popen[bytes]"


class IdleQueue:
    """Drops every job, so that saved documents are not processed."""

    async def enqueue(self, *_: Any, **__: Any) -> None: ...


def settings_of(folder: Path) -> Settings:
    return Settings(data_dir=folder / "data", folders=[folder / "files"], analysis_processes=0)


async def work(folder: Path, tenant: UUID, user: UUID, id: UUID) -> None:
    """One worker: sync repeatedly, as jobs do, until a run has an outcome."""
    scope = Scope(tenant_id=tenant, user_id=user, actor="bench")
    async with open_ports(settings_of(folder)) as opened:
        ports = replace(opened, queue=IdleQueue())  # type: ignore[arg-type]
        while True:
            await sync_connection(ports, scope, id)
            _, runs = await get_connection(ports, scope, id)
            if runs[0].outcome:
                return
            await asyncio.sleep(POLL_S)


def spawn(folder: Path, scope: Scope, id: UUID) -> list[Worker]:
    arguments = [str(folder), str(scope.tenant_id), str(scope.user_id), str(id)]
    command = [sys.executable, __file__, "--worker", *arguments]
    return [subprocess.Popen(command) for _ in range(WORKERS)]


def peak_mb(process: Worker) -> float:
    try:
        status = Path(f"/proc/{process.pid}/status").read_text()
    except OSError:
        return 0.0
    peaks = [line for line in status.splitlines() if line.startswith("VmHWM")]
    return int(peaks[0].split()[1]) / 1_000 if peaks else 0.0


async def counted(ports: Ports, scope: Scope, table: str) -> int:
    async with ports.db.transaction(scope) as tx:
        return await tx.fetchval(f"SELECT count(*) FROM {table} WHERE tenant_id = $1")


async def until(is_so: Callable[[], Awaitable[bool]]) -> None:
    while not await is_so():  # noqa: ASYNC110
        await asyncio.sleep(POLL_S)


async def run(items: int, kills: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="remem-bench-") as name:
        folder = Path(name)
        write_files(folder / "files", items)
        async with open_ports(settings_of(folder)) as opened:
            return await measured(replace(opened, queue=IdleQueue()), folder, items, kills)  # type: ignore[arg-type]


def write_files(folder: Path, items: int) -> None:
    for number in range(items):
        path = folder / f"{number // 100:03}" / f"note{number:05}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"Locker {number} opens with the word zq{number * 7919:x}.")


async def measured(ports: Ports, folder: Path, items: int, kills: int) -> dict[str, Any]:
    user, tenant = await register(ports, "bench@example.org", "correct horse")
    scope = Scope(tenant_id=tenant.id, user_id=user.id, actor="bench")
    path = {"path": str(folder / "files")}
    id = (await connect(ports, scope, NewConnection("folder", path)))[0].id
    started = time.monotonic()
    peaks: list[float] = []
    for number in range(kills):
        workers = spawn(folder, scope, id)
        mark = items * (number + 1) // (kills + 1)

        async def is_past(mark: int = mark, workers: list[Worker] = workers) -> bool:
            if all(worker.poll() is not None for worker in workers):
                sys.exit("Both workers exited before they were killed; see above.")
            return await counted(ports, scope, "connection_items") >= mark

        await until(is_past)
        peaks += [peak_mb(worker) for worker in workers]
        for worker in workers:
            os.kill(worker.pid, signal.SIGKILL)
            worker.wait()
        await expire(ports, scope, id)
    workers = spawn(folder, scope, id)

    async def all_ended() -> bool:
        peaks.append(max(peak_mb(worker) for worker in workers))
        return all(worker.poll() is not None for worker in workers)

    await until(all_ended)
    return await result(ports, scope, id, items, kills, time.monotonic() - started, max(peaks))


async def expire(ports: Ports, scope: Scope, id: UUID) -> None:
    async with ports.db.transaction(scope) as tx:
        await tx.system.execute("UPDATE connections SET locked_until = now() WHERE id = $1", id)


async def result(
    ports: Ports, scope: Scope, id: UUID, items: int, kills: int, seconds: float, peak: float
) -> dict[str, Any]:
    async with ports.db.transaction(scope) as tx:
        texts = [
            row["content"]
            for row in await tx.fetch(
                "SELECT content FROM documents WHERE tenant_id = $1 AND duplicate_of IS NULL"
            )
        ]
    wanted = {f"Locker {n} opens with the word zq{n * 7919:x}." for n in range(items)}
    connection, runs = await get_connection(ports, scope, id)
    return {
        "items": items,
        "kills": kills,
        "workers": WORKERS,
        "lost": len(wanted - set(texts)),
        "twice": len(texts) - len(set(texts)),
        "foreign": len(set(texts) - wanted),
        "counted": connection.item_count,
        "outcome": runs[0].outcome,
        "seconds": round(seconds, 1),
        "peak_mb": round(peak),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=10_000)
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--worker", nargs=4)
    args = parser.parse_args()
    if args.worker:
        folder, tenant, user, id = args.worker
        asyncio.run(work(Path(folder), UUID(tenant), UUID(user), UUID(id)))
        return
    result_row = asyncio.run(run(args.items, args.kills))
    print(json.dumps(result_row))
    is_correct = result_row["lost"] == result_row["twice"] == result_row["foreign"] == 0
    sys.exit(0 if is_correct and result_row["outcome"] == "done" else 1)


if __name__ == "__main__":
    main()
