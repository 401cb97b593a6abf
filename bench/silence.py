"""Whether the right memory comes to the right prompt, and nothing otherwise: the prompts of
invented people by the hook that assistants call, over their notes, and over the talks of LoCoMo,
where no prompt of theirs has anything to do with what is known.

    .venv/bin/python bench/silence.py [--people people] [--half second] [--talks] [--peers]"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
from peers.child import Failed
from peers.environment import NotInstalled
from peers.notes import PEERS
from peers.notes import measure as measure_peer
from people import Store
from sets import locomo
from sets.model import Talk
from sets.people import Person, Prompt, Question, read_people
from sets.serving import Served, served

from remem.core.chunking.token_counter import estimate_tokens

DATA = Path(__file__).parents[2] / "shared" / "data"
AMONG = 3
# The prompts that are sent by processes, to take their time.
TIMED = 60
COLUMNS = ("unrelated", "got a line", "related", "got the right one", "got any")
Counts = Counter[str]


@dataclass(frozen=True, slots=True)
class Spent:
    """By one process of the hook: the time until it ended, its own CPU time, and the server's."""

    ms: float
    cpu_ms: float
    server_ms: float


def main() -> None:
    options = read_options()
    people = read_people(options.data / options.people)
    halves = {"first": people[::2], "second": people[1::2], "all": people}
    chosen = halves[options.half]
    with opened() as (server, http, folder):
        stores = {person.name: Store(http, person) for person in chosen}
        rows, tokens = measure_people(http, stores)
        if options.talks:
            rows["LoCoMo talks"] = measure_talks(http, options.data, chosen)
        spent = time_hook(server, folder, chosen)
    if options.peers:
        rows |= measure_peers(chosen)
    print_rows(rows)
    figures = print_costs(tokens, spent)
    print(json.dumps({"rows": {name: dict(counts) for name, counts in rows.items()}} | figures))


@contextmanager
def opened() -> Iterator[tuple[Served, httpx2.Client, Path]]:
    with (
        tempfile.TemporaryDirectory(prefix="remem-bench-") as name,
        served(Path(name) / "data") as server,
        httpx2.Client(
            base_url=server.url, headers={"Authorization": f"Bearer {server.key}"}, timeout=120
        ) as http,
    ):
        yield server, http, Path(name)


# --- what comes


def measure_people(
    http: httpx2.Client, stores: Mapping[str, Store]
) -> tuple[dict[str, Counts], list[int]]:
    """By language, and the tokens of each prompt that needs nothing or something."""
    rows = {"remem": Counts(), "remem, English": Counts(), "remem, others": Counts()}
    tokens = []
    for store in stores.values():
        group = "remem, English" if store.person.is_english else "remem, others"
        for prompt in store.person.prompts:
            found = ask(http, prompt.text, store.project)
            notes = [note_of(http, store, item) for item in found]
            for name in ("remem", group):
                count(rows[name], prompt, notes)
            tokens.append(sum(estimate_tokens(item["line"]) for item in found))
    return rows, tokens


def ask(http: httpx2.Client, prompt: str, project: str) -> list[dict[str, Any]]:
    reply = http.post("/api/prompt", json={"prompt": prompt, "project": project})
    reply.raise_for_status()
    return reply.json()["statements"]


def note_of(http: httpx2.Client, store: Store, item: Mapping[str, Any]) -> str:
    if item["kind"] == "document":
        return store.note_of.get(item["id"], "")
    memory = http.get(f"/api/memories/{item['id']}").json()
    return store.note_of.get(memory["documentId"], "")


def count(counts: Counts, prompt: Prompt, notes: Sequence[str]) -> None:
    if prompt.relevant:
        counts["related"] += 1
        counts["got any"] += bool(notes)
        counts["got the right one"] += any(note in notes for note in prompt.relevant)
    else:
        counts["unrelated"] += 1
        counts["got a line"] += bool(notes)


def measure_talks(http: httpx2.Client, data: Path, people: Sequence[Person]) -> Counts:
    """Every prompt that needs nothing, over what two strangers said to each other."""
    counts = Counts()
    prompts = [
        prompt for person in people if person.is_english
        for prompt in person.prompts if not prompt.relevant
    ]  # fmt: skip
    for number, talk in enumerate(locomo.load(data)):
        project = f"talk-{number}"
        save_talk(http, talk, project)
        for prompt in prompts:
            counts["unrelated"] += 1
            counts["got a line"] += bool(ask(http, prompt.text, project))
    return counts


