"""Link a memory to what it mentions, and to memories that mention the same."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.db import Tx
from remem.core.errors import NotFound
from remem.core.events.record import record
from remem.core.graph.link import companions_of, join, links_of
from remem.core.graph.model import Link, RelationName
from remem.core.index.kinds import MEMORY
from remem.core.judgements import Action, Known, Relation, Saying
from remem.core.memories import store
from remem.core.memories.browse import find_shown
from remem.core.memories.index_memory import link_mentions
from remem.core.memories.model import Memory
from remem.core.ports import Ports
from remem.core.projects.manage import lock_project
from remem.core.scope import Scope

COMPANIONS = 8
# What both are told to be is surer than what only belongs together.
RELATED = 0.5
_LINKS: dict[Action, RelationName] = {
    "noop": "supports",
    "extend": "supports",
    "update": "contradicts",
    "similar": "related",
}


async def connect_memory(ports: Ports, scope: Scope, id: UUID) -> int:
    """How many links to other memories are new. Both statements hold until somebody says
    otherwise: where one would replace the other, that they contradict each other is a link."""
    async with ports.db.transaction(scope) as tx:
        found = await find_shown(tx, scope, [id])
        if not found:
            return 0
        memory = found[0]
        await _mention(ports, tx, scope, memory)
        links = await companions_of(tx, scope, [id])
        linked = await _linked(tx, scope, id)
        near = [link.to_id for link in links if link.to_id not in linked][:COMPANIONS]
        others = [
            one for one in await find_shown(tx, scope, near) if one.project_id == memory.project_id
        ]
    shared = {link.to_id: link.confidence for link in links}
    relations = await _relations(ports, memory, others, shared)
    if relations:
        async with ports.db.transaction(scope) as tx:
            await join(tx, scope, [_link(memory, one) for one in relations])
            data = {"links": len(relations)}
            await record(tx, scope, MEMORY, id, "graph_extract", data)
    return len(relations)


async def _mention(ports: Ports, tx: Tx, scope: Scope, memory: Memory) -> None:
    """What came in another way than by saving may be linked to nothing yet."""
    mentions = await links_of(tx, scope, MEMORY, [memory.id], ["mentions"])
    if mentions:
        return
    try:
        await lock_project(tx, scope, memory.project_id)
    except NotFound:
        return
    now = await store.find(tx, scope, memory.id)
    if now and now.is_shown:
        await link_mentions(ports, tx, scope, now)


async def _linked(tx: Tx, scope: Scope, id: UUID) -> set[UUID]:
    links = await links_of(tx, scope, MEMORY, [id])
    return {end for link in links for end in (link.from_id, link.to_id)}


async def _relations(
    ports: Ports, memory: Memory, others: Sequence[Memory], shared: dict[UUID, float]
) -> list[Relation]:
    if not others:
        return []
    known = [_known(one) for one in others]
    saying = Saying(memory.speaker, memory.dates)
    relations = await ports.judge.relate(memory.content, known, saying)
    return [
        one
        for one in relations
        if one.action != "similar" or max(one.confidence, shared.get(one.target_id, 0)) >= RELATED
    ]


def _known(memory: Memory) -> Known:
    return Known(
        id=memory.id,
        content=memory.content,
        cosine=0.0,
        created_at=memory.created_at,
        category=memory.category,
        holds_from=memory.holds_from,
        stated_at=memory.stated_at,
        speaker=memory.speaker,
        dates=memory.dates,
    )


def _link(memory: Memory, relation: Relation) -> Link:
    return Link(
        MEMORY,
        memory.id,
        MEMORY,
        relation.target_id,
        _LINKS[relation.action],
        min(max(relation.confidence, 0.0), 1.0),
        memory.holds_from,
    )
