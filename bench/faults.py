"""Servers and workers on one database, killed in turn under load: is data lost, duplicated, wrong?

    .venv/bin/python bench/faults.py [--seconds 60] [--servers 2] [--workers 2]

Clients save and recall without a pause. Every few seconds one server or worker is killed (SIGKILL)
and started again. Every acknowledged save must be stored once and be found by its words; each
request gets a correct reply, or its connection is refused or closed."""

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2

REMEM = [sys.executable, "-m", "remem"]
OK = (200, 201, 202)
SETTLED_S = 180


@dataclass
class Fleet:
    """The processes by name; all of them are started with `environment`."""

    environment: dict[str, str]
    running: dict[str, subprocess.Popen[str]] = field(default_factory=dict)
    urls: dict[str, str] = field(default_factory=dict)

    def start(self, name: str) -> None:
        words = ["worker"] if name.startswith("worker") else ["serve", "--no-worker", "--port", "0"]
        process = subprocess.Popen(
            [*REMEM, *words],
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        if words != ["worker"]:
            self.urls[name] = _address(process)
            threading.Thread(target=_drain, args=(process,), daemon=True).start()
        self.running[name] = process

    def kill(self, name: str) -> None:
        self.urls.pop(name, None)
        self.running[name].kill()
        self.running[name].wait()

    def stop(self) -> None:
        for process in self.running.values():
            process.terminate()
        for process in self.running.values():
            process.wait(timeout=90)


def _address(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    for line in process.stdout:
        if match := re.search(r"ready at (http://\S+)", line):
            return match[1]
    raise SystemExit("a server did not start")


def _drain(process: subprocess.Popen[str]) -> None:
    assert process.stdout is not None
    for _ in process.stdout:
        continue


@dataclass
class Load:
    """Clients that save and recall until they are stopped, and the replies they got."""

    fleet: Fleet
    key: str
    stopped: threading.Event = field(default_factory=threading.Event)
    saved: dict[int, str] = field(default_factory=dict)
    replies: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)
    numbers: int = 0

    def run(self) -> None:
        headers = {"Authorization": f"Bearer {self.key}"}
        with httpx2.Client(headers=headers, timeout=30) as http:
            while not self.stopped.is_set():
                self._once(http)

    def _once(self, http: httpx2.Client) -> None:
        with self.lock:
            self.numbers += 1
            number = self.numbers
            urls = list(self.fleet.urls.values())
        if not urls:
            time.sleep(0.05)
            return
        url = random.choice(urls)
        try:
            if number % 4 == 3:
                self._recall(http, url)
            else:
                self._save(http, url, number)
        except httpx2.TransportError as error:
            self._note(f"connection {type(error).__name__}")

    def _save(self, http: httpx2.Client, url: str, number: int) -> None:
        query = {"async": "true"} if number % 3 == 0 else {}
        body = {"content": text_of(number)}
        reply = http.post(f"{url}/v3/memory", json=body, params=query)
        self._note(f"save {reply.status_code}", None if reply.status_code in OK else reply.text)
        if reply.status_code in OK:
            self.saved[number] = reply.json()["id"]

    def _recall(self, http: httpx2.Client, url: str) -> None:
        known = list(self.saved)
        number = random.choice(known) if known else 0
        reply = http.post(f"{url}/v3/recall", json={"query": word_of(number)})
        self._note(f"recall {reply.status_code}", None if reply.status_code in OK else reply.text)

    def _note(self, what: str, wrong: str | None = None) -> None:
        with self.lock:
            self.replies[what] += 1
            if wrong is not None:
                self.wrong.append(f"{what}: {wrong[:200]}")


def word_of(number: int) -> str:
    return f"zq{number * 7919:x}"


def text_of(number: int) -> str:
    return f"Locker {number} at the station opens with the word {word_of(number)}."


def run(options: argparse.Namespace, environment: dict[str, str]) -> dict[str, Any]:
    fleet = Fleet(environment)
    names = [f"server{n}" for n in range(options.servers)]
    names += [f"worker{n}" for n in range(options.workers)]
    for name in names:
        fleet.start(name)
    key = (Path(environment["REMEM_DATA_DIR"]) / "owner.key").read_text().strip()
    load = Load(fleet, key)
    clients = [threading.Thread(target=load.run) for _ in range(options.clients)]
    for client in clients:
        client.start()
    kills = _kill_by_turns(fleet, names, options.seconds, options.every)
    load.stopped.set()
    for client in clients:
        client.join()
    result = _check(load, fleet)
    fleet.stop()
    return {"kills": kills, "replies": dict(sorted(load.replies.items())), **result}


def _kill_by_turns(fleet: Fleet, names: list[str], seconds: float, every_s: float) -> int:
    ends, kills = time.monotonic() + seconds, 0
    while time.monotonic() < ends:
        time.sleep(every_s)
        name = names[kills % len(names)]
        fleet.kill(name)
        fleet.start(name)
        kills += 1
    return kills


def _check(load: Load, fleet: Fleet) -> dict[str, Any]:
    url = next(iter(fleet.urls.values()))
    headers = {"Authorization": f"Bearer {load.key}"}
    with httpx2.Client(base_url=url, headers=headers, timeout=60) as http:
        unfinished = _settle(lambda: _unfinished(http))
        listed = _documents(http)
        texts = Counter(listed.values())
        lost = [n for n, id in load.saved.items() if listed.get(id) != text_of(n)]
        twice = [text for text, count in texts.items() if count > 1]
        unfound = [n for n, id in load.saved.items() if id not in _found(http, n)]
    return {
        "acknowledged": len(load.saved),
        "lost": len(lost),
        "twice": len(twice),
        "not_found": len(unfound),
        "unfinished": unfinished,
        "wrong_replies": load.wrong[:5],
    }


def _settle(count: Callable[[], int]) -> int:
    ends = time.monotonic() + SETTLED_S
    while (remaining := count()) and time.monotonic() < ends:
        time.sleep(1)
    return remaining


def _unfinished(http: httpx2.Client) -> int:
    replies = [
        http.get("/v3/jobs", params={"status": name}).json() for name in ("pending", "processing")
    ]
    return sum(len(reply["jobs"]) for reply in replies)


def _documents(http: httpx2.Client) -> dict[str, str]:
    contents: dict[str, str] = {}
    cursor: str | None = None
    while True:
        query = {"limit": 100, **({"cursor": cursor} if cursor else {})}
        page = http.get("/v3/documents", params=query).json()
        for document in page["documents"]:
            contents[document["id"]] = (
                document.get("content")
                or http.get(f"/v3/documents/{document['id']}").json()["content"]
            )
        cursor = page.get("next_cursor")
        if not cursor:
            return contents


def _found(http: httpx2.Client, number: int) -> set[str]:
    reply = http.post("/v3/recall", json={"query": word_of(number), "limit": 5}).json()
    return {result["document_id"] for result in reply["results"]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--every", type=float, default=4, help="seconds between two kills")
    parser.add_argument("--servers", type=int, default=2)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--clients", type=int, default=4)
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="remem-faults-")
    environment = {
        **os.environ,
        "REMEM_DATA_DIR": folder,
        "REMEM_RATE_LIMIT": "1000000",
        "REMEM_ANALYSIS_PROCESSES": "0",
        "REMEM_LOG_LEVEL": "error",
    }
    try:
        result = run(options, environment)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    for name, value in result.items():
        print(f"{name:14} {value}")
    print(json.dumps(result))
    bad = ("lost", "twice", "not_found", "unfinished")
    sys.exit(any(result[name] for name in bad) or bool(result["wrong_replies"]))


if __name__ == "__main__":
    main()
