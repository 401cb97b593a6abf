"""The evidence of an inferred memory: the positions in documents that state it."""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from remem.core.current import is_shown
from remem.core.db import Tx
from remem.core.events.record import record
from remem.core.graph.link import join, links_of, part
from remem.core.graph.model import Link
from remem.core.index.kinds import MEMORY
from remem.core.memories import store
from remem.core.memories.index_memory import index_memory, retire, unindex_memory
from remem.core.memories.model import BEFORE, DISTIL, HEADING, Memory
from remem.core.memories.parts import store as parts
from remem.core.memories.versions import store as version_store
from remem.core.ports import Ports
from remem.core.projects.manage import lock_projects
from remem.core.scope import Scope
from remem.core.validate import TAGS_LIMIT

PLACES_LIMIT = 20
_AROUND = frozenset((BEFORE, HEADING))


@dataclass(frozen=True, slots=True)
class EvidencePlace:
    """`content[start:end]` of the document is the sentence that says it."""

    document_id: UUID
    start: int
    end: int


def written(place: EvidencePlace, *others: EvidencePlace) -> dict[str, Any]:
    """Evidence as a memory keeps it: the first place, and `also` the others."""
    first = {"document_id": str(place.document_id), "start": place.start, "end": place.end}
    return {**first, "also": [written(one) for one in others]} if others else first


def places_of(memory: Memory) -> list[EvidencePlace]:
    places = [memory.evidence, *memory.evidence.get("also", [])]
    return [
        EvidencePlace(UUID(one["document_id"]), one["start"], one["end"])
        for one in places
        if one.get("document_id")
    ]


async def add_place(tx: Tx, scope: Scope, memory: Memory, place: EvidencePlace) -> None:
    """Say that a document says it too; the link leads from the document to what rests on it."""
    await join(tx, scope, [Link(MEMORY, memory.id, "document", place.document_id, "derives")])
    places = places_of(memory)
    known = any(one.document_id == place.document_id for one in places)
    if memory.source == DISTIL and not known and len(places) < PLACES_LIMIT:
        values = {"evidence": written(*places, place)}
        await store.change(tx, scope, memory.id, values)


async def lock_evidence(
    tx: Tx, scope: Scope, project_ids: Sequence[UUID], document_ids: Sequence[UUID]
) -> None:
    """Lock the projects of documents, and those of the memories that rest on them: a memory that
    other documents say too may be in another."""
    others = await store.projects_resting_on(tx, scope, document_ids)
    await lock_projects(tx, scope, project_ids, others)


async def lock_evidence_again(
    tx: Tx, scope: Scope, project_id: UUID, rows: Sequence[Mapping[str, Any]]
) -> None:
    """The same before memories rest again on a document of the project, as `rows` say."""
    ids = [UUID(id) for row in rows for id in (row["id"], row["supersedes_id"]) if id]
    others = await store.projects_of(tx, scope, ids)
    before = {UUID(row["project_id"]) for row in rows if "project_id" in row}
    await lock_projects(tx, scope, [project_id], others | before)


async def forget_evidence(ports: Ports, tx: Tx, scope: Scope, project_id: UUID, id: UUID) -> None:
    """A document is erased: so is what it alone says, and what it replaced is valid again."""
    if await resting_on(tx, scope, id):
        await lock_evidence(tx, scope, [project_id], [id])
    # Read under the lock: a job may have replaced some of them while this waited.
    for memory in await resting_on(tx, scope, id):
        left = [place for place in places_of(memory) if place.document_id != id]
        if left:
            values = await _without(tx, scope, memory, id, left)
            await store.change(tx, scope, memory.id, values)
            await parts.set_tags(tx, scope, memory.id, values["tags"])
        else:
            await _erase(ports, tx, scope, memory)
    await part(tx, scope, "document", id)


async def _without(
    tx: Tx, scope: Scope, memory: Memory, id: UUID, left: Sequence[EvidencePlace]
) -> dict[str, Any]:
    """What a memory keeps of itself when one of its documents is erased."""
    gone = await store.tags_of_documents(tx, scope, [id])
    gone -= await store.tags_of_documents(tx, scope, [one.document_id for one in left])
    # Nobody knows any more which of the documents these are from.
    context = {name: said for name, said in memory.context.items() if name not in _AROUND}
    return {
        "evidence": written(*left),
        "document_id": left[0].document_id,
        "tags": [tag for tag in memory.tags if tag not in gone],
        "context": context,
    }


