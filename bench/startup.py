"""Start-up times, and the time of each command in its own process and through a running server."""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

REPEATS = 3
COMMANDS = {
    "--version": ["--version"],
    "status": ["status"],
    "projects list": ["projects", "list"],
    "stats": ["stats"],
    "documents list": ["documents", "list"],
    "memories list": ["memories", "list"],
    "save": ["save", "The ferry to Naxos leaves Piraeus at 07:25."],
    "recall": ["recall", "which boat do I take?"],
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", help="not used: nothing is read")
    parser.add_argument("--repeats", type=int, default=REPEATS)
    repeats = parser.parse_args().repeats
    with tempfile.TemporaryDirectory(prefix="remem-bench-") as name:
        folder = Path(name)
        starts = _starts(folder, repeats)
        inside = {name: _best(folder, words, repeats) for name, words in COMMANDS.items()}
        with serving(folder):
            served = {name: _best(folder, words, repeats) for name, words in COMMANDS.items()}
    _print(starts, inside, served)


def _starts(folder: Path, repeats: int) -> dict[str, float]:
    first_s = until_ready(folder)
    return {
        "first start": first_s,
        "second start": min(until_ready(folder) for _ in range(repeats)),
        "MCP handshake": min(until_greeted(folder) for _ in range(repeats)),
        "bare Python": min(bare_python() for _ in range(repeats)),
    }


def _print(
    starts: dict[str, float],
    inside: dict[str, tuple[float, float]],
    served: dict[str, tuple[float, float]],
) -> None:
    for name, seconds in starts.items():
        print(f"{name:14} {seconds:7.3f} s")
    print(f"\n{'command':14} {'in process':>19} {'by a server':>19}")
    print(f"{'':14} {'wall':>9} {'CPU':>9} {'wall':>9} {'CPU':>9}")
    for name in COMMANDS:
        (wall, cpu), (wall_served, cpu_served) = inside[name], served[name]
        print(f"{name:14} {wall:8.3f}s {cpu:8.3f}s {wall_served:8.3f}s {cpu_served:8.3f}s")
    python_s = starts["bare Python"]
    figures = {
        "first_start_s": round(starts["first start"], 3),
        "second_start_s": round(starts["second start"], 3),
        "second_start_over_bare_python": round(starts["second start"] / python_s, 1),
        "mcp_handshake_s": round(starts["MCP handshake"], 3),
        "mcp_handshake_over_bare_python": round(starts["MCP handshake"] / python_s, 1),
        "cpu_in_process_s": {name: round(cpu, 3) for name, (_, cpu) in inside.items()},
        "cpu_by_server_s": {name: round(cpu, 3) for name, (_, cpu) in served.items()},
        "cpu_by_server_over_in_process": {
            name: round(served[name][1] / inside[name][1], 3) for name in COMMANDS
        },
        "wall_by_server_over_in_process": {
            name: round(served[name][0] / inside[name][0], 3) for name in COMMANDS
        },
    }
    print(json.dumps(figures))


def _best(folder: Path, words: list[str], repeats: int) -> tuple[float, float]:
    """The fastest of several runs: wall-clock seconds, and CPU seconds with all child processes."""
    runs = [_run(folder, words) for _ in range(repeats)]
    return min(wall for wall, _ in runs), min(cpu for _, cpu in runs)


def _run(folder: Path, words: list[str]) -> tuple[float, float]:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    process = subprocess.run(
        [sys.executable, "-m", "remem", *words],
        env=_environment(folder),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    took_s = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if process.returncode not in (0, 3):
        raise SystemExit(f"remem {' '.join(words)} failed: {process.stderr.decode()}")
    return took_s, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _environment(folder: Path) -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("REMEM_")}
    own = {"REMEM_DATA_DIR": str(folder), "REMEM_CONFIG_DIR": str(folder / "config")}
    return {**inherited, **own, "REMEM_LOG_LEVEL": "warning"}


@contextmanager
def serving(folder: Path) -> Iterator[None]:
    """Run a server on the folder, from the moment it is ready."""
    server = subprocess.Popen(
        [sys.executable, "-m", "remem", "serve", "--port", "0"],
        env=_environment(folder),
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    try:
        for line in server.stdout:
            if "is ready at" in line:
                break
        else:
            raise SystemExit("The server did not start.")
        yield
    finally:
        server.terminate()
        server.wait()


def until_ready(folder: Path) -> float:
    started = time.perf_counter()
    with serving(folder):
        return time.perf_counter() - started


def until_greeted(folder: Path) -> float:
    """How long an assistant waits for `remem mcp` to answer its first message."""
    about = {"protocolVersion": "2025-11-25", "capabilities": {}}
    params = {**about, "clientInfo": {"name": "bench", "version": "1"}}
    greeting = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
    started = time.perf_counter()
    server = subprocess.Popen(
        [sys.executable, "-m", "remem", "mcp"],
        env=_environment(folder),
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
