"""The primary PostgreSQL is switched over, killed, lost with its machine, and frozen under saves.

    .venv/bin/python bench/failover.py [--clients 4] [--faults switchover,killed,lost,frozen]

remem uses two PostgreSQLs with Patroni, HAProxy and PgBouncer of Debian's packages
(`tests/tools/patroni.py`); as root, with debootstrap. Clients save without a pause. For each fault:
how long no save was acknowledged, which errors there were, and how long the slowest reply took. At
the end: acknowledged saves that are lost, and saves that are stored twice."""

import argparse
import asyncio
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

import asyncpg
import httpx2
from faults import OK, Fleet, text_of

SERVERS, WORKERS = 2, 1
TIMEOUT_S, PAUSE_S = 90, 0.05
SAVED = "saved"
# A fault is over when saves have gone on for so long, but it is watched for some time.
STEADY_S, WATCHED_S, LONGEST_S = 10, 35, 180


@dataclass(frozen=True)
class Reply:
    number: int
    sent_at: float
    ended_at: float
    what: str

    @property
    def is_saved(self) -> bool:
        return self.what == SAVED


@dataclass
class Saves:
    """Clients that save until they are stopped, each text once, and the replies they got."""

    fleet: Fleet
    key: str
    replies: list[Reply] = field(default_factory=list)
    ids: dict[int, str] = field(default_factory=dict)
    stopped: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)
    numbers: int = 0

    def run(self) -> None:
        headers = {"Authorization": f"Bearer {self.key}"}
        with httpx2.Client(headers=headers, timeout=TIMEOUT_S) as http:
            while not self.stopped.is_set():
                if not self._save(http).is_saved:
                    time.sleep(PAUSE_S)

    def _save(self, http: httpx2.Client) -> Reply:
        with self.lock:
            self.numbers += 1
            number = self.numbers
        url = random.choice(list(self.fleet.urls.values()))
        sent_at = time.monotonic()
        try:
            reply = http.post(f"{url}/v3/memory", json={"content": text_of(number)})
            if reply.status_code in OK:
                what, self.ids[number] = SAVED, reply.json()["id"]
            else:
                what = f"{reply.status_code} {_code(reply)}"
        except httpx2.TransportError as error:
            what = type(error).__name__
        self.replies.append(Reply(number, sent_at, time.monotonic(), what))
        return self.replies[-1]

    def since(self, moment: float) -> list[Reply]:
        return [reply for reply in self.replies.copy() if reply.ended_at >= moment]


def _code(reply: httpx2.Response) -> str:
    try:
        return str(reply.json()["code"])
    except (ValueError, KeyError, TypeError):
        return "without a code"


def switchover(cluster: Any) -> Callable[[], None]:
    cluster.switch_over()
    return lambda: None


def killed(cluster: Any) -> Callable[[], None]:
    """Only PostgreSQL: Patroni is there to start it again."""
    cluster.primary().send(signal.SIGKILL, patroni=False)
    return lambda: None


def lost(cluster: Any) -> Callable[[], None]:
    """PostgreSQL and Patroni at once, as when a machine loses its power."""
    node = cluster.primary()
    node.send(signal.SIGKILL)
    node.patroni.wait()
    return lambda: cluster.start_node(node)


def frozen(cluster: Any) -> Callable[[], None]:
    """PostgreSQL and Patroni stop and go on later, when there is another primary."""
    node = cluster.primary()
    node.send(signal.SIGSTOP)
    return lambda: node.send(signal.SIGCONT)


FAULTS = {fault.__name__: fault for fault in (switchover, killed, lost, frozen)}


def measure(cluster: Any, saves: Saves, name: str) -> dict[str, Any]:
    """Cause the fault, wait until saves go on, repair it, and wait until both are there again."""
    before = cluster.primary().name
    began_at = time.monotonic()
    repair = FAULTS[name](cluster)
    while not _is_steady(saves, began_at) and time.monotonic() < began_at + LONGEST_S:
        time.sleep(1)
    repair()
    cluster.wait_until_whole()
    replies = saves.since(began_at)
    moments = [began_at, *sorted(reply.ended_at for reply in replies if reply.is_saved)]
    gaps = [later - earlier for earlier, later in pairwise(moments)]
    failed = [reply for reply in replies if not reply.is_saved]
    return {
        "fault": name,
        "primary": f"{before} → {cluster.primary().name}",
        "without_saves_s": round(max(gaps, default=LONGEST_S), 1),
        "saved": len(moments) - 1,
        "errors": dict(Counter(reply.what for reply in failed)),
        "slowest_s": round(max(reply.ended_at - reply.sent_at for reply in replies), 1),
    }


