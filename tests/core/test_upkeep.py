"""Archiving projects, and forgetting what has expired or matches a query."""

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
from tests.core.memories import contents, count, events, match_by_meaning, match_by_word, save
from tests.core.scratch import new_store
from tests.core.test_mentions import entities

pytestmark = pytest.mark.anyio


async def save_document(ports: Ports, scope: Scope, content: str, **fields: Any) -> Document:
    """A document that the server's worker does not distil meanwhile: its rows can be counted."""
    without_distilling = replace(ports, distils=False)
    return (await ingest(without_distilling, scope, DocumentDraft(content, **fields))).document


async def titles_found(ports: Ports, scope: Scope, text: str, project: str | None) -> list[str]:
    page = await recall(ports, scope, Query(text, project=project))
    return [result.document.title for result in page.results if result.document]


# Archive


async def test_an_archive_moves_everything_to_the_parent(ports: Ports, scope: Scope) -> None:
    fields = {"project": "agent.sub", "create_project": True}
    note = await save_document(ports, scope, "The cat dozes on the sofa.", title="Cat", **fields)
    saved = await save(ports, scope, "Ada Lovelace prefers tea.", document_id=note.id, **fields)
    await save(ports, scope, "Ada Lovelace lives in Oslo.", project="agent")
    archive = await archive_project(ports, scope, "agent.sub")
    assert (archive.into, archive.documents, archive.memories, archive.duplicates) == (
        "agent",
        1,
        1,
        0,
    )
    assert await titles_found(ports, scope, "sofa", "agent") == ["Cat"]
    assert await titles_found(ports, scope, "sofa", "agent.sub") == []
    assert saved.memory.id in await match_by_word(ports, scope, "tea")
    assert saved.memory.id in await match_by_meaning(ports, scope, "a hot drink")
    assert (await get_memory(ports, scope, saved.memory.id)).project_ref == "agent"
    assert await entities(ports, scope, "agent") == {"Ada Lovelace": 2, "Oslo": 1}
    assert await entities(ports, scope, "agent.sub") == {}
    assert (await get_project(ports, scope, "agent.sub")).archived_at is not None
    await _assert_totals(ports, scope)


async def _assert_totals(ports: Ports, scope: Scope) -> None:
    """Check that the totals BM25 uses match the postings."""
    async with ports.db.transaction(scope) as tx:
        totals = await tx.system.fetch(
            "SELECT project_id, owner_kind, texts FROM text_totals WHERE texts <> 0"
        )
        counted = await tx.system.fetch(
            "SELECT project_id, owner_kind, count(DISTINCT owner_id) AS texts FROM postings"
            " GROUP BY 1, 2"
        )
    assert {tuple(row) for row in totals} == {tuple(row) for row in counted}


async def test_duplicates_of_the_parent_are_kept_once(ports: Ports, scope: Scope) -> None:
    original = await save_document(ports, scope, "The cat dozes on the sofa.", title="There")
    tea = await save(ports, scope, "Tea is hot.")
    fields = {"project": "temporary", "create_project": True}
    copy = await save_document(ports, scope, "The cat dozes on the sofa.", title="Copy", **fields)
    duplicate = await save(ports, scope, "Tea is hot.", document_id=copy.id, **fields)
    other = await save(ports, scope, "The bridge is shut.", document_id=copy.id, **fields)
    archive = await archive_project(ports, scope, "temporary")
    assert (archive.into, archive.documents, archive.memories, archive.duplicates) == (
        "default",
        0,
        1,
        2,
    )
    assert await titles_found(ports, scope, "sofa", None) == ["There"]
    assert (await get_memory(ports, scope, other.memory.id)).document_id == original.id
    merged = await get_memory(ports, scope, duplicate.memory.id)
    assert (merged.state, merged.project_ref) == ("superseded", "default")
    assert ("merge", {"into": str(tea.memory.id)}) in await events(
        ports, scope, duplicate.memory.id
    )
    assert sorted(await contents(ports, scope)) == ["Tea is hot.", "The bridge is shut."]
    await _assert_totals(ports, scope)


async def test_an_archive_can_be_repeated_and_the_default_cannot_be_archived(
    ports: Ports, scope: Scope
) -> None:
    await save(ports, scope, "Tea is hot.", project="temporary", create_project=True)
    await archive_project(ports, scope, "temporary")
    archive = await archive_project(ports, scope, "temporary")
    assert (archive.documents, archive.memories, archive.duplicates) == (0, 0, 0)
    with pytest.raises(Conflict, match="default"):
        await archive_project(ports, scope, "default")


# Expired


async def expire(ports: Ports, scope: Scope, table: str, column: str, id: object) -> None:
    async with ports.db.transaction(scope) as tx:
        await tx.system.execute(
            f"UPDATE {table} SET {column} = now() - interval '1 second' WHERE id = $1", id
        )


