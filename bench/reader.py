"""What the reader costs: start-up and memory with and without it, and ms by number of candidates,
beside what embedding a query takes in the same run."""

import argparse
import asyncio
import itertools
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

# Of a talk forty are ranked, and sixteen of them read.
COUNTS = (1, 8, 20, 30, 40, 56)
REPEATS = 5
QUERY = "When did the plumber say he would come back for the boiler?"
TURN = (
    "Anna: The plumber came this morning and looked at the boiler, but he had not brought the part"
    " that it needs, so he will be back on Thursday at ten."
)
# In a process of its own: what is loaded stays loaded.
LOADING = """
import asyncio, json, resource, time
began = time.perf_counter()
from remem.adapters.embedding.local import LocalEmbedder
from remem.adapters.reader.local import LocalReader
async def main():
    embedder, reader = LocalEmbedder(), LocalReader(deadline_s=60)
    await embedder.embed(["warm"])
    if {loaded}:
        await reader.rank("warm", ["warm"])
        await reader.judge(["warm"], "warm")
    took = time.perf_counter() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({{"seconds": round(took, 2), "mb": round(peak / 1024)}}))
    await embedder.close()
    await reader.close()
asyncio.run(main())
"""


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--data", type=Path, help="not used: nothing is read")
    arguments.parse_args()
    figures: dict[str, object] = {}
    for name, loaded in (("embedder", False), ("embedder and reader", True)):
        figures[name] = _in_process(loaded=loaded)
        print(f"{name:24}{figures[name]}")
    figures["ms"] = asyncio.run(_measured())
    print(json.dumps(figures))


def _in_process(*, loaded: bool) -> dict[str, float]:
    runs = [
        json.loads(subprocess.check_output([sys.executable, "-c", LOADING.format(loaded=loaded)]))
        for _ in range(3)
    ]
    return min(runs, key=lambda run: run["seconds"])


async def _measured() -> dict[str, float]:
    from remem.adapters.embedding.local import LocalEmbedder
    from remem.adapters.reader.local import LocalReader

    embedder, reader = LocalEmbedder(), LocalReader(deadline_s=60)
    try:
        ways: dict[str, Callable[[], Awaitable[object]]] = {
            "embed a query": lambda: embedder.embed([_new(QUERY)])
        }
        for count in COUNTS:
            ways[f"rank {count}"] = lambda count=count: reader.rank(QUERY, _turns(count))
        ways["read 10"] = lambda: reader.read(QUERY, _turns(10))
        ways["judge 8"] = lambda: reader.judge(_turns(8), QUERY)
        return {name: await _median_ms(name, way) for name, way in ways.items()}
    finally:
        await embedder.close()
        await reader.close()


_numbers = itertools.count(100)


def _new(text: str) -> str:
    """What was read before is kept for a while, so each text is another one."""
    return f"{text} {next(_numbers)}"


def _turns(count: int) -> list[str]:
    return [_new(TURN) for _ in range(count)]


async def _median_ms(name: str, way: Callable[[], Awaitable[object]]) -> float:
    await way()
    took = []
    for _ in range(REPEATS):
        started = time.perf_counter()
        await way()
        took.append((time.perf_counter() - started) * 1_000)
    median = round(statistics.median(took), 1)
    print(f"{name:24}{median:8.1f} ms")
    return median


if __name__ == "__main__":
    main()
