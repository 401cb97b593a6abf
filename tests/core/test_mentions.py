"""Memories and the things they mention: linked, counted and gone with them."""

import pytest

from remem.core.memories.edit import MemoryEdit, edit_memory
from remem.core.memories.forget import erase_memory, forget_memory
from remem.core.memories.lifecycle import set_lifecycle
from remem.core.memories.versions.restore import restore_memory
from remem.core.ports import Ports
from remem.core.projects.manage import create_project, delete_project
from remem.core.scope import Scope
from tests.conftest import new_scope
from tests.core.memories import count, deferred, save, settled

pytestmark = pytest.mark.anyio

ADA = "Ada Lovelace prefers PostgreSQL."


async def entities(ports: Ports, scope: Scope, project: str | None = None) -> dict[str, int]:
    """Names with how often they are mentioned, which has to be how many links there are."""
    async with ports.db.transaction(scope) as tx:
        rows = await tx.fetch(
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


async def test_what_is_known_already_mentions_nothing_new(ports: Ports, scope: Scope) -> None:
    await save(ports, scope, ADA)
    assert (await save(ports, scope, ADA)).status == "duplicate"
    assert await entities(ports, scope) == {"Ada Lovelace": 1, "PostgreSQL": 1}


async def test_a_new_version_mentions_in_place_of_the_old(ports: Ports, scope: Scope) -> None:
    saved = await save(ports, scope, ADA)
    change = MemoryEdit(frozenset({"content"}), content="Ada Lovelace prefers Redis.")
    await edit_memory(ports, scope, saved.memory.id, change)
    assert await entities(ports, scope) == {"Ada Lovelace": 1, "Redis": 1}
    await restore_memory(ports, scope, saved.memory.id)
    assert await entities(ports, scope) == {"Ada Lovelace": 1, "PostgreSQL": 1}


async def test_what_is_replaced_mentions_no_more(ports: Ports, scope: Scope) -> None:
    await save(ports, scope, "The team uses PostgreSQL 17.")
    saved = await save(ports, scope, "The team uses PostgreSQL 18.")
    assert saved.status == "updated"
    assert await entities(ports, scope) == {"PostgreSQL": 1}


async def test_what_is_forgotten_mentions_no_more_until_it_is_back(
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


async def test_what_is_quarantined_mentions_no_more_until_it_is_active(
    ports: Ports, scope: Scope
) -> None:
    saved = await save(ports, scope, ADA)
    await set_lifecycle(ports, scope, saved.memory.id, "quarantined", None)
    assert await entities(ports, scope) == {}
    await set_lifecycle(ports, scope, saved.memory.id, "active", None)
    assert await entities(ports, scope) == {"Ada Lovelace": 1, "PostgreSQL": 1}


async def test_tags_that_change_are_mentioned_anew(ports: Ports, scope: Scope) -> None:
    saved = await save(ports, scope, "Tea is hot.", tags=["drinks"])
    await edit_memory(
        ports, scope, saved.memory.id, MemoryEdit(frozenset({"tags"}), tags=["kitchen"])
    )
    assert await entities(ports, scope) == {"kitchen": 1}


async def test_entities_are_a_projects_own(ports: Ports, scope: Scope) -> None:
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


async def test_what_is_deferred_mentions_at_once(ports: Ports, scope: Scope) -> None:
    await deferred(ports, scope, ADA)
    assert await entities(ports, scope) == {"Ada Lovelace": 1, "PostgreSQL": 1}


async def test_a_deferred_copy_is_counted_off(ports: Ports, scope: Scope) -> None:
    await save(ports, scope, "Grace Hopper works in Oslo.")
    later = await save(ports, scope, "Grace Hopper works in Oslo!", defer=True)
    await settled(ports, scope, later.memory.id)
    assert await entities(ports, scope) == {"Grace Hopper": 1, "Oslo": 1}


async def test_nobody_elses_names_are_merged_with(ports: Ports, scope: Scope) -> None:
    other = await new_scope(ports)
    await save(ports, other, "Ada Lovelace lives in Porto.")
    await save(ports, scope, "Ada lives in Oslo.")
    assert await entities(ports, scope) == {"Ada": 1, "Oslo": 1}
