"""Whether later facts take the place of earlier ones, and of nothing else.

Every fact is saved in order, then every question asked: the answer must stand in the first hit.
`--store http` saves and asks over the API of a server it starts; `--store memory` does the same
with the classifier, the local embedder and BM25 alone, to see what the rules do by themselves."""

import argparse
import asyncio
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Protocol
from uuid import UUID

import httpx2
import numpy as np

from remem.adapters.embedding.local import LocalEmbedder
from remem.core.index.tokens import query_terms, terms
from remem.core.memories.model import Known
from remem.core.memories.rules.relate import relate

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
FILE = Path("factconsolidation") / "factconsolidation-6k.json"
NEAR, BY_MEANING, BY_WORD = 0.70, 5, 3
RRF_K = 60
# A fact is subject, verb, the small words that belong to the verb, value. This reads only the
# shape of the facts, so that the judge and the judged share no knowledge.
VERB = re.compile(r" (?:is|was|are|were|plays|speaks|works|worked|died)(?= )")
JOINT = re.compile(r"(?:[a-z]+ )*(?:of|by|to|for|in|with) ")


class Store(Protocol):
    def save(self, fact: str) -> list[str]:
        """Save, and give the contents that are current no longer."""
        ...

    def search(self, question: str) -> list[str]:
        """The contents of the current memories that answer, best first."""
        ...


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--data", type=Path, default=DATA, help="where the data sets are")
    arguments.add_argument("--store", choices=("memory", "http"), default="memory")
    chosen = arguments.parse_args()
    path = chosen.data / FILE
    if not path.is_file():
        print(f"Skipped: there is no {FILE.name} in {path.parent}.")
        print(json.dumps({"skipped": True}))
        return
    told = json.loads(path.read_text())
    with opened(chosen.store) as store:
        figures = measure(store, told["facts"], told["single_hop"])
    for name, value in figures.items():
        print(f"{name:32} {value}")
    print(json.dumps({"store": chosen.store, **figures}))


@contextmanager
def opened(name: str) -> Iterator[Store]:
    if name == "memory":
        yield InMemory()
        return
    with tempfile.TemporaryDirectory(prefix="remem-bench-") as folder:
        server, url, key = serve(Path(folder))
        try:
            yield OverHttp(url, key)
        finally:
            server.terminate()
            server.wait()


def measure(
    store: Store, facts: list[str], questions: list[dict[str, Any]]
) -> dict[str, float | int]:
    started = time.perf_counter()
    replaced = [(old, new) for new in facts for old in store.save(new)]
    saved_s = time.perf_counter() - started
    wrong = [(old, new) for old, new in replaced if slot(old) != slot(new)]
    for old, new in wrong:
        print(f"wrongly replaced: {old} | {new}")
    overridden = overridden_by_later(facts)
    kept = overridden - {old for old, _ in replaced}
    print_by_relation(overridden, kept)
    return {
        "facts": len(facts),
        "overridden": len(overridden),
        "replaced": len(replaced),
        "overridden_replaced": round(1 - len(kept) / max(1, len(overridden)), 4),
        "wrongly_replaced": round(len(wrong) / max(1, len(facts) - len(overridden)), 4),
        **ask(store, questions, overridden),
        "save_ms": round(1000 * saved_s / max(1, len(facts)), 2),
    }


def ask(store: Store, questions: list[dict[str, Any]], overridden: set[str]) -> dict[str, float]:
    right = stale = 0
    for question in questions:
        first = next(iter(store.search(question["question"])), "")
        if any(answer.casefold() in first.casefold() for answer in question["answers"]):
            right += 1
            continue
        stale += first in overridden
        print(f"missed: {question['question']} {question['answers']} | {first}")
    count = max(1, len(questions))
    return {
        "questions": len(questions),
        "answered_first": round(right / count, 4),
        "stale_first": round(stale / count, 4),
    }


def slot(fact: str) -> str:
    """The fact without its value."""
    verb = VERB.search(fact)
    if verb is None:
        return fact
    rest = fact[verb.end() + 1 :]
    joint = JOINT.match(rest)
    return fact[: verb.end() + 1] + (joint[0] if joint else "")


def overridden_by_later(facts: list[str]) -> set[str]:
    last = {slot(fact): fact for fact in facts}
    return {fact for fact in facts if last[slot(fact)] != fact}


def print_by_relation(overridden: set[str], kept: set[str]) -> None:
    def relation(fact: str) -> str:
        start = re.match(r"The [a-z ]+? (?:of|where|that|in)\b", fact)
        verb = VERB.search(fact)
        return start[0] if start else slot(fact)[verb.start() :].strip() if verb else fact

    total, missed = Counter(map(relation, overridden)), Counter(map(relation, kept))
    print(f"{'relation':44}{'overridden':>12}{'left as they were':>20}")
    for name, count in sorted(total.items()):
        print(f"{name:44}{count:12}{missed[name]:20}")
    print()


