"""Archiving, and forgetting what is past its time or meant."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from remem.core.documents.ingest import ingest
from remem.core.documents.model import Document
from remem.core.documents.model import Draft as DocumentDraft
from remem.core.errors import Conflict, Invalid
from remem.core.memories.browse import get_memory
from remem.core.memories.versions.restore import restore_memory
from remem.core.ports import Ports
from remem.core.projects.manage import get_project
from remem.core.scope import Scope
from remem.core.search.model import Query
from remem.core.search.recall import recall
from remem.core.time import now
from remem.core.upkeep.archive import archive_project
from remem.core.upkeep.expire import JOB, forget_expired, schedule_forgetting
from remem.core.upkeep.forget import forget_by_meaning
from tests.conftest import Server, new_scope
from tests.core.memories import by_meaning, by_word, contents, count, events, save
from tests.core.scratch import new_store
from tests.core.test_mentions import entities

pytestmark = pytest.mark.anyio


async def document(ports: Ports, scope: Scope, content: str, **fields: Any) -> Document:
    """One that the server's own worker does not distil meanwhile, so that rows can be counted."""
    still = replace(ports, distils=False)
    return (await ingest(still, scope, DocumentDraft(content, **fields))).document


async def found(ports: Ports, scope: Scope, text: str, project: str | None) -> list[str]:
    answer = await recall(ports, scope, Query(text, project=project))
    return [one.document.title for one in answer.results if one.document]


# Archive


async def test_an_archive_moves_everything_to_the_parent(ports: Ports, scope: Scope) -> None:
    fields = {"project": "agent.sub", "create_project": True}
    note = await document(ports, scope, "The cat dozes on the sofa.", title="Cat", **fields)
    saved = await save(ports, scope, "Ada Lovelace prefers tea.", document_id=note.id, **fields)
    await save(ports, scope, "Ada Lovelace lives in Oslo.", project="agent")
    done = await archive_project(ports, scope, "agent.sub")
    assert (done.into, done.documents, done.memories, done.duplicates) == ("agent", 1, 1, 0)
    assert await found(ports, scope, "sofa", "agent") == ["Cat"]
    assert await found(ports, scope, "sofa", "agent.sub") == []
    assert saved.memory.id in await by_word(ports, scope, "tea")
    assert saved.memory.id in await by_meaning(ports, scope, "a hot drink")
    assert (await get_memory(ports, scope, saved.memory.id)).project_slug == "agent"
    assert await entities(ports, scope, "agent") == {"Ada Lovelace": 2, "Oslo": 1}
    assert await entities(ports, scope, "agent.sub") == {}
    assert (await get_project(ports, scope, "agent.sub")).archived_at is not None
    await _assert_totals(ports, scope)


async def _assert_totals(ports: Ports, scope: Scope) -> None:
    """What BM25 weighs by is what there is."""
    async with ports.db.transaction(scope) as tx:
        kept = await tx.fetch(
            "SELECT project_id, owner_kind, texts FROM text_totals WHERE texts <> 0"
        )
        counted = await tx.fetch(
            "SELECT project_id, owner_kind, count(DISTINCT owner_id) AS texts FROM postings"
            " GROUP BY 1, 2"
        )
    assert {tuple(row) for row in kept} == {tuple(row) for row in counted}


async def test_what_the_parent_has_already_is_kept_once(ports: Ports, scope: Scope) -> None:
    there = await document(ports, scope, "The cat dozes on the sofa.", title="There")
    kept = await save(ports, scope, "Tea is hot.")
    fields = {"project": "temporary", "create_project": True}
    copy = await document(ports, scope, "The cat dozes on the sofa.", title="Copy", **fields)
    twin = await save(ports, scope, "Tea is hot.", document_id=copy.id, **fields)
    other = await save(ports, scope, "The bridge is shut.", document_id=copy.id, **fields)
    done = await archive_project(ports, scope, "temporary")
    assert (done.into, done.documents, done.memories, done.duplicates) == ("default", 0, 1, 2)
    assert await found(ports, scope, "sofa", None) == ["There"]
    assert (await get_memory(ports, scope, other.memory.id)).document_id == there.id
    merged = await get_memory(ports, scope, twin.memory.id)
    assert (merged.state, merged.project_slug) == ("superseded", "default")
    assert ("merge", {"into": str(kept.memory.id)}) in await events(ports, scope, twin.memory.id)
    assert sorted(await contents(ports, scope)) == ["Tea is hot.", "The bridge is shut."]
    await _assert_totals(ports, scope)


async def test_an_archive_can_be_repeated_and_the_default_stays(ports: Ports, scope: Scope) -> None:
    await save(ports, scope, "Tea is hot.", project="temporary", create_project=True)
    await archive_project(ports, scope, "temporary")
    done = await archive_project(ports, scope, "temporary")
    assert (done.documents, done.memories, done.duplicates) == (0, 0, 0)
    with pytest.raises(Conflict, match="default"):
        await archive_project(ports, scope, "default")


# Past its time


