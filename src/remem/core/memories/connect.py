"""Link memories to what they mention, and to memories that mention the same."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.errors import NotFound
from remem.core.events.record import record
from remem.core.graph.entities import MemoryMentions, link_entities_of_all
from remem.core.graph.link import add_links, companions_of_each, neighbours_of_each
from remem.core.graph.model import Link, RelationName
from remem.core.index.kinds import MEMORY
from remem.core.judgements import Action, KnownMemory, Relation
from remem.core.memories.browse import find_shown, read_many
from remem.core.memories.index_memory import own_tags, queue_mentions, speaker_of
from remem.core.memories.model import Memory
from remem.core.memories.rules.headings import is_under_different_heading
from remem.core.model_ports import RelateCall
from remem.core.ports import Ports
from remem.core.projects.manage import lock_project
from remem.core.scope import Scope
from remem.core.time import now
from remem.core.transaction import Tx

COMPANIONS = 8
# The lowest confidence of a link between memories that are only similar.
MIN_SIMILARITY = 0.5
_RELATION_NAMES: dict[Action, RelationName] = {
    "noop": "supports",
    "extend": "supports",
    "update": "contradicts",
    "similar": "related",
}
# Of memories that mention the same: near enough to ask whether one changes the other.
NEAR_COSINE = 0.25


async def connect_memories(ports: Ports, scope: Scope, ids: Sequence[UUID]) -> int:
    """Link memories to those that mention the same; returns the number of new links.

    Nothing is replaced: a memory that would update another one gets a `contradicts` link, and both
    stay valid."""
    async with ports.db.transaction(scope) as tx:
        memories = await find_shown(tx, ids)
    await _link_missing_mentions(ports, scope, memories)
    async with ports.db.transaction(scope) as tx:
        companions = await _find_companions(tx, memories)
        others = await read_many(tx, list({id for ids in companions.values() for id in ids}))
    links = await _relate(ports, memories, companions, others)
    if links:
        async with ports.db.transaction(scope) as tx:
            await _store_links(tx, links)
    return len(links)


async def _link_missing_mentions(ports: Ports, scope: Scope, memories: Sequence[Memory]) -> None:
    """Link mentions of memories that have none yet, such as imported ones."""
    async with ports.db.transaction(scope) as tx:
        linked = await neighbours_of_each(
            tx, MEMORY, [memory.id for memory in memories], ["mentions"]
        )
    missing = [memory for memory in memories if memory.id not in linked]
    all_mentions = await ports.judge.mentions_each(
        [(memory.content, own_tags(memory)) for memory in missing]
    )
    for project_id in sorted({memory.project_id for memory in missing}):
        by_memory = {
            memory.id: MemoryMentions(
                memory.id, [*speaker_of(memory), *mentions], memory.valid_since
            )
            for memory, mentions in zip(missing, all_mentions, strict=True)
            if memory.project_id == project_id
        }
        await _link_mentions(ports, scope, project_id, by_memory)


async def _link_mentions(
    ports: Ports, scope: Scope, project_id: UUID, by_memory: dict[UUID, MemoryMentions]
) -> None:
    async with ports.db.transaction(scope, turn=project_id) as tx:
        try:
            await lock_project(tx, project_id)
        except NotFound:
            return
        shown = [
            memory for memory in await find_shown(tx, list(by_memory)) if memory.id in by_memory
        ]
        in_project = [memory for memory in shown if memory.project_id == project_id]
        await link_entities_of_all(tx, project_id, [by_memory[memory.id] for memory in in_project])
        await queue_mentions(ports, tx, in_project)


async def _find_companions(tx: Tx, memories: Sequence[Memory]) -> dict[UUID, dict[UUID, float]]:
    """For each memory, those that mention the same and are not linked to it, with the confidence
    of that."""
    ids = [memory.id for memory in memories]
    companions = await companions_of_each(tx, ids, 2 * COMPANIONS)
    linked = await neighbours_of_each(tx, MEMORY, ids)
    unlinked: dict[UUID, dict[UUID, float]] = {}
    for id, links in companions.items():
        known = linked.get(id, set())
        new = [link for link in links if link.to_id not in known][:COMPANIONS]
        unlinked[id] = {link.to_id: link.confidence for link in new}
    return unlinked


async def _relate(
    ports: Ports,
    memories: Sequence[Memory],
    companions: dict[UUID, dict[UUID, float]],
    others: dict[UUID, Memory],
) -> list[Link]:
    """The links between the memories and their companions, from the later stated of two."""
    moment = now()
    calls: dict[UUID, tuple[Memory, list[KnownMemory]]] = {}
    shared: dict[frozenset[UUID], float] = {}
    for memory in memories:
        for id, confidence in companions.get(memory.id, {}).items():
            other, pair = others.get(id), frozenset((memory.id, id))
            is_usable = other and _may_be_related(memory, other) and other.is_valid_at(moment)
            if not other or not is_usable or pair in shared:
                continue
            shared[pair] = confidence
            older, newer = sorted((memory, other), key=lambda item: (item.stated_at, item.id))
            calls.setdefault(newer.id, (newer, []))[1].append(_as_known_memory(older))
    asked: list[RelateCall] = [
        (newer.content, known, newer.statement_context) for newer, known in calls.values()
    ]
    all_relations = await ports.judge.relate_each(asked)
    return [
        _link(newer, relation)
        for (newer, _), relations in zip(calls.values(), all_relations, strict=True)
        for relation in relations
        if _is_sure(relation, shared[frozenset((newer.id, relation.target_id))])
    ]


def _may_be_related(memory: Memory, other: Memory) -> bool:
    same_project = other.project_id == memory.project_id
    first, second = (memory.content, memory.heading), (other.content, other.heading)
    return same_project and not is_under_different_heading(*first, *second)


def _is_sure(relation: Relation, shared: float) -> bool:
    return relation.action != "similar" or max(relation.confidence, shared) >= MIN_SIMILARITY


async def _store_links(tx: Tx, links: Sequence[Link]) -> None:
    await add_links(tx, links)
    counts: dict[UUID, int] = {}
    for link in links:
        counts[link.from_id] = counts.get(link.from_id, 0) + 1
    for id, count in counts.items():
        await record(tx, MEMORY, id, "graph_extract", {"links": count})


def _as_known_memory(memory: Memory) -> KnownMemory:
    return KnownMemory(
        id=memory.id,
        content=memory.content,
        cosine=NEAR_COSINE,
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
        _RELATION_NAMES[relation.action],
        min(max(relation.confidence, 0.0), 1.0),
        memory.valid_since,
    )
