"""Link memories to what they mention, and to memories that mention the same."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.db import Tx
from remem.core.errors import NotFound
from remem.core.events.record import record
from remem.core.graph.entities import Mentioning, mention_all
from remem.core.graph.link import companions_of_each, join, links_of_each
from remem.core.graph.model import Link, RelationName
from remem.core.index.kinds import MEMORY
from remem.core.judgements import Action, Known, Relation
from remem.core.memories.browse import find_shown, read_many
from remem.core.memories.index_memory import own_tags, queue_mentions, speaker_of
from remem.core.memories.model import Memory
from remem.core.memories.rules.headings import is_of_another_heading
from remem.core.model_ports import RelateCall
from remem.core.ports import Ports
from remem.core.projects.manage import lock_project
from remem.core.scope import Scope
from remem.core.time import now

COMPANIONS = 8
# What both are said to be is surer than what only belongs together.
RELATED = 0.5
_LINKS: dict[Action, RelationName] = {
    "noop": "supports",
    "extend": "supports",
    "update": "contradicts",
    "similar": "related",
}


async def connect_memories(ports: Ports, scope: Scope, ids: Sequence[UUID]) -> int:
    """How many links between memories are new. Both statements stay valid until somebody says
    otherwise: where one would replace the other, that they contradict each other is a link."""
    async with ports.db.transaction(scope) as tx:
        memories = await find_shown(tx, scope, ids)
    await _mention_missing(ports, scope, memories)
    async with ports.db.transaction(scope) as tx:
        near = await _near(tx, scope, memories)
        others = await read_many(tx, scope, list({id for ids in near.values() for id in ids}))
    links = await _related(ports, memories, near, others)
    if links:
        async with ports.db.transaction(scope) as tx:
            await _keep(tx, scope, links)
    return len(links)


async def _mention_missing(ports: Ports, scope: Scope, memories: Sequence[Memory]) -> None:
    """What came in another way than by saving may be linked to nothing yet."""
    async with ports.db.transaction(scope) as tx:
        linked = await links_of_each(tx, scope, MEMORY, [one.id for one in memories], ["mentions"])
    missing = [one for one in memories if one.id not in linked]
    found = await ports.judge.mentions_each([(one.content, own_tags(one)) for one in missing])
    for project_id in sorted({one.project_id for one in missing}):
        said = {
            one.id: Mentioning(one.id, [*speaker_of(one), *mentions], one.valid_since)
            for one, mentions in zip(missing, found, strict=True)
            if one.project_id == project_id
        }
        await _mention(ports, scope, project_id, said)


async def _mention(
    ports: Ports, scope: Scope, project_id: UUID, said: dict[UUID, Mentioning]
) -> None:
    async with ports.db.transaction(scope) as tx:
        try:
            await lock_project(tx, scope, project_id)
        except NotFound:
            return
        still = [one for one in await find_shown(tx, scope, list(said)) if one.id in said]
        here = [one for one in still if one.project_id == project_id]
        await mention_all(tx, scope, project_id, [said[one.id] for one in here])
        await queue_mentions(ports, tx, scope, here)


async def _near(tx: Tx, scope: Scope, memories: Sequence[Memory]) -> dict[UUID, dict[UUID, float]]:
    """Of each, those that mention the same and are not linked to it, with how much they share."""
    ids = [one.id for one in memories]
    companions = await companions_of_each(tx, scope, ids, 2 * COMPANIONS)
    linked = await links_of_each(tx, scope, MEMORY, ids)
    near: dict[UUID, dict[UUID, float]] = {}
    for id, links in companions.items():
        known = linked.get(id, set())
        new = [link for link in links if link.to_id not in known][:COMPANIONS]
        near[id] = {link.to_id: link.confidence for link in new}
    return near


async def _related(
    ports: Ports,
    memories: Sequence[Memory],
    near: dict[UUID, dict[UUID, float]],
    others: dict[UUID, Memory],
) -> list[Link]:
    """Of two that are both looked at, the link is from the one that comes first."""
    moment = now()
    asked: list[tuple[Memory, RelateCall]] = []
    seen: set[frozenset[UUID]] = set()
    for memory in memories:
        pairs = {frozenset((memory.id, id)): others.get(id) for id in near.get(memory.id, {})}
        known = [
            _known(other)
            for pair, other in pairs.items()
            if other and pair not in seen and _fits(memory, other) and other.is_valid_at(moment)
        ]
        seen |= pairs.keys()
        if known:
            asked.append((memory, (memory.content, known, memory.saying)))
    found = await ports.judge.relate_each([call for _, call in asked])
    return [
        _link(memory, relation)
        for (memory, _), relations in zip(asked, found, strict=True)
        for relation in relations
        if _is_sure(relation, near[memory.id])
    ]


def _fits(memory: Memory, other: Memory) -> bool:
    here = other.project_id == memory.project_id
    mine, theirs = (memory.content, memory.heading), (other.content, other.heading)
    return here and not is_of_another_heading(*mine, *theirs)


def _is_sure(relation: Relation, shared: dict[UUID, float]) -> bool:
    if relation.action != "similar":
        return True
    return max(relation.confidence, shared.get(relation.target_id, 0)) >= RELATED


async def _keep(tx: Tx, scope: Scope, links: Sequence[Link]) -> None:
    await join(tx, scope, links)
    counts: dict[UUID, int] = {}
    for link in links:
        counts[link.from_id] = counts.get(link.from_id, 0) + 1
    for id, count in counts.items():
        await record(tx, scope, MEMORY, id, "graph_extract", {"links": count})


def _known(memory: Memory) -> Known:
    return Known(
        id=memory.id,
        content=memory.content,
        cosine=0.0,
        created_at=memory.created_at,
        category=memory.category,
        valid_since=memory.valid_since,
        stated_at=memory.stated_at,
        speaker=memory.speaker,
        dates=memory.dates,
        heading=memory.heading,
    )


def _link(memory: Memory, relation: Relation) -> Link:
    return Link(
        MEMORY,
        memory.id,
        MEMORY,
        relation.target_id,
        _LINKS[relation.action],
        min(max(relation.confidence, 0.0), 1.0),
        memory.valid_since,
    )
