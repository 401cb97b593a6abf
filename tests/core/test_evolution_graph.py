"""The graph job links memories that were saved without links."""

import pytest

from remem.core.evolution.upkeep.link import link_all
from remem.core.graph.link import links_of
from remem.core.index.kinds import MEMORY
from remem.core.memories import memory_store
from remem.core.memories.index_memory import embed, embedding_text, index_memory
from remem.core.memories.model import Memory
from remem.core.ports import Ports
from remem.core.projects.resolve import resolve
from remem.core.scope import Scope
from remem.core.time import new_id

pytestmark = pytest.mark.anyio

FOREVER = float("inf")
TEXTS = [
    "Maya lives in Tromsø.",
    "Maya lived in Oslo until 2019.",
    "Maya lives in Tromsø near the harbour.",
    "Maya lives in Bergen.",
]


async def insert_unlinked(ports: Ports, scope: Scope, text: str) -> Memory:
    """Insert a memory without comparing it with others, as an import does."""
    id = new_id()
    async with ports.db.transaction(scope) as tx:
        project_id = (await resolve(tx, None)).id
        values = {"id": id, "root_id": id, "project_id": project_id, "content": text}
        memory = await memory_store.insert(tx, {**values, "content_hash": id.hex})
        await index_memory(ports, tx, memory, await embed(ports, scope, embedding_text(memory)))
    return memory


async def test_the_graph_job_links_related_memories(ports: Ports, scope: Scope) -> None:
    memories = [await insert_unlinked(ports, scope, text) for text in TEXTS]
    async with ports.db.transaction(scope) as tx:
        await tx.execute("DELETE FROM links WHERE tenant_id = $1")
    first_run = await link_all(ports, scope, None, FOREVER)
    assert first_run.result["connected"] == len(TEXTS)
    async with ports.db.transaction(scope) as tx:
        rows = await tx.system.fetch(
            "SELECT from_id, to_id, relation FROM links WHERE to_kind = 'memory'"
            " AND from_kind = 'memory'"
        )
        names = {row["name"] for row in await tx.system.fetch("SELECT name FROM entities")}
    numbers = {memory.id: number for number, memory in enumerate(memories)}
    links = {
        (frozenset((numbers[row["from_id"]], numbers[row["to_id"]])), row["relation"])
        for row in rows
    }
    assert (frozenset((0, 3)), "contradicts") in links
    assert (frozenset((0, 2)), "supports") in links
    assert "related" in {relation for _, relation in links}
    assert {"Maya", "Tromsø"} <= names
    second_run = await link_all(ports, scope, None, FOREVER)
    assert second_run.result == {"connected": 0, "links": 0}


async def test_the_graph_job_asks_the_reader(ports: Ports, scope: Scope) -> None:
    """The rules alone see no contradiction here."""
    old = await insert_unlinked(ports, scope, "The wifi password of Nordlys is hunter2.")
    new = await insert_unlinked(ports, scope, "The wifi password of Nordlys was changed to tulip.")
    await link_all(ports, scope, None, FOREVER)
    async with ports.db.transaction(scope) as tx:
        [link] = await links_of(tx, MEMORY, [old.id], ["contradicts"])
    assert (link.from_id, link.to_id) == (new.id, old.id)
