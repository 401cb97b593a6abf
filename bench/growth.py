"""How much memory the server and its children take while they answer many mixed requests.

    python bench/growth.py --requests 20000

Prints a row for every 500 requests, and at the end one line of JSON. Memory counts every page once
(PSS), because the processes share most of theirs: `own` pages are what a process allocated for
itself, `shared` ones are the buffers of PostgreSQL, which fill up to their fixed size.
"""

import argparse
import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx2

STEP = 500
CLIENTS = 4
# Documents and memories that are kept while later ones are deleted.
KEPT = 100


def start(data_dir: Path) -> tuple[subprocess.Popen[str], str]:
    env = {**os.environ, "REMEM_DATA_DIR": str(data_dir), "REMEM_LOG_LEVEL": "warning"}
    env |= {"REMEM_RATE_LIMIT": "1000000", "REMEM_CONFIG_DIR": str(data_dir / "config")}
    process = subprocess.Popen(
        [sys.executable, "-m", "remem", "serve", "--port", "0"],
        env=env,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    for line in process.stdout:
        if match := re.search(r"ready at (http://\S+)", line):
            return process, match[1]
    raise SystemExit("The server did not start.")


def children(pid: int) -> list[int]:
    """The processes that a process started, and theirs."""
    output = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True, check=False)
    pids = [int(word) for word in output.stdout.split()]
    return pids + [below for child in pids for below in children(child)]


def megabytes(pids: Iterable[int], pages: str) -> float:
    """The memory of processes in pages of a type; those that have ended have none."""
    return round(sum(_kilobytes(pid, pages) for pid in pids) / 1024, 1)


def _kilobytes(pid: int, pages: str) -> int:
    try:
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0
    return sum(int(found) for found in re.findall(rf"^{pages}:\s+(\d+) kB", rollup, re.M))


def measure(server: int, data_dir: Path) -> dict[str, float]:
    postmaster = int((data_dir / "postgres/postmaster.pid").read_text().split()[0])
    postgres = [postmaster, *children(postmaster)]
    others = [pid for pid in children(server) if pid not in postgres]
    return {
        "server": megabytes([server], "Pss"),
        "children": megabytes(others, "Pss"),
        "postgres_own": megabytes(postgres, "Pss_Anon"),
        "postgres_shared": megabytes(postgres, "Pss_Shmem"),
        "processes": 1 + len(others) + len(postgres),
    }


class Day:
    """The requests that a day consists of; each text is new."""

    def __init__(self, http: httpx2.AsyncClient) -> None:
        self.http = http
        self.documents: deque[str] = deque()
        self.memories: deque[str] = deque()

    async def send(self, number: int) -> None:
        requests = (
            self.save_document,
            self.save_memory,
            self.search,
            self.search_memories,
            self.ask,
            self.by_mcp,
            self.list_documents,
            self.list_events,
            self.profile,
            self.stream,
            self.save_document,
            self.delete_document,
            self.delete_memory,
            self.unknown,
        )
        await requests[number % len(requests)](f"topic{number % 997} of plan {number}")

    async def get(self, path: str, **params: Any) -> Any:
        return accepted(await self.http.get(path, params=params))

    async def post(self, path: str, **body: Any) -> Any:
        return accepted(await self.http.post(path, json=body))

    async def save_document(self, topic: str) -> None:
        content = f"Notes about {topic}. " * 8
        self.documents.append((await self.post("/v3/memory", content=content))["id"])

    async def save_memory(self, topic: str) -> None:
        saved = await self.post("/api/memories", content=f"Mara keeps {topic}.")
        if id := saved.get("id") or saved.get("memory", {}).get("id"):
            self.memories.append(id)

    async def search(self, topic: str) -> None:
        await self.post("/v3/recall", query=f"what about {topic}?")

    async def search_memories(self, topic: str) -> None:
        await self.get("/api/memories/search", q=topic)

    async def ask(self, topic: str) -> None:
        await self.post("/api/agent/ask", question=f"Who keeps {topic}?")

    async def by_mcp(self, topic: str) -> None:
        call = {"name": "recall", "arguments": {"query": topic}}
        await self.post("/mcp", jsonrpc="2.0", id=1, method="tools/call", params=call)

    async def list_documents(self, _: str) -> None:
        await self.get("/v3/documents", limit=20)

    async def list_events(self, _: str) -> None:
        await self.get("/api/events", limit=20)

    async def profile(self, _: str) -> None:
        await self.get("/v1/profile")

    async def stream(self, _: str) -> None:
        accepted(await self.http.get("/v3/live", params={"seconds": 0}), parse=False)

    async def delete_document(self, _: str) -> None:
        if len(self.documents) > KEPT:
            accepted(await self.http.delete(f"/v3/documents/{self.documents.popleft()}"))

    async def delete_memory(self, _: str) -> None:
        if len(self.memories) > KEPT:
            # Replaced ones are deleted with the memory that replaced them.
            reply = await self.http.delete(f"/api/memories/{self.memories.popleft()}")
            assert reply.status_code in (200, 204, 404), reply.text

    async def unknown(self, _: str) -> None:
        assert (await self.http.get(f"/v3/documents/{uuid4()}")).status_code == 404


def accepted(reply: httpx2.Response, *, parse: bool = True) -> Any:
    assert reply.status_code < 400, f"{reply.request.url}: {reply.text}"
    return reply.json() if parse and reply.content else {}


async def work(day: Day, numbers: range) -> None:
    async def client(first: int) -> None:
        for number in numbers[first::CLIENTS]:
            await day.send(number)

    await asyncio.gather(*(client(first) for first in range(CLIENTS)))


async def run(url: str, pid: int, data_dir: Path, requests: int) -> list[dict[str, float]]:
    key = (data_dir / "owner.key").read_text().strip()
    headers = {"Authorization": f"Bearer {key}"}
    rows: list[dict[str, float]] = []
    async with httpx2.AsyncClient(base_url=url, headers=headers, timeout=120) as http:
        day = Day(http)
        for start in range(0, requests, STEP):
            numbers = range(start, min(start + STEP, requests))
            await work(day, numbers)
            row = {"requests": numbers.stop, **measure(pid, data_dir)}
            if not rows:
                print("".join(f"{name:>16}" for name in row))
            rows.append(row)
            print("".join(f"{value:>16}" for value in row.values()), flush=True)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=20_000)
    requests = parser.parse_args().requests
    folder = Path(tempfile.mkdtemp(prefix="remem-growth-"))
    process, url = start(folder)
    try:
        rows = asyncio.run(run(url, process.pid, folder, requests))
    finally:
        process.terminate()
        process.wait(timeout=60)
        shutil.rmtree(folder, ignore_errors=True)
    print(json.dumps({"bench": "growth", "steps": rows}))


if __name__ == "__main__":
    main()