def _is_steady(saves: Saves, began_at: float) -> bool:
    now = time.monotonic()
    if now < began_at + WATCHED_S:
        return False
    recent = saves.since(now - STEADY_S)
    return bool(recent) and all(reply.is_saved for reply in recent)


async def stored(address: str) -> dict[str, list[str]]:
    """The ids of the stored documents by their text."""
    connection = await asyncpg.connect(address, timeout=60)
    try:
        rows = await connection.fetch("SELECT id, content FROM documents")
    finally:
        await connection.close()
    found: dict[str, list[str]] = {}
    for row in rows:
        found.setdefault(row["content"], []).append(str(row["id"]))
    return found


def compare(saves: Saves, found: dict[str, list[str]]) -> dict[str, Any]:
    texts = {number: found.get(text_of(number), []) for number in range(1, saves.numbers + 1)}
    return {
        "acknowledged": len(saves.ids),
        "lost": sum(id not in texts[number] for number, id in saves.ids.items()),
        "doubled": sum(len(ids) > 1 for ids in texts.values()),
        "stored_without_reply": sum(
            bool(ids) and number not in saves.ids for number, ids in texts.items()
        ),
    }


def run(options: argparse.Namespace, cluster: Any, environment: dict[str, str]) -> dict[str, Any]:
    fleet = Fleet(environment)
    try:
        for name in [f"server{n}" for n in range(SERVERS)] + [f"worker{n}" for n in range(WORKERS)]:
            fleet.start(name)
        # Nobody gets a key of a store by its address alone: an account is made as users do it.
        saves = Saves(fleet, _key(next(iter(fleet.urls.values()))))
        clients = [threading.Thread(target=saves.run) for _ in range(options.clients)]
        for client in clients:
            client.start()
        try:
            time.sleep(STEADY_S)
            rows = []
            for name in options.faults:
                rows.append(measure(cluster, saves, name))
                print(_line(rows[-1]), flush=True)
        finally:
            saves.stopped.set()
            for client in clients:
                client.join()
        found = asyncio.run(stored(cluster.superuser_address))
    finally:
        fleet.stop()
    return {"faults": rows, **compare(saves, found)}


def _key(url: str) -> str:
    with httpx2.Client(base_url=url, timeout=TIMEOUT_S) as browser:
        account = {"email": "bench@example.org", "password": "correct horse"}
        session = browser.post("/v3/auth/register", json=account).json()
        headers = {"X-CSRF-Token": session["csrf_token"]}
        body = {"name": "bench", "scopes": ["read", "write"]}
        return browser.post("/v3/api-keys", json=body, headers=headers).json()["key"]


def _line(row: dict[str, Any]) -> str:
    errors = ", ".join(f"{count} × {what}" for what, count in row["errors"].items()) or "none"
    return (
        f"{row['fault']:10} {row['primary']:10} {row['without_saves_s']:5.1f} s without saves,"
        f" {row['saved']:4} saved, errors: {errors}, slowest reply {row['slowest_s']} s"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--faults", type=lambda words: words.split(","), default=list(FAULTS))
    options = parser.parse_args()
    sys.path.append(str(Path(__file__).parents[1]))
    debian = import_module("tests.tools.debian")
    try:
        root = debian.find_debian()
    except debian.NotAvailable as reason:
        print(f"skipped: {reason}")
        print(json.dumps({"skipped": str(reason)}))
        return 0
    folder = tempfile.mkdtemp(prefix="remem-failover-data-")
    try:
        with import_module("tests.tools.patroni").running_cluster(root) as cluster:
            result = run(options, cluster, _environment(folder, cluster))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(json.dumps(result))
    return 1 if result["lost"] or result["doubled"] else 0


def _environment(folder: str, cluster: Any) -> dict[str, str]:
    return {
        **os.environ,
        "REMEM_DATA_DIR": folder,
        "REMEM_DATABASE_URL": cluster.address,
        "REMEM_POOLER_URL": cluster.pooler_address,
        "REMEM_RATE_LIMIT": "1000000",
        "REMEM_ANALYSIS_PROCESSES": "0",
        "REMEM_LOG_LEVEL": "error",
    }


if __name__ == "__main__":
    sys.exit(main())
