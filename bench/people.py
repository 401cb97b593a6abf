"""What comes of the notes of invented people, by the REST API alone: which note is found, what is
answered, and which changes, due dates, lines and prompts are noticed.

.venv/bin/python bench/people.py [--data ../shared/data] [--people people-train] [--person en-]"""

import argparse
import json
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
from sets.people import LOOKALIKE, Person, is_kept, is_right, read_people
from sets.serving import served

MODES = ("balanced", "best")
AMONG, LIMIT, PAGE = 3, 10, 100
MEASURES = ("find", "ask", "changes", "due", "worth", "prompts")
HALVES = ("first", "second")
Counts = Counter[str]


class Store:
    """A person's notes in a project of a running server."""

    def __init__(self, http: httpx2.Client, person: Person) -> None:
        self._http, self.person, self.project = http, person, person.name
        self._http.post("/v3/projects", json={"name": self.project, "slug": self.project})
        self.note_of: dict[str, str] = {}
        for note in person.notes:
            saved = self._post(
                "/v3/memory",
                {
                    "content": note.text,
                    "project": self.project,
                    "metadata": {"date": note.written_at},
                },
            )
            self.note_of[saved["id"]] = note.id
        self._wait()

    def find(self, text: str, mode: str) -> list[str]:
        """The notes found, best first, without the weak ones."""
        body = {
            "query": text,
            "project": self.project,
            "mode": mode,
            "limit": LIMIT,
            "kinds": ["document"],
            "asked_at": f"{self.person.today}T12:00:00Z",
        }
        results = self._post("/v3/recall", body)["results"]
        return [self.note_of[row["id"]] for row in results if not row["weak"]]

    def ask(self, text: str) -> dict[str, Any]:
        asked_at = f"{self.person.today}T12:00:00Z"
        body = {"question": text, "project": self.project, "askedAt": asked_at, "record": False}
        return self._post("/api/agent/ask", body)

    def memories(self, state: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        cursor = None
        while True:
            params = {"project": self.project, "state": state, "limit": PAGE}
            reply = self._http.get(
                "/api/memories", params=params | ({"cursor": cursor} if cursor else {})
            )
            reply.raise_for_status()
            page = reply.json()
            found += page["memories"]
            cursor = page.get("nextCursor")
            if not cursor:
                return found

    def _wait(self) -> None:
        """Until no job is left."""
        while any(
            self._http.get("/v3/jobs", params={"status": status}).json()["jobs"]
            for status in ("pending", "processing")
        ):
            time.sleep(0.1)

    def _post(self, path: str, body: dict[str, Any]) -> Any:
        reply = self._http.post(path, json=body)
        reply.raise_for_status()
        return reply.json()


def measure_find(store: Store, counts: Counts) -> None:
    for question in store.person.questions:
        if not question.expected:
            continue
        is_cross = question.kind == "cross"
        for mode in MODES:
            notes = store.find(question.text, mode)
            first, among = question.expected[0] in notes[:1], question.expected[0] in notes[:AMONG]
            counts[f"{mode} first"] += first
            counts[f"{mode} among"] += among
            counts[f"{mode} asked"] += 1
            if is_cross:
                counts[f"{mode} cross among"] += among
                counts[f"{mode} cross asked"] += 1


def measure_ask(store: Store, counts: Counts) -> None:
    for question in store.person.questions:
        reply = store.ask(question.text)
        if question.kind == "none":
            counts["none asked"] += 1
            counts["none invented"] += reply["known"]
        else:
            right = reply["known"] and is_right(reply["answer"], question.gold)
            verdict = "right" if right else "wrong" if reply["known"] else "unknown"
            counts["asked"] += 1
            counts[verdict] += 1
            counts[f"{question.kind} asked"] += 1
            counts[f"{question.kind} right"] += right


def measure_changes(store: Store, counts: Counts) -> None:
    outdated = store.memories("superseded")
    notes = {row["id"]: store.note_of.get(row["documentId"]) for row in store.memories("active")}
    notes |= {row["id"]: store.note_of.get(row["documentId"]) for row in outdated}
    replaced = set()
    for row in outdated:
        by = row.get("replacedBy") or {}
        replaced.add((notes[row["id"]], notes.get(by.get("id", ""))))
    for change in store.person.changes:
        kind = "look-alike" if change.relation in LOOKALIKE else change.relation
        if change.old in notes.values() or change.old in store.note_of.values():
            counts[f"{kind} pairs"] += 1
            counts[f"{kind} replaced"] += (change.old, change.new) in replaced


def measure_due(store: Store, counts: Counts) -> None:
    listed = {row["dueAt"][:10] for row in store.memories("active") if row["dueAt"]}
    in_force = {due.day for due in store.person.due if due.in_force}
    for due in store.person.due:
        day = due.day.isoformat()
        if due.in_force and day >= store.person.today:
            counts["due"] += 1
            counts["due listed"] += day in listed
        elif not due.in_force and due.day not in in_force:
            counts["over"] += 1
            counts["over listed"] += day in listed


def measure_worth(store: Store, counts: Counts) -> None:
    by_note = defaultdict(list)
    for state in ("active", "superseded"):
        for row in store.memories(state):
            by_note[store.note_of.get(row["documentId"])].append(row["content"])
    for line in store.person.lines:
        kind = "worth" if line.is_worth_keeping else "worthless"
        counts[kind] += 1
        counts[f"{kind} kept"] += any(is_kept(line, text) for text in by_note[line.note])


def measure_prompts(store: Store, counts: Counts) -> None:
    for prompt in store.person.prompts:
        notes = store.find(prompt.text, "best")[:AMONG]
        if prompt.relevant:
            counts["related"] += 1
            counts["related found"] += any(note in notes for note in prompt.relevant)
        else:
            counts["unrelated"] += 1
            counts["unrelated answered"] += bool(notes)


RUN: dict[str, Callable[[Store, Counts], None]] = {
    "find": measure_find,
    "ask": measure_ask,
    "changes": measure_changes,
    "due": measure_due,
    "worth": measure_worth,
    "prompts": measure_prompts,
}
# Title, what is counted, of how many.
ROWS = (
    ("balanced: first", "balanced first", "balanced asked"),
    ("balanced: among three", "balanced among", "balanced asked"),
    ("best: first", "best first", "best asked"),
    ("best: among three", "best among", "best asked"),
    ("best: across languages, among three", "best cross among", "best cross asked"),
    ("ask: right", "right", "asked"),
    ("ask: wrong", "wrong", "asked"),
    ("ask: unknown", "unknown", "asked"),
    ("ask: invented where nothing is known", "none invented", "none asked"),
    ("replacements noticed", "replaces replaced", "replaces pairs"),
    ("cancellations noticed", "cancels replaced", "cancels pairs"),
    ("look-alikes replaced", "look-alike replaced", "look-alike pairs"),
    ("due dates in force listed", "due listed", "due"),
    ("due dates that are over listed", "over listed", "over"),
    ("lines worth keeping kept", "worth kept", "worth"),
    ("other lines kept", "worthless kept", "worthless"),
    ("unrelated prompts with a result", "unrelated answered", "unrelated"),
    ("related prompts with their note among three", "related found", "related"),
)


@contextmanager
def opened(model: str | None) -> Iterator[httpx2.Client]:
    settings = {"REMEM_EMBEDDING_MODEL": model} if model else {}
    with (
        tempfile.TemporaryDirectory(prefix="remem-bench-") as folder,
        served(Path(folder), settings) as server,
        httpx2.Client(
            base_url=server.url, headers={"Authorization": f"Bearer {server.key}"}, timeout=120
        ) as http,
    ):
        yield http


def measure(people: list[Person], measures: list[str], model: str | None) -> dict[str, Counts]:
    """Counts by person."""
    counts: dict[str, Counts] = {}
    with opened(model) as http:
        for person in people:
            store, counts[person.name] = Store(http, person), Counter()
            for name in measures:
                RUN[name](store, counts[person.name])
            print(f"{person.name}: {dict(counts[person.name])}", flush=True)
    return counts


def columns(people: list[Person], counts: dict[str, Counts]) -> dict[str, Counts]:
    """English, the others, and each half of all people."""
    groups = {
        "English": [person for person in people if person.is_english],
        "others": [person for person in people if not person.is_english],
        HALVES[0]: people[::2],
        HALVES[1]: people[1::2],
    }
    for person in people:
        groups.setdefault(person.name[:2], []).append(person)
    return {
        name: sum((counts[person.name] for person in group), Counter())
        for name, group in groups.items()
        if group
    }


def report(found: dict[str, Counts]) -> dict[str, dict[str, str]]:
    names = list(found)
    print("\n| | " + " | ".join(names) + " |\n|---|" + "---|" * len(names))
    rows = {}
    for title, counted, total in ROWS:
        if not any(found[name][total] for name in names):
            continue
        rows[title] = {name: f"{group[counted]} of {group[total]}" for name, group in found.items()}
        shares = [percent(group[counted], group[total]) for group in found.values()]
        print(f"| {title} | " + " | ".join(shares) + " |")
    return rows


def percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} % of {whole}" if whole else "–"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--people", default="people", help="the folder of the data")
    parser.add_argument("--person", help="only those whose name begins so; several: with commas")
    parser.add_argument("--measures", default=",".join(MEASURES))
    parser.add_argument("--embedding-model")
    options = parser.parse_args()
    people = [
        person
        for name in (options.person or "").split(",")
        for person in read_people(options.data / options.people, name)
    ]
    measures = options.measures.split(",")
    counts = measure(people, measures, options.embedding_model)
    print(json.dumps(report(columns(people, counts)), ensure_ascii=False))


if __name__ == "__main__":
    main()