@dataclass
class InMemory:
    """The save flow and the search of the product, over lists."""

    embedder: LocalEmbedder = field(default_factory=LocalEmbedder)
    contents: list[str] = field(default_factory=list)
    vectors: list[np.ndarray] = field(default_factory=list)
    counts: list[Counter[str]] = field(default_factory=list)
    current: list[bool] = field(default_factory=list)

    def save(self, fact: str) -> list[str]:
        vector = self._embed(fact)
        relations = relate(fact, self._candidates(fact, vector))
        if any(relation.action == "noop" for relation in relations):
            return []
        gone = [each.target_id.int for each in relations if each.action == "update"]
        for at in gone:
            self.current[at] = False
        self.contents.append(fact)
        self.vectors.append(vector)
        self.counts.append(terms(fact))
        self.current.append(True)
        return [self.contents[at] for at in gone]

    def search(self, question: str) -> list[str]:
        near = self._by_meaning(self._embed(question))
        worded = self._by_word(question)
        ranked: Counter[int] = Counter()
        for order in (near, worded):
            for rank, (at, _) in enumerate(order[:50], 1):
                ranked[at] += 1 / (RRF_K + rank)  # type: ignore[assignment]
        # Both lists count the same, so a tie falls to the nearer in meaning.
        cosines = dict(near)
        order = sorted(ranked, key=lambda at: (-ranked[at], -cosines[at]))
        return [self.contents[at] for at in order]

    def _candidates(self, fact: str, vector: np.ndarray) -> list[Known]:
        near = self._by_meaning(vector)
        cosines = dict(near)
        chosen = [at for at, cosine in near[:BY_MEANING] if cosine > NEAR]
        chosen += [at for at, _ in self._by_word(fact)[:BY_WORD] if at not in chosen]
        start = datetime(2025, 1, 1, tzinfo=UTC)
        return [
            Known(UUID(int=at), self.contents[at], cosines[at], start + timedelta(seconds=at))
            for at in chosen
        ]

    def _embed(self, text: str) -> np.ndarray:
        return np.asarray(asyncio.run(self.embedder.embed([text]))[0])

    def _by_meaning(self, vector: np.ndarray) -> list[tuple[int, float]]:
        found = [
            (at, float(self.vectors[at] @ vector)) for at, live in enumerate(self.current) if live
        ]
        return sorted(found, key=lambda each: -each[1])

    def _by_word(self, text: str) -> list[tuple[int, float]]:
        """BM25 over what is current."""
        live = [at for at, current in enumerate(self.current) if current]
        mean = sum(self.counts[at].total() for at in live) / max(1, len(live))
        scores: Counter[int] = Counter()
        for term in query_terms(text):
            having = [at for at in live if term in self.counts[at]]
            rarity = math.log(1 + (len(live) - len(having) + 0.5) / (len(having) + 0.5))
            for at in having:
                count, length = self.counts[at][term], self.counts[at].total()
                weight = count * 2.2 / (count + 1.2 * (0.25 + 0.75 * length / mean))
                scores[at] += rarity * weight  # type: ignore[assignment]
        return [(at, float(score)) for at, score in scores.most_common()]


class OverHttp:
    """The product itself."""

    def __init__(self, url: str, key: str) -> None:
        headers = {"Authorization": f"Bearer {key}"}
        self._http = httpx2.Client(base_url=url, headers=headers, timeout=60)
        self._contents: dict[str, str] = {}

    def save(self, fact: str) -> list[str]:
        reply = self._http.post("/api/memories", json={"content": fact})
        reply.raise_for_status()
        told = reply.json()
        self._contents[told["id"]] = fact
        gone = told.get("superseded") or []
        return [self._contents[id] for id in ([gone] if isinstance(gone, str) else gone)]

    def search(self, question: str) -> list[str]:
        reply = self._http.get("/api/memories/search", params={"query": question})
        reply.raise_for_status()
        return [memory["content"] for memory in reply.json()["memories"]]


def serve(data_dir: Path) -> tuple[subprocess.Popen[str], str, str]:
    server = subprocess.Popen(
        [sys.executable, "-m", "remem", "serve", "--port", "0"],
        env={
            **os.environ,
            "REMEM_DATA_DIR": str(data_dir),
            "REMEM_RATE_LIMIT": "100000000",
            "REMEM_LOG_LEVEL": "warning",
        },
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    for line in server.stdout:
        if found := re.search(r"ready at (http://\S+)", line):
            return server, found.group(1), (data_dir / "owner.key").read_text().strip()
    raise SystemExit("The server did not start.")


if __name__ == "__main__":
    main()
