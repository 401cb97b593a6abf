"""How much memory the server and its children take while they answer many mixed requests.

    python bench/growth.py --requests 20000

Prints a row for every step, and at the end one line of JSON. Memory counts every page once (PSS):
the processes share most of theirs.
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
from pathlib import Path

import httpx2

STEPS = 10
CLIENTS = 4
_PSS = re.compile(r"^Pss:\s+(\d+) kB", re.M)


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


def megabytes(pid: int) -> float:
    """The memory of one process; 0 when it has ended."""
    try:
        found = _PSS.search(Path(f"/proc/{pid}/smaps_rollup").read_text())
    except OSError:
        return 0.0
    return int(found[1]) / 1024 if found else 0.0


def children(pid: int) -> list[int]:
    """The processes that a process started, and theirs."""
    output = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True, check=False)
    pids = [int(word) for word in output.stdout.split()]
    return pids + [below for child in pids for below in children(child)]


def measure(pid: int) -> dict[str, float]:
    server = megabytes(pid)
    others = sum(megabytes(child) for child in children(pid))
    return {"server": round(server, 1), "children": round(others, 1)}


async def send(http: httpx2.AsyncClient, number: int) -> None:
    """One of the requests that a day consists of; each text is new."""
    topic = f"topic{number % 997} of plan {number}"
    match number % 8:
        case 0:
            reply = await http.post("/v3/memory", json={"content": f"Notes about {topic}. " * 8})
        case 1:
            reply = await http.post("/api/memories", json={"content": f"Mara keeps {topic}."})
        case 2 | 3 | 4:
            reply = await http.post("/v3/recall", json={"query": f"what about {topic}?"})
        case 5:
            reply = await http.get("/v3/documents", params={"limit": 20})
        case 6:
            reply = await http.get("/v1/profile")
        case _:
            reply = await http.get(f"/v3/documents/00000000-0000-7000-8000-{number:012d}")
    assert reply.status_code in (200, 201, 202, 404), reply.text


async def work(http: httpx2.AsyncClient, numbers: range) -> None:
    async def client(first: int) -> None:
        for number in numbers[first::CLIENTS]:
            await send(http, number)

    await asyncio.gather(*(client(first) for first in range(CLIENTS)))


async def run(url: str, key: str, pid: int, requests: int) -> list[dict[str, float]]:
    headers = {"Authorization": f"Bearer {key}"}
    size = requests // STEPS
    rows = []
    print(f"{'requests':>10} {'server MB':>10} {'children MB':>12}")
    async with httpx2.AsyncClient(base_url=url, headers=headers, timeout=120) as http:
        for step in range(STEPS):
            await work(http, range(step * size, (step + 1) * size))
            row = {"requests": (step + 1) * size, **measure(pid)}
            rows.append(row)
            print(f"{row['requests']:>10} {row['server']:>10} {row['children']:>12}", flush=True)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=20_000)
    requests = parser.parse_args().requests
    folder = Path(tempfile.mkdtemp(prefix="remem-growth-"))
    process, url = start(folder)
    try:
        key = (folder / "owner.key").read_text().strip()
        rows = asyncio.run(run(url, key, process.pid, requests))
    finally:
        process.terminate()
        process.wait(timeout=60)
        shutil.rmtree(folder, ignore_errors=True)
    print(json.dumps({"bench": "growth", "steps": rows}))


if __name__ == "__main__":
    main()
