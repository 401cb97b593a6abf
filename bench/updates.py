"""Whether later facts replace earlier ones, and no unrelated ones.

Every fact is saved in order over HTTP, then every question is asked: the first memory found must
contain the answer. No language model is used."""

import argparse
import json
import re
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import httpx2
from sets.files import data_files
from sets.serving import served

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SET = "factconsolidation"
# A fact is a subject, a verb with its particles, and a value. These patterns read only the form of
# the facts, so that the measurement shares no rules with the code it measures.
VERB = re.compile(r" (?:is|was|are|were|plays|speaks|works|worked|died)(?= )")
JOINT = re.compile(r"(?:[a-z]+ )*(?:of|by|to|for|in|with) ")


class Memories:
    """The memories of a server, over its API."""

    def __init__(self, url: str, key: str) -> None:
        headers = {"Authorization": f"Bearer {key}"}
        self._http = httpx2.Client(base_url=url, headers=headers, timeout=60)
        self._contents: dict[str, str] = {}

    def save(self, fact: str) -> list[str]:
        """Save a fact; return the contents of the memories that it superseded."""
        reply = self._http.post("/api/memories", json={"content": fact})
        reply.raise_for_status()
        reply_body = reply.json()
        self._contents[reply_body["id"]] = fact
        superseded = reply_body.get("superseded") or []
        return [
            self._contents[id]
            for id in ([superseded] if isinstance(superseded, str) else superseded)
        ]

    def search(self, question: str) -> list[str]:
        """The contents of the current memories found, best first."""
        reply = self._http.get("/api/memories/search", params={"query": question})
        reply.raise_for_status()
        return [memory["content"] for memory in reply.json()["memories"]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="where the data sets are")
    args = parser.parse_args()
    files = data_files(args.data / SET)
    facts = json.loads(files[0].read_text())
    folder = tempfile.TemporaryDirectory(prefix="remem-bench-")
    with folder as name, served(Path(name)) as server:
        store = Memories(server.url, server.key)
        figures = measure(store, facts["facts"], facts["single_hop"])
    for name, value in figures.items():
        print(f"{name:32} {value}")
    print(json.dumps(figures))


def measure(
    store: Memories, facts: list[str], questions: list[dict[str, Any]]
) -> dict[str, float | int]:
    started = time.perf_counter()
    replaced = [(old, new) for new in facts for old in store.save(new)]
    saved_s = time.perf_counter() - started
    wrong = [(old, new) for old, new in replaced if slot(old) != slot(new)]
    for old, new in wrong:
        print(f"wrongly replaced: {old} | {new}")
    overridden = overridden_by_later(facts)
    not_replaced = overridden - {old for old, _ in replaced}
    print_by_relation(overridden, not_replaced)
    return {
        "facts": len(facts),
        "overridden": len(overridden),
        "replaced": len(replaced),
        "overridden_replaced": round(1 - len(not_replaced) / max(1, len(overridden)), 4),
        "wrongly_replaced": round(len(wrong) / max(1, len(facts) - len(overridden)), 4),
        **ask(store, questions, overridden),
        "save_ms": round(1000 * saved_s / max(1, len(facts)), 2),
    }


def ask(store: Memories, questions: list[dict[str, Any]], overridden: set[str]) -> dict[str, float]:
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


def print_by_relation(overridden: set[str], not_replaced: set[str]) -> None:
    def relation(fact: str) -> str:
        start = re.match(r"The [a-z ]+? (?:of|where|that|in)\b", fact)
        verb = VERB.search(fact)
        return start[0] if start else slot(fact)[verb.start() :].strip() if verb else fact

    total, missed = Counter(map(relation, overridden)), Counter(map(relation, not_replaced))
    print(f"{'relation':44}{'overridden':>12}{'left as they were':>20}")
    for name, count in sorted(total.items()):
        print(f"{name:44}{count:12}{missed[name]:20}")
    print()


if __name__ == "__main__":
    main()