async def tags_to_give(tx: Tx, scope: Scope, memory: Memory, to: Memory | None = None) -> list[str]:
    """The tags that another memory may have from this one: those of its documents only where that
    one goes with the documents too."""
    if memory.source != DISTIL or (to and to.source == DISTIL):
        return memory.tags
    documents = [place.document_id for place in places_of(memory)]
    theirs = await store.tags_of_documents(tx, scope, documents)
    return [tag for tag in memory.tags if tag not in theirs]


async def rest_again(
    ports: Ports,
    tx: Tx,
    scope: Scope,
    row: Mapping[str, Any],
    insert: Callable[[], Awaitable[bool]],
) -> None:
    """A document is restored, and with it one memory as it was (`row`): it is shown again, and what
    it had replaced is not; one that stayed only rests on the document again."""
    id = UUID(row["id"])
    if present := await store.find_any(tx, scope, id):
        await _add_places(tx, scope, present, row)
        return
    await _retire_replaced(ports, tx, scope, row)
    if not await insert():
        return
    memory = await store.find(tx, scope, id)
    await record(tx, scope, MEMORY, id, "restore", {"reason": "document_restored"})
    if memory and memory.is_shown:
        await index_memory(ports, tx, scope, memory, None)


async def _add_places(tx: Tx, scope: Scope, memory: Memory, row: Mapping[str, Any]) -> None:
    if memory.source != DISTIL:
        return
    given = {
        "tags": list(dict.fromkeys([*row["tags"], *memory.tags]))[:TAGS_LIMIT],
        "context": {**row["context"], **memory.context},
    }
    await store.change(tx, scope, memory.id, given)
    for place in places_of(replace(memory, evidence=row["evidence"])):
        if await store.document_exists(tx, scope, place.document_id):
            memory = await store.find_any(tx, scope, memory.id) or memory
            await add_place(tx, scope, memory, place)


async def _retire_replaced(ports: Ports, tx: Tx, scope: Scope, row: Mapping[str, Any]) -> None:
    deleted, part = bool(row["deleted_at"]), bool(row.get("part_of"))
    if not row["supersedes_id"] or not is_shown(row["state"], deleted=deleted, part=part):
        return
    before = await store.find(tx, scope, UUID(row["supersedes_id"]))
    if before and before.is_shown:
        await retire(ports, tx, scope, before)


async def retire_evidence(
    ports: Ports, tx: Tx, scope: Scope, project_id: UUID, replaced: Collection[UUID]
) -> None:
    """Versions of a document are replaced: what they alone said is over, unless a person says it
    is so."""
    for id in replaced:
        memories = [one for one in await resting_on(tx, scope, id) if one.is_shown]
        if memories:
            await lock_evidence(tx, scope, [project_id], [id])
        for memory in memories:
            alone = all(place.document_id in replaced for place in places_of(memory))
            if alone and memory.context.get("review") != "accepted":
                await retire(ports, tx, scope, memory, ends=True)
                details = {"state": ["active", "superseded"], "reason": "document_changed"}
                await record(tx, scope, MEMORY, memory.id, "lifecycle", details)


async def resting_on(tx: Tx, scope: Scope, id: UUID) -> list[Memory]:
    """The memories that a document states, including deleted ones."""
    links = await links_of(tx, scope, "document", [id], ["derives"])
    linked = [link.from_id for link in links if link.from_kind == MEMORY]
    return await store.of_document(tx, scope, id, linked, DISTIL)


async def _erase(ports: Ports, tx: Tx, scope: Scope, memory: Memory) -> None:
    await unindex_memory(ports, tx, scope, memory)
    await version_store.erase_one(tx, scope, memory.id)
    await record(tx, scope, MEMORY, memory.id, "erase")
    if memory.is_shown and memory.supersedes_id:
        await _make_current_again(ports, tx, scope, memory.supersedes_id)


async def _make_current_again(ports: Ports, tx: Tx, scope: Scope, id: UUID) -> None:
    before = await store.find(tx, scope, id)
    if before is None or before.state != "superseded":
        return
    if await store.find_same(tx, scope, before.project_id, before.content_hash):
        return
    awake = await store.change(tx, scope, id, {"state": "active", "is_current": True})
    await index_memory(ports, tx, scope, awake, None)
    await record(tx, scope, MEMORY, id, "restore", {"reason": "document_erased"})
