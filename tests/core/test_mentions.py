"""Memories and the entities they mention: linked, counted, and removed with the memory."""

import pytest

from remem.core.memories.edit import MemoryEdit, edit_memory
from remem.core.memories.forget import erase_memory, forget_memory
from remem.core.memories.lifecycle import set_lifecycle
from remem.core.memories.versions.restore import restore_memory
from remem.core.ports import Ports
from remem.core.projects.manage import create_project, delete_project
from remem.core.scope import Scope
from tests.conftest import new_scope
from tests.core.memories import count, get_memory_after_jobs, save, save_deferred

pytestmark = pytest.mark.anyio

ADA = "Ada Lovelace prefers PostgreSQL."


async def entities(ports: Ports, scope: Scope, project: str | None = None) -> dict[str, int]:
    """Names with their mention counts, which must equal the number of links."""
    async with ports.db.transaction(scope) as tx:
        rows = await tx.system.fetch(
            "SELECT e.name, e.mention_count, count(l.id) AS links FROM entities e"
            " JOIN projects p ON p.tenant_id = e.tenant_id AND p.id = e.project_id"
            " LEFT JOIN links l ON l.to_id = e.id AND l.relation = 'mentions'"
            " WHERE $1::text IS NULL OR p.slug = $1 GROUP BY e.id, e.name, e.mention_count",
            project,
        )
    assert all(row["mention_count"] == row["links"] for row in rows)
    return {row["name"]: row["mention_count"] for row in rows}


async def test_a_save_links_what_it_mentions(ports: Ports, scope: Scope) -> None:
    await save(ports, scope, ADA, tags=["databases"])
    await save(ports, scope, "Redis is in the basement of the house, Ada said.")
    assert await entities(ports, scope) == {
        "Ada Lovelace": 2,
        "PostgreSQL": 1,
        "databases": 1,
        "Redis": 1,
    }


async def test_a_duplicate_adds_no_mentions(ports: Ports, scope: Scope) -> None:
    await save(ports, scope, ADA)
    assert (await save(ports, scope, ADA)).status == "duplicate"
    assert await entities(ports, scope) == {"Ada Lovelace": 1, "PostgreSQL": 1}


async def test_a_new_version_replaces_the_mentions_of_the_old_one(
    ports: Ports, scope: Scope
) -> None:
    saved = await save(ports, scope, ADA)
    change = MemoryEdit(frozenset({"content"}), content="Ada Lovelace prefers Redis.")
    await edit_memory(ports, scope, saved.memory.id, change)
    assert await entities(ports, scope) == {"Ada Lovelace": 1, "Redis": 1}
    await restore_memory(ports, scope, saved.memory.id)
    assert await entities(ports, scope) == {"Ada Lovelace": 1, "PostgreSQL": 1}


async def test_a_replaced_memory_has_no_mentions(ports: Ports, scope: Scope) -> None:
    await save(ports, scope, "The team uses PostgreSQL 17.")
    saved = await save(ports, scope, "The team uses PostgreSQL 18.")
    assert saved.status == "updated"
    assert await entities(ports, scope) == {"PostgreSQL": 1}


async def test_a_forgotten_memory_has_no_mentions_until_it_is_restored(
    ports: Ports, scope: Scope
) -> None:
    saved = await save(ports, scope, ADA)
    await forget_memory(ports, scope, saved.memory.id)
    assert await entities(ports, scope) == {}
    await restore_memory(ports, scope, saved.memory.id)
    assert await entities(ports, scope) == {"Ada Lovelace": 1, "PostgreSQL": 1}
    await erase_memory(ports, scope, saved.memory.id)
    assert await entities(ports, scope) == {}
    assert await count(ports, scope, "links") == 0


async def test_a_quarantined_memory_has_no_mentions_until_it_is_active(
    ports: Ports, scope: Scope
) -> None:
    saved = await save(ports, scope, ADA)
    await set_lifecycle(ports, scope, saved.memory.id, "quarantined", None)
    assert await entities(ports, scope) == {}
    await set_lifecycle(ports, scope, saved.memory.id, "active", None)
    assert await entities(ports, scope) == {"Ada Lovelace": 1, "PostgreSQL": 1}


async def test_changed_tags_replace_the_mentions(ports: Ports, scope: Scope) -> None:
    saved = await save(ports, scope, "Tea is hot.", tags=["drinks"])
    await edit_memory(
        ports, scope, saved.memory.id, MemoryEdit(frozenset({"tags"}), tags=["kitchen"])
    )
    assert await entities(ports, scope) == {"kitchen": 1}


async def test_entities_belong_to_one_project(ports: Ports, scope: Scope) -> None:
    await create_project(ports, scope, "Other")
    saved = await save(ports, scope, ADA)
    await save(ports, scope, "Redis is fast.", project="other")
    await edit_memory(
        ports, scope, saved.memory.id, MemoryEdit(frozenset({"project"}), project="other")
    )
    assert await entities(ports, scope, "default") == {}
    assert await entities(ports, scope, "other") == {"Ada Lovelace": 1, "PostgreSQL": 1, "Redis": 1}
    await delete_project(ports, scope, "other")
    assert await entities(ports, scope) == {}
    assert await count(ports, scope, "links") == 0


async def test_a_deferred_memory_has_its_mentions_at_once(ports: Ports, scope: Scope) -> None:
    await save_deferred(ports, scope, ADA)
    assert await entities(ports, scope) == {"Ada Lovelace": 1, "PostgreSQL": 1}


async def test_the_mentions_of_a_deferred_duplicate_are_removed(ports: Ports, scope: Scope) -> None:
    await save(ports, scope, "Grace Hopper works in Oslo.")
    later = await save(ports, scope, "Grace Hopper works in Oslo!", defer=True)
    await get_memory_after_jobs(ports, scope, later.memory.id)
    assert await entities(ports, scope) == {"Grace Hopper": 1, "Oslo": 1}


async def test_names_of_other_tenants_are_not_merged(ports: Ports, scope: Scope) -> None:
    other = await new_scope(ports)
    await save(ports, other, "Ada Lovelace lives in Porto.")
    await save(ports, scope, "Ada lives in Oslo.")
    assert await entities(ports, scope) == {"Ada": 1, "Oslo": 1}