def save_talk(http: httpx2.Client, talk: Talk, project: str) -> None:
    http.post("/v3/projects", json={"name": project, "slug": project})
    for session in talk.sessions:
        content = json.dumps(session.as_content())
        body = {"content": content, "content_type": "json", "project": project}
        http.post("/v3/memory", json=body).raise_for_status()
    while any(
        http.get("/v3/jobs", params={"status": status}).json()["jobs"]
        for status in ("pending", "processing")
    ):
        time.sleep(0.5)


# --- what it costs


def time_hook(server: Served, folder: Path, people: Sequence[Person]) -> list[Spent]:
    """Each prompt by a process of its own, as an assistant starts it, one after the other."""
    prompts = [(person, prompt.text) for person in people for prompt in person.prompts]
    settings = {"REMEM_DATA_DIR": str(folder / "data"), "REMEM_CONFIG_DIR": str(folder / "config")}
    env = {**os.environ, **settings}
    command = [sys.executable, "-m", "remem", "hook", "prompt"]
    spent = []
    for number, (person, text) in enumerate(prompts[:: max(1, len(prompts) // TIMED)]):
        place = folder_of_project(folder, person.name)
        event = {"session_id": f"s{number}", "cwd": str(place), "prompt": text}
        own, its = own_cpu_s(), server_cpu_s(server.pid)
        started = time.perf_counter()
        subprocess.run(
            command, input=json.dumps(event), env=env, text=True, capture_output=True, check=True
        )
        took_s = time.perf_counter() - started
        used = (own_cpu_s() - own, server_cpu_s(server.pid) - its)
        spent.append(Spent(took_s * 1_000, used[0] * 1_000, used[1] * 1_000))
    return spent


def folder_of_project(folder: Path, project: str) -> Path:
    place = folder / project
    place.mkdir(exist_ok=True)
    (place / ".remem.toml").write_text(f'project = "{project}"\n')
    return place


def own_cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def server_cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# --- the others


def measure_peers(people: Sequence[Person]) -> dict[str, Counts]:
    """What the search of each finds for the prompts, with its own defaults, among three."""
    asked = [
        (person, Question(prompt.text, prompt.relevant, [], "prompt"))
        for person in people
        for prompt in person.prompts
    ]
    rows = {}
    for peer in PEERS:
        try:
            ways = measure_peer(peer, people, asked, None)
        except (NotInstalled, Failed) as error:
            print(f"{peer.title}: not measured: {error}", flush=True)
            continue
        for way, answers in ways.items():
            counts = rows[f"{peer.title}, {way}"] = Counts()
            for (_, question), notes in zip(asked, answers.found, strict=True):
                count(counts, Prompt(question.text, question.expected), notes[:AMONG])
    return rows


# --- the report


def print_rows(rows: Mapping[str, Counts]) -> None:
    print("\n| | " + " | ".join(COLUMNS) + " |\n|---|" + "---|" * len(COLUMNS))
    for name, counts in rows.items():
        cells = []
        for column in COLUMNS:
            whole = counts["unrelated" if column in COLUMNS[:2] else "related"]
            is_count = column in ("unrelated", "related")
            share = f" ({100 * counts[column] / whole:.0f} %)" if whole and not is_count else ""
            cells.append(f"{counts[column]}{share}" if whole else "–")
        print(f"| {name} | " + " | ".join(cells) + " |")


def print_costs(tokens: Sequence[int], spent: Sequence[Spent]) -> dict[str, float]:
    given = [number for number in tokens if number]
    figures = {
        "tokens_a_prompt": round(statistics.mean(tokens), 1),
        "most_tokens": max(given, default=0),
        "hook_ms": round(statistics.median(item.ms for item in spent)),
        "hook_ms_of_95": round(sorted(item.ms for item in spent)[int(len(spent) * 0.95)]),
        "hook_cpu_ms": round(statistics.median(item.cpu_ms for item in spent)),
        "server_cpu_ms": round(statistics.mean(item.server_ms for item in spent)),
    }
    print("\n" + "; ".join(f"{name} {value}" for name, value in figures.items()) + "\n")
    return figures


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--people", default="people", help="the folder of the data")
    parser.add_argument("--half", choices=("first", "second", "all"), default="second")
    parser.add_argument("--talks", action="store_true", help="LoCoMo too; takes minutes")
    parser.add_argument("--peers", action="store_true", help="mem0 and the others too")
    return parser.parse_args()


if __name__ == "__main__":
    main()
