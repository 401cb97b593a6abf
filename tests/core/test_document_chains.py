"""The versions of a document: one chain with one latest, in whatever order they are processed."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from remem.core.documents.ingest import ingest
from remem.core.documents.model import Document, Draft
from remem.core.documents.process import process_document
from remem.core.ports import Original, Ports
from remem.core.scope import Scope
from remem.core.time import new_id
from remem.migrations.apply import migrations
from tests.conftest import Server
from tests.core.scratch import connected, scratch_database

pytestmark = pytest.mark.anyio
URL = "https://example.org/page"


class _IdleQueue:
    async def enqueue(self, *_: Any, **__: Any) -> None:
        return


@pytest.fixture
def idle_ports(ports: Ports) -> Ports:
    return replace(ports, queue=_IdleQueue())  # type: ignore[arg-type]


async def save_document(ports: Ports, scope: Scope, content: str, **fields: Any) -> Document:
    draft = Draft(content=content, content_type="text", **fields)
    return (await ingest(ports, scope, draft)).document


async def latest(ports: Ports, scope: Scope) -> list[tuple[str, int]]:
    async with ports.db.transaction(scope) as tx:
        rows = await tx.system.fetch("SELECT content, version FROM documents WHERE is_latest")
    return [(row["content"], row["version"]) for row in rows]


async def test_a_url_that_was_updated_by_id_stays_one_document(
    idle_ports: Ports, scope: Scope
) -> None:
    first = await save_document(idle_ports, scope, "The first text.", source_url=URL, tags=["news"])
    second = await save_document(idle_ports, scope, "The second text.", updates_id=first.id)
    assert (second.source_url, second.tags[0]) == (URL, "news")
    await save_document(idle_ports, scope, "The third text.", source_url=URL)
    assert await latest(idle_ports, scope) == [("The third text.", 3)]


async def test_a_url_leads_to_a_chain_whose_latest_has_another_url(
    idle_ports: Ports, scope: Scope
) -> None:
    first = await save_document(idle_ports, scope, "The first text.", source_url=URL)
    await save_document(
        idle_ports, scope, "The second.", updates_id=first.id, source_url=URL + "/moved"
    )
    await save_document(idle_ports, scope, "The third text.", source_url=URL)
    assert await latest(idle_ports, scope) == [("The third text.", 3)]


async def test_concurrent_updates_make_one_chain(idle_ports: Ports, scope: Scope) -> None:
    first = await save_document(idle_ports, scope, "The first text.", source_url=URL)
    await asyncio.gather(
        *(save_document(idle_ports, scope, f"Text {n}.", updates_id=first.id) for n in range(3)),
        *(save_document(idle_ports, scope, f"Page {n}.", source_url=URL) for n in range(3)),
    )
    assert [version for _, version in await latest(idle_ports, scope)] == [7]


async def test_a_version_keeps_the_fields_that_are_not_given_again(
    idle_ports: Ports, scope: Scope
) -> None:
    fields = {"metadata": {"owner": "Ada"}, "tags": ["Plan"], "title": "Launch plan"}
    first = await save_document(idle_ports, scope, "We start in May.", **fields)
    second = await save_document(idle_ports, scope, "We start in June.", updates_id=first.id)
    assert second.metadata["owner"] == "Ada"
    assert (second.title, second.tags[0]) == ("Launch plan", "Plan")
    third = await save_document(
        idle_ports, scope, "We start in July.", updates_id=first.id, tags=["late"]
    )
    assert third.tags == ["late"]


async def test_the_version_saved_last_is_the_latest_though_it_was_processed_first(
    idle_ports: Ports, scope: Scope, tmp_path: Path
) -> None:
    first = await save_document(idle_ports, scope, "The first text.")
    files = [
        await _upload(idle_ports, scope, tmp_path, name, first.id) for name in ("second", "third")
    ]
    for id in reversed(files):
        await process_document(idle_ports, scope, id)
    assert [text for text, _ in await latest(idle_ports, scope)] == ["The third text."]
    async with idle_ports.db.transaction(scope) as tx:
        rows = await tx.system.fetch(
            "SELECT content, version, previous_id, id FROM documents ORDER BY 2"
        )
    assert [(row["content"], row["version"]) for row in rows] == [
        ("The first text.", 1),
        ("The second text.", 2),
        ("The third text.", 3),
    ]


async def _upload(ports: Ports, scope: Scope, folder: Path, name: str, updates: UUID) -> UUID:
    path = folder / f"{name}.txt"
    path.write_text(f"The {name} text.")
    draft = Draft(original=Original(path, name=path.name), updates_id=updates, in_background=True)
    return (await ingest(ports, scope, draft)).document.id


async def test_the_schema_allows_one_latest_version_a_chain(server: Server) -> None:
    """Also in a store that had two before the migration."""
    older = [migration for migration in migrations() if migration.version < 18]
    (newer,) = [migration for migration in migrations() if migration.version == 18]
    async with scratch_database(server) as name, connected(server, name) as connection:
        for migration in older:
            await connection.execute(migration.sql)
        tenant, project, root = new_id(), new_id(), new_id()
        await _bind(connection, str(tenant))
        await _two_latest(connection, tenant, project, root)
        await _bind(connection, "")
        await connection.execute(newer.sql)
        await _bind(connection, str(tenant))
        rows = await connection.fetch("SELECT version FROM documents WHERE is_latest")
        assert [row["version"] for row in rows] == [2]
        with pytest.raises(asyncpg.UniqueViolationError):
            await connection.execute("UPDATE documents SET is_latest = true")


async def _bind(connection: Any, tenant: str) -> None:
    await connection.execute("SELECT set_config('remem.tenant_id', $1, false)", tenant)


async def _two_latest(connection: Any, tenant: UUID, project: UUID, root: UUID) -> None:
    await connection.execute(
        "INSERT INTO tenants (id, kind, name, slug) VALUES ($1, 'user', 'Ada', $2)",
        tenant,
        str(tenant),
    )
    await connection.execute(
        "INSERT INTO projects (tenant_id, id, slug, name) VALUES ($1, $2, 'default', 'Default')",
        tenant,
        project,
    )
    for version in (1, 2):
        await connection.execute(
            "INSERT INTO documents (tenant_id, id, project_id, user_id, title, content,"
            " content_type, content_hash, root_id, version)"
            " VALUES ($1, $2, $3, $2, 'A', 'A', 'text', $4, $5, $6)",
            tenant,
            new_id(),
            project,
            str(version),
            root,
            version,
        )
