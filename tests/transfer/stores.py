"""Fill a store with something of every kind, export it and import it."""

import hashlib
import json
import re
from collections import Counter
from typing import Any
from uuid import UUID

from remem.core.ports import Ports
from remem.core.scope import Bound
from remem.core.time import new_id
from tests.conftest import Person
from tests.tools.waiting import until, until_async

MARKDOWN = "# Harbour\n\nThe pilot boards at six.\n\n## Tides\n\nHigh water is at noon."
TALK = "Anna: When does the ferry leave?\nBen: At seven, from pier four.\nAnna: Thank you."
PAGE = "https://example.org/timetable"
# Language models are slow on a busy machine.
JOBS_TIMEOUT_S = 300


def export_lines(person: Person, **query: Any) -> list[str]:
    reply = person.http.get("/v3/export", params=query)
    assert reply.status_code == 200, reply.text
    return reply.text.splitlines(keepends=True)


def parse_lines(lines: list[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines]


def of_kind(lines: list[str], kind: str) -> list[dict[str, Any]]:
    return [line["row"] for line in parse_lines(lines) if line["kind"] == kind]


def post_import(person: Person, lines: list[str] | bytes) -> Any:
    body = lines if isinstance(lines, bytes) else "".join(lines).encode()
    return person.http.post("/v3/import", content=body)


def import_lines(person: Person, lines: list[str]) -> dict[str, Any]:
    """Import the lines and return the job once it has ended, completed or failed."""
    reply = post_import(person, lines)
    assert reply.status_code == 202, reply.text
    return wait_for_import(person, reply.json()["job_id"])


def wait_for_import(person: Person, job_id: str) -> dict[str, Any]:
    def finished_job() -> dict[str, Any] | None:
        job = person.http.get(f"/v3/jobs/{job_id}").json()
        return job if job["status"] in ("completed", "failed") else None

    return until(finished_job)


def count_rows(job: dict[str, Any], name: str = "imported") -> int:
    return sum(counts.get(name, 0) for kind, counts in job["counts"].items() if kind != "vector")


def with_footer(lines: list[str]) -> list[str]:
    """The lines with the footer that matches them."""
    body = lines[1:-1]
    counts = dict(Counter(_kind(line) for line in body))
    digest = hashlib.sha256("".join(body).encode()).hexdigest()
    footer = {"kind": "footer", "lines": len(lines), "counts": counts, "sha256": digest}
    return [lines[0], *body, json.dumps(footer) + "\n"]


def _kind(line: str) -> str:
    match = re.match(r'\{"kind":\s*"(\w+)"', line)
    return match.group(1) if match else "broken"


async def wait_for_jobs(ports: Ports, tenant_id: str) -> None:
    """Wait until no job of the tenant is pending or running."""
    bound = Bound(tenant_id=UUID(tenant_id))

    async def no_job_is_left() -> bool:
        async with ports.db.transaction(bound) as tx:
            return await tx.fetchval(
                "SELECT count(*) = 0 FROM jobs WHERE status IN ('pending', 'processing')"
            )

    await until_async(no_job_is_left, JOBS_TIMEOUT_S)


async def fill_store(ports: Ports, person: Person) -> None:
    """Add documents of several kinds, versions, originals, memories with chains and links, a
    session, an entity, and deleted data."""
    project = person.post("/v3/projects", {"name": "Trips", "slug": "trips.sea"}).json()
    person.save("The old timetable.", source_url=PAGE, project_id=project["id"])
    person.save("The new timetable: ferries at seven.", source_url=PAGE, project_id=project["id"])
    person.save(MARKDOWN, content_type="markdown", tags=["sea"], metadata={"n": 1.5, "ü": ["\\u"]})
    person.save(TALK, metadata={"participants": ["Anna", "Ben"]})
    _upload(person, "boats.csv", b"name,berths\nAlbatross,4\nPetrel,2\n")
    _upload(person, "log.txt", ("Wind from the west. " * 100).encode())
    deleted = person.save("Nobody is to see this again.")["id"]
    assert person.http.delete(f"/v3/documents/{deleted}").status_code == 204
    _add_memories(person)
    await _insert_rows(ports, person, project["id"])
    await wait_for_jobs(ports, person.tenant_id)


def _upload(person: Person, name: str, data: bytes) -> None:
    reply = person.http.post("/v3/documents/upload", files={"file": (name, data)})
    assert reply.status_code in (201, 202), reply.text


def _add_memories(person: Person) -> None:
    for content in (
        "The ferry to Elba takes an hour.",
        "Ben gets seasick on small boats.",
        "The harbour office opens at eight.",
    ):
        reply = person.post("/api/memories", {"content": content, "tags": ["sea"]})
        assert reply.status_code == 201, reply.text
    last_id = reply.json()["id"]
    changed = person.http.put(
        f"/api/memories/{last_id}", json={"content": "The harbour office opens at nine."}
    )
    assert changed.status_code == 200, changed.text
    person.post("/api/memories", {"content": "The harbour office opens at nine on Sundays too."})
    for day in ("2026-05-02T09:00:00Z", "2026-05-09T09:00:00Z"):
        crossing = {"content": "We crossed on the early ferry.", "occurredAt": day}
        assert person.post("/api/memories", crossing).status_code == 201
    hidden = person.post("/api/memories", {"content": "This one is deleted softly."}).json()["id"]
    assert person.http.delete(f"/api/memories/{hidden}").status_code in (200, 204)


async def _insert_rows(ports: Ports, person: Person, project_id: str) -> None:
    """Insert rows that no API creates."""
    tenant, project = UUID(person.tenant_id), UUID(project_id)
    session, entity, feed = new_id(), new_id(), new_id()
    async with ports.db.transaction(Bound(tenant_id=tenant)) as tx:
        memory = await tx.fetchval("SELECT id FROM memories WHERE is_current ORDER BY id LIMIT 1")
        await tx.execute(
            "INSERT INTO sessions (tenant_id, id, project_id, user_id, title) VALUES"
            " ($1, $2, $3, $4, 'Planning')",
            tenant,
            session,
            project,
            UUID(person.user_id),
        )
        await tx.execute(
            "INSERT INTO turns (tenant_id, id, session_id, role, content, evidence) VALUES"
            " ($1, $2, $3, 'assistant', 'Plan the trip.', $4)",
            tenant,
            new_id(),
            session,
            {"used": [str(memory)]},
        )
        await tx.execute(
            "INSERT INTO signals (tenant_id, id, project_id, user_id, session_id, type,"
            " subject_ids, query) VALUES ($1, $2, $3, $4, $5, 'used', ARRAY[$6::uuid], 'Where?')",
            tenant,
            new_id(),
            project,
            UUID(person.user_id),
            session,
            memory,
        )
        await tx.execute(
            "INSERT INTO standing_instructions (tenant_id, id, project_id, user_id, content)"
            " VALUES ($1, $2, $3, $4, 'Be brief.')",
            tenant,
            new_id(),
            project,
            UUID(person.user_id),
        )
        await tx.execute(
            "INSERT INTO feeds (tenant_id, id, project_id, user_id, kind, url) VALUES"
            " ($1, $2, $3, $4, 'research', 'https://example.org/tides.xml')",
            tenant,
            feed,
            project,
            UUID(person.user_id),
        )
        await tx.execute(
            "INSERT INTO connections (tenant_id, id, project_id, user_id, provider, account_key,"
            " account, chosen, token, interval_s, status) VALUES ($1, $2, $3, $4, 'github', '7',"
            " 'octo', ARRAY['octo/notes'], 'sealed', 900, 'active')",
            tenant,
            new_id(),
            project,
            UUID(person.user_id),
        )
        await tx.execute(
            "INSERT INTO feed_entries (tenant_id, id, feed_id, key) VALUES ($1, $2, $3, 'first')",
            tenant,
            new_id(),
            feed,
        )
        await tx.execute(
            "INSERT INTO entities (tenant_id, id, project_id, type, name, name_normalized)"
            " VALUES ($1, $2, $3, 'place', 'Elba', 'elba')",
            tenant,
            entity,
            project,
        )
        await tx.execute(
            "INSERT INTO entity_names (tenant_id, id, project_id, name, target_name,"
            " target_normalized, target_type) VALUES ($1, $2, $3, 'ilva', 'Elba', 'elba', 'place')",
            tenant,
            new_id(),
            project,
        )
        await tx.execute(
            "INSERT INTO links (tenant_id, id, from_kind, from_id, to_kind, to_id, relation)"
            " VALUES ($1, $2, 'memory', $3, 'entity', $4, 'mentions')",
            tenant,
            new_id(),
            memory,
            entity,
        )


def comparable_lines(lines: list[str]) -> list[str]:
    """The lines without what differs between two exports of the same data: the time, the owner of
    each row, and who imported an event."""
    header, footer = json.loads(lines[0]), json.loads(lines[-1])
    assert header.pop("at")
    assert footer.pop("sha256")
    return [json.dumps(header), *map(comparable_line, lines[1:-1]), json.dumps(footer)]


def comparable_line(line: str) -> str:
    value = json.loads(line)
    row = value.get("row")
    if value["kind"] != "event":
        return json.dumps({**value, "row": {**row, "user_id": None}}) if row else line
    claimed = row.pop("claimed_actor")
    return json.dumps({**value, "row": {**row, "actor": claimed or row["actor"]}})
