"""Add a version to a chain: after the last one, or between two older ones."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from remem.core.analysis import analyse
from remem.core.errors import Conflict
from remem.core.graph.link import add_links
from remem.core.graph.model import Link
from remem.core.identity.plans import require_room
from remem.core.index.kinds import MEMORY
from remem.core.judgements import StatementContext
from remem.core.memories import memory_store
from remem.core.memories.carried_values import carried_values, fields_given_for
from remem.core.memories.derive import split_when_saved
from remem.core.memories.evidence import add_place, places_of
from remem.core.memories.fingerprint import fingerprint
from remem.core.memories.index_memory import RELATE_JOB, index_memory, retire
from remem.core.memories.model import Memory, heading_in
from remem.core.memories.rules.dates import dates_in, due_in
from remem.core.memories.rules.derive import due_facts_in
from remem.core.memories.versions import memory_version_store
from remem.core.ports import ModelVector, Ports
from remem.core.time import new_id
from remem.core.transaction import Tx

# The columns that a new version copies from its model, unless it has other values.
_COPIED = (
    "project_id", "document_id", "session_id", "title", "content", "content_hash", "category",
    "tags", "context", "confidence", "quality", "valid_from", "valid_until", "due_at",
    "occurred_at", "speaker", "said_at", "dates", "source", "evidence",
)  # fmt: skip


async def succeed(
    ports: Ports, tx: Tx, model: Memory, values: dict[str, Any], vector: ModelVector | None
) -> Memory:
    """Insert a copy of `model` with other `values` as the current version of its chain."""
    last = await newest(tx, model.root_id)
    if last.is_current:
        await retire(ports, tx, last)
    else:
        await require_room(tx)
    columns = {name: getattr(model, name) for name in _COPIED} | values
    if columns["content"] != model.content and "dates" not in values:
        columns |= await _read_times(ports, model, columns["content"], due="due_at" not in values)
    columns["content_hash"] = _fingerprint_of(columns)
    # A chain keeps its accesses, whichever version is current.
    columns["access_count"] = last.access_count
    columns["last_accessed_at"] = last.last_accessed_at
    columns["stated_at"] = max(await memory_version_store.transaction_time(tx), last.stated_at)
    await refuse_same(tx, columns["project_id"], columns["content_hash"])
    columns |= {
        "id": new_id(),
        "root_id": last.root_id,
        "supersedes_id": last.id,
        "version": last.version + 1,
        "state": last.state if last.is_current else "active",
    }
    memory = await memory_store.insert(tx, columns)
    if memory.is_shown and "due_at" not in values:
        await _split(ports, tx, memory, model)
    await add_links(tx, [_updates_link(memory, last)])
    for place in places_of(memory):
        await add_place(tx, memory, place)
    if memory.is_shown and _is_unrelated(last):
        await index_memory(ports, tx, memory, None, later=RELATE_JOB)
    elif memory.is_shown:
        await index_memory(ports, tx, memory, vector)
    return memory


async def _split(ports: Ports, tx: Tx, memory: Memory, model: Memory) -> None:
    since = memory.said_at or model.created_at
    facts = await analyse(ports, (), due_facts_in, memory.content, since, memory.due_at)
    is_read = memory.due_at is None or memory.due_at in {fact.due_at for fact in facts}
    if is_read:
        await split_when_saved(tx, memory, facts)


async def _read_times(ports: Ports, model: Memory, content: str, *, due: bool) -> dict[str, Any]:
    since = model.said_at or model.created_at
    dates = await analyse(ports, (), dates_in, content, since)
    times: dict[str, Any] = {"dates": [date.as_json() for date in dates]}
    if dates and due:
        # The due date follows the new text.
        times["due_at"] = await analyse(ports, None, due_in, content, since)
    return times


def _is_unrelated(memory: Memory) -> bool:
    """Whether the job that relates the memory has not run yet. It would find the memory replaced,
    so the new version is related instead."""
    return memory.is_shown and memory.embedded_with is None


@dataclass(frozen=True, slots=True)
class Slot:
    """A free place in a chain: the columns of the version to insert, and the next version."""

    values: dict[str, Any]
    next: Memory


async def make_slot(tx: Tx, root_id: UUID, stated_at: datetime) -> Slot:
    """Make room in a chain for a statement that was stated before its last version."""
    chain = await memory_version_store.chain(tx, root_id)
    position = next(
        (at for at, version in enumerate(chain) if version.stated_at > stated_at), len(chain) - 1
    )
    after, before = chain[position], chain[position - 1] if position else None
    await memory_version_store.shift_versions(tx, root_id, after.version)
    values = {
        "root_id": root_id,
        "version": after.version,
        "supersedes_id": before.id if before else None,
    }
    return Slot(values, after)


async def fill_slot(tx: Tx, slot: Slot, memory: Memory) -> None:
    """Let the next version supersede the inserted one, and carry values over from it to all later
    versions that did not set their own."""
    await memory_version_store.set_supersedes(tx, slot.next.id, memory.id)
    previous = memory
    for version in await memory_version_store.chain(tx, memory.root_id):
        if version.version > memory.version:
            given = await fields_given_for(tx, version)
            values = await carried_values(tx, previous, version.content, given)
            changed = {
                name: value for name, value in values.items() if getattr(version, name) != value
            }
            previous = await memory_store.change(tx, version.id, changed) if changed else version


async def newest(tx: Tx, root_id: UUID) -> Memory:
    """The last version of a chain: the current one, unless the chain has ended."""
    return (await memory_version_store.chain(tx, root_id, limit=1))[0]


def _updates_link(memory: Memory, old: Memory) -> Link:
    return Link(MEMORY, memory.id, MEMORY, old.id, "updates", valid_from=memory.valid_since)


def _fingerprint_of(columns: dict[str, Any]) -> str:
    heading = heading_in(columns["title"], columns["context"])
    times = {"occurred_at": columns["occurred_at"], "due_at": columns["due_at"]}
    return fingerprint(
        columns["content"], StatementContext(columns["speaker"], columns["dates"], heading, **times)
    )


async def refuse_same(tx: Tx, project_id: UUID, hash: str) -> None:
    same = await memory_store.find_same(tx, project_id, hash)
    if same:
        raise Conflict(
            f"The memory {same.id} says the same already; use it, or delete it first.",
            code="same_memory",
            details={"id": str(same.id)},
        )


async def reload_locked(tx: Tx, memory: Memory) -> Memory | None:
    """The memory, read again after its project was locked; None when it was erased meanwhile."""
    now = await memory_store.find_any(tx, memory.id)
    if now and now.project_id != memory.project_id:
        raise Conflict("The memory was moved just now; try again.", code="moved")
    return now


def refuse_part(memory: Memory) -> None:
    """Raise a conflict for a part, which cannot be changed apart from its memory."""
    if memory.part_of:
        raise Conflict(
            f"This is a part of the memory {memory.part_of}; change that one.", code="is_part"
        )
