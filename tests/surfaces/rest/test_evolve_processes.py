"""Evolution with two processes on one queue, in the Python client, and after an import."""

import asyncio
from collections import Counter
from uuid import UUID

import pytest

from remem import Remem
from remem.core.evolution.jobs.run import run_evolution
from remem.core.ports import Ports
from remem.core.scope import ALL_RIGHTS, Scope
from tests.conftest import Person, Server
from tests.surfaces.rest.test_evolve import PARAPHRASED, get_json, remember, talk
from tests.transfer.stores import export_lines, import_lines

pytestmark = pytest.mark.anyio


def scope_of(person: Person) -> Scope:
    return Scope(UUID(person.tenant_id), UUID(person.user_id), ALL_RIGHTS, actor="test")


async def test_two_processes_do_each_job_once(person: Person, ports: Ports) -> None:
    """The server's process and this one work at the same time until no job is left."""
    for number in range(12):
        remember(person, f"Pump {number} stands in hall {number * 7}. Ann checks it on Mondays.")
    scope = scope_of(person)

    async def ask_server() -> None:
        while (await asyncio.to_thread(person.post, "/api/evolve/run", {})).json()["left"]:
            pass

    async def run_here() -> None:
        while (await run_evolution(ports, scope)).has_more:
            pass

    await asyncio.gather(ask_server(), run_here(), run_here())
    async with ports.db.transaction(scope) as tx:
        rows = await tx.system.fetch(
            "SELECT subject_id, type FROM events WHERE type LIKE 'evolution_%'"
            " AND subject_kind = 'evolution_job'"
        )
        jobs = await tx.system.fetch("SELECT id, status, attempts FROM evolution_jobs")
        parts = await tx.system.fetch(
            "SELECT content, part_of FROM memories WHERE part_of IS NOT NULL"
        )
    assert set(Counter(row["subject_id"] for row in rows).values()) == {1}
    assert {(row["status"], row["attempts"]) for row in jobs} == {("completed", 1)}
    assert {row["id"] for row in jobs} == {row["subject_id"] for row in rows}
    assert set(Counter((row["content"], row["part_of"]) for row in parts).values()) == {1}
    assert len(parts) == 24


def test_the_python_client_supports_evolution_and_feeds(server: Server, person: Person) -> None:
    with Remem(server.url, person.key) as remem:
        id = remember(person, "Bo plays chess. Cy speaks Basque.")
        run = remem.evolution.run()
        assert "derivation" in {job.job_type for job in run.jobs}
        assert {job.status for job in remem.evolution.jobs()} == {"completed"}
        [action] = remem.evolution.actions(action="derive")
        assert (action.memory_id, action.after) == (id, 2)
        assert remem.evolution.undo(action.id).undone_at
        assert remem.evolution.signal("used", [id], query="Who plays chess?").ids == [id]
        assert remem.evolution.policy().source == "built_in"
        assert remem.evolution.pin("fast_memories").pinned
        assert not remem.evolution.pin(None).pinned
        feed = remem.feeds.add("https://example.org/feed.xml", kind="projects")
        assert [listed.url for listed in remem.feeds.list()] == [feed.url]
        remem.feeds.remove(feed.id)
        assert remem.feeds.list() == []


def test_policies_are_learned_again_from_imported_sessions(
    person: Person, stranger: Person
) -> None:
    """Policies and results are not exported; the sessions they come from are."""
    talk(person, PARAPHRASED)
    [original] = person.post("/api/evolve/arena", {}).json()["projects"]
    assert import_lines(stranger, export_lines(person))["status"] == "completed"
    assert get_json(stranger, "/api/evolve/policy")["source"] == "built_in"
    assert get_json(stranger, "/api/evolve/arena")["arms"][0]["pulls"] == 0
    [imported] = stranger.post("/api/evolve/arena", {}).json()["projects"]
    assert (imported["episodes"], imported["pulls"]) == (original["episodes"], original["pulls"])
    policy = get_json(stranger, "/api/evolve/policy", project=imported["projectId"])
    assert policy["reason"]["episodes"] == len(PARAPHRASED)