async def test_expired_documents_are_erased_with_their_versions(ports: Ports, scope: Scope) -> None:
    later = now() + timedelta(days=1)
    url = "https://example.org/page"
    await save_document(ports, scope, "The cat dozes.", source_url=url)
    last = await save_document(ports, scope, "The cat wakes.", source_url=url, forget_after=later)
    unexpired = await save_document(ports, scope, "Tea is hot.", forget_after=later)
    await expire(ports, scope, "documents", "forget_after", last.id)
    await forget_expired(ports, scope, scope.tenant_id)
    async with ports.db.transaction(scope) as tx:
        remaining = [row["id"] for row in await tx.system.fetch("SELECT id FROM documents")]
        delete_events = await tx.system.fetch(
            "SELECT actor FROM events WHERE subject_id = $1 AND type = 'delete'", last.id
        )
    assert remaining == [unexpired.id]
    assert len(delete_events) == 1
    assert await count(ports, scope, "chunks") == 1
    assert await count(ports, scope, "embeddings") == 1
    await _assert_totals(ports, scope)


async def test_expired_memories_are_superseded(ports: Ports, scope: Scope) -> None:
    yesterday = now() - timedelta(days=1)
    saved = await save(ports, scope, "Grace Hopper is on leave.", valid_from=yesterday)
    await save(ports, scope, "Tea is hot.", valid_until=now() + timedelta(days=1))
    await expire(ports, scope, "memories", "valid_until", saved.memory.id)
    await forget_expired(ports, scope, scope.tenant_id)
    memory = await get_memory(ports, scope, saved.memory.id)
    assert (memory.state, memory.is_current) == ("superseded", False)
    assert ("expire", {}) in await events(ports, scope, memory.id)
    assert await match_by_word(ports, scope, "leave") == []
    assert await entities(ports, scope) == {}
    assert await contents(ports, scope) == ["Tea is hot."]
    assert await contents(ports, scope, as_of=yesterday) == [memory.content]


async def test_the_schedule_queues_one_job_for_each_tenant_that_needs_it(
    server: Server, ports: Ports
) -> None:
    """In a store with few tenants, because every tenant is checked."""
    async with new_store(server, ports) as small:
        await check_queued_jobs(small)


async def check_queued_jobs(ports: Ports) -> None:
    scope, idle = await new_scope(ports), await new_scope(ports)
    await save(ports, idle, "Tea is hot.")
    saved = await save(ports, scope, "Tea is hot.")
    await expire(ports, scope, "memories", "valid_until", saved.memory.id)
    counts = await asyncio.gather(*(schedule_forgetting(ports) for _ in range(3)))
    assert sum(counts) >= 1
    async with ports.db.transaction(scope) as tx:
        jobs = await tx.system.fetch("SELECT subject_id FROM jobs WHERE name = $1", JOB)
    assert [row["subject_id"] for row in jobs] == [scope.tenant_id]
    assert await count(ports, idle, "jobs") == 0


# Forgotten by meaning


async def test_matches_are_listed_first_and_forgotten_without_dry_run(
    ports: Ports, scope: Scope
) -> None:
    cat = await save(ports, scope, "The kitten naps on the couch.")
    await save(ports, scope, "Payroll closes on Friday.")
    listed = await forget_by_meaning(ports, scope, "a cat sleeping on the sofa", None, 0.4)
    assert [memory.id for memory, _ in listed.memories] == [cat.memory.id]
    assert (listed.forgotten, listed.more) == (0, False)
    assert len(await contents(ports, scope)) == 2
    result = await forget_by_meaning(
        ports, scope, "a cat sleeping on the sofa", None, 0.4, dry_run=False
    )
    assert result.forgotten == 1
    assert await contents(ports, scope) == ["Payroll closes on Friday."]
    await restore_memory(ports, scope, cat.memory.id)
    assert len(await contents(ports, scope)) == 2


async def test_nothing_is_forgotten_in_other_projects_or_tenants(
    ports: Ports, scope: Scope
) -> None:
    other = await new_scope(ports)
    await save(ports, other, "The kitten naps on the couch.")
    await save(ports, scope, "The kitten naps on the couch.")
    await save(ports, scope, "Tea is hot.", project="else", create_project=True)
    result = await forget_by_meaning(
        ports, scope, "kitten on the couch", "else", 0.4, dry_run=False
    )
    assert result.memories == []
    result = await forget_by_meaning(ports, scope, "kitten on the couch", None, 0.4, dry_run=False)
    assert result.forgotten == 1
    assert await contents(ports, other) == ["The kitten naps on the couch."]


@pytest.mark.parametrize(("query", "threshold", "field"), [("  ", 0.5, "query"), ("x", 0.1, "thr")])
async def test_an_empty_query_or_low_threshold_is_refused(
    ports: Ports, scope: Scope, query: str, threshold: float, field: str
) -> None:
    with pytest.raises(Invalid, match=field):
        await forget_by_meaning(ports, scope, query, None, threshold)
