"""A document is restored, and with it what it said."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from remem.core.current import is_shown
from remem.core.db import Tx
from remem.core.events.read import events_of
from remem.core.events.record import record
from remem.core.index.kinds import MEMORY
from remem.core.memories import store
from remem.core.memories.documents import store as documents
from remem.core.memories.evidence import EvidencePlace, add_place, places_of, written
from remem.core.memories.index_memory import RELATE_JOB, hide, index_memory, retire
from remem.core.memories.model import DISTIL, Memory
from remem.core.memories.succession import settle_chains
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.text import tags_in, unique_tags
from remem.core.validate import TAGS_LIMIT


async def rest_again(
    ports: Ports,
    tx: Tx,
    scope: Scope,
    row: Mapping[str, Any],
    insert: Callable[[], Awaitable[bool]],
) -> None:
    """One memory as it was (`row`): it is shown again, and what it had replaced is not; one that
    stayed only rests on the document again."""
    id = UUID(row["id"])
    if present := await store.find_any(tx, scope, id):
        # One that went elsewhere meanwhile stays what is said there.
        if str(present.project_id) == row["project_id"]:
            await _add_places(tx, scope, present, row)
        return
    await _retire_replaced(ports, tx, scope, row)
    if not await insert():
        return
    await record(tx, scope, MEMORY, id, "restore", {"reason": "document_restored"})
    memory = await store.find_any(tx, scope, id)
    assert memory is not None
    memory = await _without_erased(tx, scope, memory)
    if memory.is_shown and await _is_unwanted(tx, scope, memory):
        await hide(ports, tx, scope, memory)
    elif memory.is_shown:
        # Something else may have been said meanwhile.
        await index_memory(ports, tx, scope, memory, None, later=RELATE_JOB)


async def settle_restored(
    ports: Ports, tx: Tx, scope: Scope, rows: Sequence[Mapping[str, Any]]
) -> None:
    """Some of those that are back had been replaced by what is gone since."""
    roots = {UUID(row["root_id"]) for row in rows}
    await settle_chains(ports, tx, scope, roots, "document_restored")


async def _is_unwanted(tx: Tx, scope: Scope, memory: Memory) -> bool:
    """A person has forgotten the same meanwhile."""
    return bool(await store.unwanted(tx, scope, memory.project_id, [memory.content_hash]))


async def _without_erased(tx: Tx, scope: Scope, memory: Memory) -> Memory:
    """Other documents that said it may have been erased meanwhile."""
    places = places_of(memory)
    ids = [place.document_id for place in places]
    there = await documents.existing_documents(tx, scope, ids)
    left = [place for place in places if place.document_id in there]
    if not left or len(left) == len(places):
        return memory
    values: dict[str, Any] = {"evidence": written(*left), "document_id": left[0].document_id}
    if not await _has_own_tags(tx, scope, memory):
        theirs = await documents.tags_of_documents(tx, scope, there)
        values["tags"] = tags_in(memory.tags, theirs)
    return await store.change(tx, scope, memory.id, values)


async def _has_own_tags(tx: Tx, scope: Scope, memory: Memory) -> bool:
    events = await events_of(tx, scope, [memory.id])
    return any("tags" in one.data.get("fields", ()) for one in events)


async def _add_places(tx: Tx, scope: Scope, memory: Memory, row: Mapping[str, Any]) -> None:
    if memory.source != DISTIL:
        return
    known = {place.document_id for place in places_of(memory)}
    back = [
        place
        for place in places_of(replace(memory, evidence=row["evidence"]))
        if place.document_id not in known
    ]
    given = {
        "tags": await _tags_with(tx, scope, memory, back, row["tags"]),
        "context": {**row["context"], **memory.context},
    }
    memory = await store.change(tx, scope, memory.id, given)
    for place in back:
        if await documents.document_exists(tx, scope, place.document_id):
            memory = await add_place(tx, scope, memory, place)


async def _tags_with(
    tx: Tx, scope: Scope, memory: Memory, places: Sequence[EvidencePlace], before: Sequence[str]
) -> list[str]:
    """With those of its documents that are back, in the order of before."""
    theirs = await documents.tags_of_documents(tx, scope, [one.document_id for one in places])
    kept = tags_in(before, {*memory.tags, *theirs})
    return unique_tags([*kept, *memory.tags, *sorted(theirs)])[:TAGS_LIMIT]


async def _retire_replaced(ports: Ports, tx: Tx, scope: Scope, row: Mapping[str, Any]) -> None:
    deleted, part = bool(row["deleted_at"]), bool(row.get("part_of"))
    if not row["supersedes_id"] or not is_shown(row["state"], deleted=deleted, part=part):
        return
    before = await store.find(tx, scope, UUID(row["supersedes_id"]))
    if before and before.is_shown:
        await retire(ports, tx, scope, before)
