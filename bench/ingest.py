"""How fast files become searchable, compared with the bare embedder on the same text."""

import argparse
import asyncio
import json
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from pathlib import Path

import httpx2
from sets.serving import served

from remem.adapters.embedding.local import LocalEmbedder
from remem.core.chunking.split import split

FILES = 1_000
CALLERS = (1, 8)
# The pace of a person who uses the server meanwhile.
PROBE_EVERY_S = 0.5
WORDS = (
    "anchor autumn basket bridge candle canyon cedar charter cipher cloud copper coral desert "
    "dialect ember engine falcon fabric ferry garden glacier granite harbor hazel horizon island "
    "ivory jasmine journal kernel ladder lantern ledger lemon library maple meadow meridian mirror "
    "mosaic needle nickel oasis orchard oyster packet paper pebble pepper pilot planet plaza prism "
    "quartz quill radar raven ribbon river rocket saddle saffron salmon signal silver spruce "
    "station summit sunset tablet tango timber tunnel turbine valley velvet violet walnut willow"
).split()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", help="not used: the files are made here")
    parser.add_argument("--files", type=int, default=FILES)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="remem-bench-") as folder:
        notes = Path(folder) / "notes"
        texts = make_notes(notes, args.files)
        # Measured before and after, because the speed of the machine varies.
        before = [asyncio.run(bare_embedder(texts, callers)) for callers in CALLERS]
        figures = ingest(Path(folder), notes)
        after = [asyncio.run(bare_embedder(texts, callers)) for callers in CALLERS]
    for callers, rates in zip(CALLERS, zip(before, after, strict=True), strict=True):
        rate, suffix = statistics.mean(rates), "" if callers == 1 else f"_{callers}_callers"
        figures[f"bare_embedder_chunks_per_s{suffix}"] = round(rate, 1)
        figures[f"ratio{suffix}"] = round(figures["chunks_per_s"] / rate, 3)
    for name, value in figures.items():
        print(f"{name:32} {value}")
    print(json.dumps(figures))


def make_notes(folder: Path, count: int) -> list[str]:
    """Notes of a few headings and paragraphs each; the same ones in every run."""
    folder.mkdir()
    rng = random.Random(7)
    texts = []
    for number in range(count):
        text = "\n\n".join([f"# Note {number}", *(section(rng) for _ in range(4))])
        (folder / f"note-{number:04}.md").write_text(text)
        texts.append(text)
    return texts


def section(rng: random.Random) -> str:
    sentences = [
        " ".join(rng.choices(WORDS, k=rng.randint(8, 16))).capitalize() + "."
        for _ in range(rng.randint(4, 9))
    ]
    return f"## About {rng.choice(WORDS)}\n\n{' '.join(sentences)}"


async def bare_embedder(texts: list[str], callers: int) -> float:
    """Chunks per second of the embedder alone, on the chunks of these texts. Several callers keep
    every processor busy, one caller keeps one busy."""
    chunks = [piece.content for text in texts for piece in split(text, "markdown")]
    embedder = LocalEmbedder()
    await embedder.embed(chunks[:8])
    sample = chunks[: max(200, len(chunks) // 4)]
    started = time.perf_counter()
    await asyncio.gather(*(embedder.embed(sample[start::callers]) for start in range(callers)))
    return len(sample) / (time.perf_counter() - started)


def ingest(folder: Path, notes: Path) -> dict[str, float]:
    with served(folder / "data") as server:
        probe = Probe(server.url, server.key)
        probe.start()
        started = time.perf_counter()
        run_save(notes, server.url, server.key)
        took_s = time.perf_counter() - started
        probe.stop()
        chunks = count_chunks(server.url, server.key)
        started = time.perf_counter()
        run_save(notes, server.url, server.key)
        again_s = time.perf_counter() - started
    rate = chunks / took_s
    return {
        "files": len(list(notes.iterdir())),
        "chunks": chunks,
        "seconds": round(took_s, 2),
        "chunks_per_s": round(rate, 1),
        "unchanged_rerun_s": round(again_s, 2),
        "health_p95_ms": probe.p95("health"),
        "recall_p95_ms": probe.p95("recall"),
    }


def run_save(notes: Path, url: str, key: str) -> None:
    command = [sys.executable, "-m", "remem", "save", str(notes), "--url", url, "--key", key]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def count_chunks(url: str, key: str) -> int:
    headers = {"Authorization": f"Bearer {key}"}
    total, cursor = 0, None
    with httpx2.Client(base_url=url, headers=headers, timeout=60) as http:
        while True:
            page = http.get("/v3/documents", params={"limit": 100, "cursor": cursor or ""}).json()
            total += sum(document["chunk_count"] for document in page["documents"])
            cursor = page["next_cursor"]
            if not cursor:
                return total


class Probe(threading.Thread):
    """Another client, which uses the server during the ingest."""

    def __init__(self, url: str, key: str) -> None:
        super().__init__(daemon=True)
        self._http = httpx2.Client(
            base_url=url, headers={"Authorization": f"Bearer {key}"}, timeout=60
        )
        self._done = threading.Event()
        self._taken_ms: dict[str, list[float]] = {"health": [], "recall": []}

    def run(self) -> None:
        rng = random.Random(11)
        while not self._done.wait(PROBE_EVERY_S):
            self._time("health", "GET", "/health", None)
            body = {"query": " ".join(rng.choices(WORDS, k=3))}
            self._time("recall", "POST", "/v3/recall", body)

    def _time(self, name: str, method: str, path: str, body: Mapping[str, str] | None) -> None:
        started = time.perf_counter()
        self._http.request(method, path, json=body).raise_for_status()
        self._taken_ms[name].append((time.perf_counter() - started) * 1_000)

    def stop(self) -> None:
        self._done.set()
        self.join()

    def p95(self, name: str) -> float:
        times_ms = self._taken_ms[name]
        return round(statistics.quantiles(times_ms, n=20)[-1], 1) if len(times_ms) > 1 else 0.0


if __name__ == "__main__":
    main()