async def make_past(ports: Ports, scope: Scope, table: str, column: str, id: object) -> None:
    async with ports.db.transaction(scope) as tx:
        await tx.execute(
            f"UPDATE {table} SET {column} = now() - interval '1 second' WHERE id = $1", id
        )


async def test_documents_past_their_time_are_erased_with_their_versions(
    ports: Ports, scope: Scope
) -> None:
    later = now() + timedelta(days=1)
    url = "https://example.org/page"
    await document(ports, scope, "The cat dozes.", source_url=url)
    last = await document(ports, scope, "The cat wakes.", source_url=url, forget_after=later)
    stays = await document(ports, scope, "Tea is hot.", forget_after=later)
    await make_past(ports, scope, "documents", "forget_after", last.id)
    await forget_expired(ports, scope, scope.tenant_id)
    async with ports.db.transaction(scope) as tx:
        left = [row["id"] for row in await tx.fetch("SELECT id FROM documents")]
        body = await tx.fetch(
            "SELECT actor FROM events WHERE subject_id = $1 AND type = 'delete'", last.id
        )
    assert left == [stays.id]
    assert len(body) == 1
    assert await count(ports, scope, "chunks") == 1
    assert await count(ports, scope, "embeddings") == 1
    await _assert_totals(ports, scope)


async def test_memories_past_their_time_are_current_no_more(ports: Ports, scope: Scope) -> None:
    yesterday = now() - timedelta(days=1)
    saved = await save(ports, scope, "Grace Hopper is on leave.", valid_from=yesterday)
    await save(ports, scope, "Tea is hot.", valid_until=now() + timedelta(days=1))
    await make_past(ports, scope, "memories", "valid_until", saved.memory.id)
    await forget_expired(ports, scope, scope.tenant_id)
    memory = await get_memory(ports, scope, saved.memory.id)
    assert (memory.state, memory.is_current) == ("superseded", False)
    assert ("expire", {}) in await events(ports, scope, memory.id)
    assert await by_word(ports, scope, "leave") == []
    assert await entities(ports, scope) == {}
    assert await contents(ports, scope) == ["Tea is hot."]
    assert await contents(ports, scope, as_of=yesterday) == [memory.content]


async def test_the_clock_queues_one_job_for_each_tenant_that_needs_it(
    server: Server, ports: Ports
) -> None:
    """In a store of few people, because each is looked at."""
    async with new_store(server, ports) as few:
        await check_queued_jobs(few)


async def check_queued_jobs(ports: Ports) -> None:
    scope, idle = await new_scope(ports), await new_scope(ports)
    await save(ports, idle, "Tea is hot.")
    saved = await save(ports, scope, "Tea is hot.")
    await make_past(ports, scope, "memories", "valid_until", saved.memory.id)
    counts = await asyncio.gather(*(schedule_forgetting(ports) for _ in range(3)))
    assert sum(counts) >= 1
    async with ports.db.transaction(scope) as tx:
        jobs = await tx.fetch("SELECT subject_id FROM jobs WHERE name = $1", JOB)
    assert [row["subject_id"] for row in jobs] == [scope.tenant_id]
    assert await count(ports, idle, "jobs") == 0


# Meant


async def test_what_is_meant_is_listed_first_and_forgotten_when_told(
    ports: Ports, scope: Scope
) -> None:
    cat = await save(ports, scope, "The kitten naps on the couch.")
    await save(ports, scope, "Payroll closes on Friday.")
    listed = await forget_by_meaning(ports, scope, "a cat sleeping on the sofa", None, 0.4)
    assert [memory.id for memory, _ in listed.memories] == [cat.memory.id]
    assert (listed.forgotten, listed.more) == (0, False)
    assert len(await contents(ports, scope)) == 2
    done = await forget_by_meaning(
        ports, scope, "a cat sleeping on the sofa", None, 0.4, dry_run=False
    )
    assert done.forgotten == 1
    assert await contents(ports, scope) == ["Payroll closes on Friday."]
    await restore_memory(ports, scope, cat.memory.id)
    assert len(await contents(ports, scope)) == 2


async def test_nothing_elsewhere_is_forgotten(ports: Ports, scope: Scope) -> None:
    other = await new_scope(ports)
    await save(ports, other, "The kitten naps on the couch.")
    await save(ports, scope, "The kitten naps on the couch.")
    await save(ports, scope, "Tea is hot.", project="else", create_project=True)
    done = await forget_by_meaning(ports, scope, "kitten on the couch", "else", 0.4, dry_run=False)
    assert done.memories == []
    done = await forget_by_meaning(ports, scope, "kitten on the couch", None, 0.4, dry_run=False)
    assert done.forgotten == 1
    assert await contents(ports, other) == ["The kitten naps on the couch."]


@pytest.mark.parametrize(("query", "threshold", "field"), [("  ", 0.5, "query"), ("x", 0.1, "thr")])
async def test_a_forgetting_that_would_take_too_much_is_refused(
    ports: Ports, scope: Scope, query: str, threshold: float, field: str
) -> None:
    with pytest.raises(Invalid, match=field):
        await forget_by_meaning(ports, scope, query, None, threshold)
