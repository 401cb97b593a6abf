"""Runs a job with one peer, in the environment of the peers: `python -m peers.run NAME FOLDER`."""

import importlib
import json
import os
import sqlite3
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

from sets.processes import memory_mb

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
    except Exception as error:  # Any error of a peer is shown in its row.
        answer = {"error": " ".join(f"{type(error).__name__}: {error}".split())[:300]}
    (folder / "answer.json").write_text(json.dumps(answer | {"refused": refused}))


def run(name: str, folder: Path, job: dict[str, Any]) -> dict[str, Any]:
    # Imported after the guard, which then also sees connections made at import.
    from peers.embedder import Embedder
    from peers.model import PeerQuestion, Text

    texts = [Text(**item) for item in job["texts"]]
    asked = [PeerQuestion(**item) for item in job["asked"]]
    embedder = Embedder(Path(job["weights"]))
    probe = embedder.embed(texts[0].text).tolist()
    peer_class = importlib.import_module(f"peers.{name}").Peer
    peer = peer_class(_new(folder / "one"), embedder)
    started = time.perf_counter()
    for text in texts:
        peer.save(text)
    answer: dict[str, Any] = {"probe": probe, "save_s": time.perf_counter() - started}
    answer["model_ms"] = embedder.cost_ms([question.text for question in asked])
    answer["ways"] = {way: _ask(peer, asked, way) for way in peer.ways}
    answer["memory_mb"] = memory_mb(os.getpid())
    return answer | _many(peer_class(_new(folder / "many"), embedder), texts)


def _let_sqlite_load_extensions() -> None:
    """sqlite-vec is an extension, which some builds of Python cannot load; the SQLite of the
    pysqlite3 wheel can."""
    if not hasattr(sqlite3.Connection, "enable_load_extension"):
        sys.modules["sqlite3"] = importlib.import_module("pysqlite3")


def _ask(peer: Any, asked: Sequence[Any], way: str) -> dict[str, Any]:
    for number in range(WARM_UP):
        peer.ask(replace(asked[0], text=f"warming up {number}"), way)
    found, took_ms = [], []
    for question in asked:
        started = time.perf_counter()
        found.append(peer.ask(question, way))
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
