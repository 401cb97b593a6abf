"""Call every route and MCP tool on a new, seeded store and write the replies, to compare commits.

What differs from run to run is written the same: ids, times, secrets and what was measured.

python -m tests.tools.record_replies replies.txt"""

import asyncio
import json
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.conftest import Person, Server, new_person, start_server, stop_server
from tests.surfaces.mcp.conftest import call_tool, over_http
from tests.surfaces.mcp.every_tool import (
    UNKNOWN_ID,
    call_assistant_tools,
    call_coding_tools,
    call_default_tools,
    call_platform_tools,
)
from tests.surfaces.rest.calls import Operation, Slot, operations, plain
from tests.tools.folders import new_folder
from tests.tools.waiting import until

TEXTS = (
    "Ada lives in Malmö and works for the harbor. She moved there in March 2024.",
    "# Boats\n\nThe ferry leaves at nine.\n\n## Winter\n\nIn winter the ferry leaves at ten.",
    "Grace: Who waters the plants?\nBo: I do, every Monday.",
)
STATEMENTS = (
    "I live in Lund.",
    "I live in Uppsala now.",
    "Bo waters the plants every Monday.",
    "We indent the parser with four spaces.",
)
# What ends the credential or the account, and what would answer of the machine, comes last or not.
LAST = ("/v3/account/password", "/v3/auth/logout", "DELETE /v3/account")
LEFT_OUT = ("/v3/live", "/v3/webhooks", "/callback", "/poll", "/device", "/health")

_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_TIME = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|\+00:00)?)?")
_SECRET = re.compile(r"\b[0-9a-f]{8}\b|\b(mc|rm|remem)_[\w-]{8,}|\b[0-9a-f]{32,64}\b|[\w-]{40,}")
_HOST = re.compile(r"127\.0\.0\.1:\d+")
_FOLDER = re.compile(r"/tmp/[\w/.-]+")
_NUMBER = re.compile(r"-?\d+\.\d+(e-?\d+)?")
_MEASURED = re.compile(
    r'"(\w*(_ms|_s|latency|uptime|bytes|etag|cursor|Ms|'
    r"last_(?:used|accessed)_at|last(?:Used|Accessed)At)"
    r'\w*)": [^,}\]]+|"(memories)": \d+'
)


# Where the order says what is best; elsewhere, what is alike in the rest is in any order.
_RANKED = ("results", "hits", "chunks")


def normalised(text: str) -> str:
    try:
        text = json.dumps(_in_order(json.loads(text)), ensure_ascii=False)
    except ValueError:
        # Lines of JSON, or no JSON at all.
        text = " ".join(sorted(_without_what_differs(line) for line in text.splitlines()))
    return _without_what_differs(text)


def _without_what_differs(text: str) -> str:
    for pattern, name in (
        (_ID, "<id>"),
        (_TIME, "<time>"),
        (_MEASURED, r'"\1\3": <measured>'),
        (_HOST, "<host>"),
        (_FOLDER, "<folder>"),
        (_SECRET, "<secret>"),
    ):
        text = pattern.sub(name, text)
    return _NUMBER.sub(lambda number: f"{float(number[0]):.2f}", text)


def _in_order(value: Any, name: str = "") -> Any:
    if isinstance(value, dict):
        return {key: _in_order(inner, key) for key, inner in value.items()}
    if isinstance(value, list):
        items = [_in_order(inner) for inner in value]
        as_text = [_without_what_differs(json.dumps(item)) for item in items]
        pairs = list(zip(as_text, items, strict=True))
        return (
            [item for _, item in pairs]
            if name in _RANKED
            else [item for _, item in sorted(pairs, key=lambda pair: pair[0])]
        )
    return value


@dataclass
class Recorder:
    lines: list[str] = field(default_factory=list)

    def add(self, what: str, status: object, text: str) -> None:
        self.lines.append(f"{what}\n    {status} {normalised(text)}")


def record(server: Server, person: Person) -> list[str]:
    recorder = Recorder()
    known = seed(person)
    document = person.http.get("/openapi.json").json()
    for operation in in_order(operations(document)):
        if any(part in operation.path for part in LEFT_OUT):
            continue
        for what, values in requests(operation, known):
            reply = operation.send(person.http, values)
            recorder.add(f"{operation} {what}", reply.status_code, reply.text)
        wait_for_jobs(person)
    return recorder.lines


