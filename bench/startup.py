"""How long a start takes: first, second, and beside a bare Python, in one run."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

REPEATS = 3


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--data", help="not used: nothing is read")
    arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="remem-bench-") as folder:
        first_s = until_ready(Path(folder))
        again_s = min(until_ready(Path(folder)) for _ in range(REPEATS))
        greeted_s = min(until_greeted(Path(folder)) for _ in range(REPEATS))
    python_s = min(bare_python() for _ in range(REPEATS))
    rows = {
        "first start": first_s,
        "second start": again_s,
        "MCP handshake": greeted_s,
        "bare Python": python_s,
    }
    for name, seconds in rows.items():
        print(f"{name:14} {seconds:7.3f} s")
    figures = {
        "first_start_s": round(first_s, 3),
        "second_start_s": round(again_s, 3),
        "second_start_over_bare_python": round(again_s / python_s, 1),
        "mcp_handshake_s": round(greeted_s, 3),
        "mcp_handshake_over_bare_python": round(greeted_s / python_s, 1),
    }
    print(json.dumps(figures))


def until_ready(folder: Path) -> float:
    started = time.perf_counter()
    server = subprocess.Popen(
        [sys.executable, "-m", "remem", "serve", "--port", "0"],
        env={**os.environ, "REMEM_DATA_DIR": str(folder), "REMEM_LOG_LEVEL": "warning"},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    for line in server.stdout:
        if "is ready at" in line:
            break
    else:
        raise SystemExit("The server did not start.")
    took_s = time.perf_counter() - started
    server.terminate()
    server.wait()
    return took_s


def until_greeted(folder: Path) -> float:
    """How long an assistant waits for `remem mcp` to answer its first message."""
    about = {"protocolVersion": "2025-11-25", "capabilities": {}}
    params = {**about, "clientInfo": {"name": "bench", "version": "1"}}
    greeting = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
    started = time.perf_counter()
    server = subprocess.Popen(
        [sys.executable, "-m", "remem", "mcp"],
        env={**os.environ, "REMEM_DATA_DIR": str(folder)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdin is not None and server.stdout is not None
    server.stdin.write(json.dumps(greeting) + "\n")
    server.stdin.flush()
    if "serverInfo" not in server.stdout.readline():
        raise SystemExit("The MCP server did not answer.")
    took_s = time.perf_counter() - started
    server.stdin.close()
    server.wait()
    return took_s


def bare_python() -> float:
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
