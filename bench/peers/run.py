"""Runs one peer over a job, in the environment of the peers: `python -m peers.run NAME FOLDER`."""

import importlib
import json
import sqlite3
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

from peers.guard import stay_here

BATCH = 100
WARM_UP = 5


def main() -> None:
    refused = stay_here()
    _let_sqlite_load_extensions()
    name, folder = sys.argv[1], Path(sys.argv[2])
    job = json.loads((folder / "job.json").read_text())
    try:
        answer = run(name, folder, job)
    except Exception as error:  # Whatever a peer raises is what its row will say.
        answer = {"error": " ".join(f"{type(error).__name__}: {error}".split())[:300]}
    (folder / "answer.json").write_text(json.dumps(answer | {"refused": refused}))


def run(name: str, folder: Path, job: dict[str, Any]) -> dict[str, Any]:
    # Below the guard, so that what a library does when it is loaded is seen too.
    from peers.embedder import Embedder
    from peers.model import Asked, Text

    texts = [Text(**one) for one in job["texts"]]
    asked = [Asked(**one) for one in job["asked"]]
    embedder = Embedder(Path(job["weights"]))
    probe = embedder.embed(texts[0].text).tolist()
    made = importlib.import_module(f"peers.{name}").Peer
    peer = made(_new(folder / "one"), embedder)
    started = time.perf_counter()
    for text in texts:
        peer.save(text)
    answer: dict[str, Any] = {"probe": probe, "save_s": time.perf_counter() - started}
    answer["model_ms"] = embedder.cost_ms([one.text for one in asked])
    answer["ways"] = {way: _ask(peer, asked, way) for way in peer.ways}
    return answer | _many(made(_new(folder / "many"), embedder), texts)


def _let_sqlite_load_extensions() -> None:
    """Some Pythons are built without it, and sqlite-vec is an extension; the same SQLite in a
    wheel can."""
    if not hasattr(sqlite3.Connection, "enable_load_extension"):
        sys.modules["sqlite3"] = importlib.import_module("pysqlite3")


def _ask(peer: Any, asked: Sequence[Any], way: str) -> dict[str, Any]:
    for number in range(WARM_UP):
        peer.ask(replace(asked[0], text=f"warming up {number}"), way)
    found, took_ms = [], []
    for one in asked:
        started = time.perf_counter()
        found.append(peer.ask(one, way))
        took_ms.append((time.perf_counter() - started) * 1_000)
    return {"found": found, "took_ms": took_ms}


def _many(peer: Any, texts: Sequence[Any]) -> dict[str, Any]:
    started = time.perf_counter()
    try:
        for batch in _batches(texts):
            peer.save_many(batch)
    except NotImplementedError:
        return {"many_s": None}
    return {"many_s": time.perf_counter() - started}


def _batches(texts: Sequence[Any]) -> Iterator[list[Any]]:
    for _, group in groupby(texts, key=lambda text: text.talk):
        talk = list(group)
        yield from (talk[n : n + BATCH] for n in range(0, len(talk), BATCH))


def _new(folder: Path) -> Path:
    folder.mkdir()
    return folder


if __name__ == "__main__":
    main()
