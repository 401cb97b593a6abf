"""The cost of the reader: start-up time and memory with and without it, and milliseconds by number
of candidates, compared with embedding a query in the same run."""

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

# For a talk, 40 texts are ranked and 16 of them read.
COUNTS = (1, 8, 20, 30, 40, 56)
REPEATS = 5
QUERY = "When did the plumber say he would come back for the boiler?"
TURN = (
    "Anna: The plumber came this morning and looked at the boiler, but he had not brought the part"
    " that it needs, so he will be back on Thursday at ten."
)
# Runs in its own process, because loaded models stay in memory.
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
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="not used: nothing is read")
    parser.parse_args()
    figures: dict[str, object] = {}
    for name, loaded in (("embedder", False), ("embedder and reader", True)):
        figures[name] = _in_process(loaded=loaded)
        print(f"{name:24}{figures[name]}")
    figures["ms"] = asyncio.run(_measure())
    print(json.dumps(figures))


def _in_process(*, loaded: bool) -> dict[str, float]:
    runs = [
        json.loads(subprocess.check_output([sys.executable, "-c", LOADING.format(loaded=loaded)]))
        for _ in range(3)
    ]
    return min(runs, key=lambda run: run["seconds"])


async def _measure() -> dict[str, float]:
    from remem.adapters.embedding.local import LocalEmbedder
    from remem.adapters.reader.local import LocalReader

    embedder, reader = LocalEmbedder(), LocalReader(deadline_s=60)
    try:
        calls: dict[str, Callable[[], Awaitable[object]]] = {
            "embed a query": lambda: embedder.embed([_new(QUERY)])
        }
        for count in COUNTS:
            calls[f"rank {count}"] = lambda count=count: reader.rank(QUERY, _turns(count))
        calls["read 10"] = lambda: reader.read(QUERY, _turns(10))
        calls["judge 8"] = lambda: reader.judge(_turns(8), QUERY)
        return {name: await _median_ms(name, call) for name, call in calls.items()}
    finally:
        await embedder.close()
        await reader.close()


_numbers = itertools.count(100)


def _new(text: str) -> str:
    """A text that was not read before, because the reader caches recent results."""
    return f"{text} {next(_numbers)}"


def _turns(count: int) -> list[str]:
    return [_new(TURN) for _ in range(count)]


async def _median_ms(name: str, call: Callable[[], Awaitable[object]]) -> float:
    await call()
    times_ms = []
    for _ in range(REPEATS):
        started = time.perf_counter()
        await call()
        times_ms.append((time.perf_counter() - started) * 1_000)
    median = round(statistics.median(times_ms), 1)
    print(f"{name:24}{median:8.1f} ms")
    return median


if __name__ == "__main__":
    main()
