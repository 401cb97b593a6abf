"""What the graph job links, of memories that came in linked to nothing."""

import pytest

from remem.core.evolution.upkeep.link import link_all
from remem.core.memories import store
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


async def put_in(ports: Ports, scope: Scope, text: str) -> Memory:
    """Compared with nothing, as an import does."""
    id = new_id()
    async with ports.db.transaction(scope) as tx:
        project_id = (await resolve(tx, scope, None)).id
        values = {"id": id, "root_id": id, "project_id": project_id, "content": text}
        memory = await store.insert(tx, scope, {**values, "content_hash": id.hex})
        await index_memory(ports, tx, scope, memory, await embed(ports, embedding_text(memory)))
    return memory


async def test_the_graph_job_says_how_memories_belong_together(ports: Ports, scope: Scope) -> None:
    memories = [await put_in(ports, scope, text) for text in TEXTS]
    async with ports.db.transaction(scope) as tx:
        await tx.execute("DELETE FROM links WHERE tenant_id = $1", scope.tenant_id)
    done = await link_all(ports, scope, None, FOREVER)
    assert done.result["connected"] == len(TEXTS)
    async with ports.db.transaction(scope) as tx:
        rows = await tx.fetch(
            "SELECT from_id, to_id, relation FROM links WHERE to_kind = 'memory'"
            " AND from_kind = 'memory'"
        )
        names = {row["name"] for row in await tx.fetch("SELECT name FROM entities")}
    place = {memory.id: number for number, memory in enumerate(memories)}
    linked = {
        (frozenset((place[row["from_id"]], place[row["to_id"]])), row["relation"]) for row in rows
    }
    assert (frozenset((0, 3)), "contradicts") in linked
    assert (frozenset((0, 2)), "supports") in linked
    assert "related" in {relation for _, relation in linked}
    assert {"Maya", "Tromsø"} <= names
    again = await link_all(ports, scope, None, FOREVER)
    assert again.result == {"connected": 0, "links": 0}