def seed(person: Person) -> dict[str, str]:
    """Store a little of everything; return an id for each kind of parameter."""
    documents = [person.save(text, title=text[:8], tags=["seed"]) for text in TEXTS]
    wait_for_jobs(person)
    memories = [
        person.post("/api/memories", {"content": text, "category": "fact"}).json()
        for text in STATEMENTS
    ]
    session = person.post("/api/sessions", {"title": "Plants"}).json()
    project = person.post("/v3/projects", {"name": "Voyage", "slug": "voyage"}).json()
    wait_for_jobs(person)
    chunk = person.recall("ferry in winter")[0]
    return {
        "documents": str(documents[0]["id"]),
        "memories": str(memories[2]["id"]),
        "sessions": str(session["id"]),
        "projects": str(project["id"]),
        "chunks": str(chunk.get("chunk_id") or chunk["id"]),
        "organizations": person.tenant_id,
    }


def wait_for_jobs(person: Person) -> None:
    def idle() -> bool:
        jobs = person.http.get("/v3/jobs", params={"limit": 100}).json()["jobs"]
        return all(job["status"] in ("completed", "failed") for job in jobs)

    until(idle)


def in_order(found: list[Operation]) -> list[Operation]:
    """First what reads, then what writes, then what deletes."""
    ranks = {"GET": 0, "POST": 1, "PUT": 2, "PATCH": 2, "DELETE": 3}

    def rank(operation: Operation) -> tuple[bool, int]:
        is_last = any(part in str(operation) for part in LAST)
        return is_last, ranks[operation.method]

    return sorted(found, key=rank)


def requests(
    operation: Operation, known: Mapping[str, str]
) -> Iterator[tuple[str, dict[Slot, Any]]]:
    required = {slot: value_of(operation, slot, known) for slot in operation.slots if slot.required}
    yield "as it should be", required
    if operation.slots:
        yield "with nothing", {slot: UNKNOWN_ID for slot in required if slot.place == "path"}
        yield (
            "with everything",
            {slot: value_of(operation, slot, known) for slot in operation.slots},
        )


def value_of(operation: Operation, slot: Slot, known: Mapping[str, str]) -> Any:
    if slot.place == "path" or slot.kind == "uuid":
        nouns = [part for part in operation.path.split("/") if part in known]
        return known[nouns[-1]] if nouns else UNKNOWN_ID
    if slot.kind == "string":
        return {"query": "ferry in winter", "question": "Where does Ada live?"}.get(
            slot.name, f"{slot.name} {operation.path.count('/')} of {operation.method}"
        )
    if slot.kind == "date":
        return "2024-03-01"
    if slot.kind == "uri":
        return "https://example.org/page"
    if slot.kind == "file":
        return ("note.txt", operation.path.encode())
    return plain(slot)


async def record_tools(server: Server, person: Person) -> list[str]:
    replies: list[tuple[str, str]] = []
    async with over_http(server, person.key, "2026-07-28", "/all") as client:
        recorder = Recorder()
        recorder.add("every tool", "", (await client.list_tools()).model_dump_json())

        async def call(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
            reply = await call_tool(client, name, arguments)
            await asyncio.to_thread(wait_for_jobs, person)
            replies.append((f"{name} {json.dumps(arguments)}", json.dumps(reply)))
            return reply

        # One group after the other, so that what one stores is what the next one finds.
        for call_tools in (
            call_assistant_tools,
            call_coding_tools,
            call_platform_tools,
            call_default_tools,
        ):
            await call_tools(call)
    for what, text in replies:
        recorder.add(normalised(what), "", text)
    return recorder.lines


def main(target: Path) -> None:
    folder = new_folder()
    server = start_server(folder, module="tests.tools.quick_passwords")
    try:
        person = new_person(server)
        lines = record(server, person)
        lines += asyncio.run(record_tools(server, new_person(server)))
    finally:
        stop_server(server)
        shutil.rmtree(folder, ignore_errors=True)
    target.write_text("\n".join(lines) + "\n")
    print(f"Wrote {len(lines)} replies to {target}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
