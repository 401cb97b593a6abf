"""Put a new version after an old one."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from remem.core.analysis import analyse
from remem.core.db import Tx
from remem.core.errors import Conflict
from remem.core.graph.link import join
from remem.core.graph.model import Link
from remem.core.identity.plans import require_room
from remem.core.index.kinds import MEMORY
from remem.core.judgements import Saying
from remem.core.memories import store
from remem.core.memories.evidence import add_place, places_of
from remem.core.memories.fingerprint import fingerprint
from remem.core.memories.index_memory import RELATE_JOB, index_memory, retire
from remem.core.memories.kept_values import given_for, kept_values
from remem.core.memories.model import Memory, heading_in
from remem.core.memories.rules.dates import dates_in, due_day
from remem.core.memories.versions import store as version_store
from remem.core.ports import Ports, Vector
from remem.core.scope import Scope
from remem.core.time import new_id

# What a version has from the one it is made of, unless it says otherwise.
_CARRIED = (
    "project_id", "document_id", "session_id", "title", "content", "content_hash", "category",
    "tags", "context", "confidence", "quality", "valid_from", "valid_until", "due_at",
    "occurred_at", "speaker", "said_at", "dates", "source", "evidence",
)  # fmt: skip


async def succeed(
    ports: Ports,
    tx: Tx,
    scope: Scope,
    model: Memory,
    values: dict[str, Any],
    vector: Vector | None,
) -> Memory:
    """Make a version of `model`, different in `values`, the current one of its chain."""
    await require_room(tx, scope)
    last = await newest(tx, scope, model.root_id)
    if last.is_current:
        await retire(ports, tx, scope, last)
    made = {name: getattr(model, name) for name in _CARRIED} | values
    if made["content"] != model.content and "dates" not in values:
        made |= await _times_of(ports, model, made["content"], due="due_at" not in values)
    made["content_hash"] = _hash_of(made)
    # A chain keeps its accesses, whichever version is current.
    made["access_count"] = last.access_count
    made["last_accessed_at"] = last.last_accessed_at
    made["stated_at"] = max(await version_store.moment(tx, scope), last.stated_at)
    await refuse_same(tx, scope, made["project_id"], made["content_hash"])
    made |= {
        "id": new_id(),
        "root_id": last.root_id,
        "supersedes_id": last.id,
        "version": last.version + 1,
        "state": last.state if last.is_current else "active",
    }
    memory = await store.insert(tx, scope, made)
    await join(tx, scope, [_updates(memory, last)])
    for place in places_of(memory):
        await add_place(tx, scope, memory, place)
    if memory.is_shown and _is_unrelated(last):
        await index_memory(ports, tx, scope, memory, None, later=RELATE_JOB)
    elif memory.is_shown:
        await index_memory(ports, tx, scope, memory, vector)
    return memory


async def _times_of(ports: Ports, model: Memory, content: str, *, due: bool) -> dict[str, Any]:
    since = model.said_at or model.created_at
    dates = await analyse(ports, (), dates_in, content, since)
    times: dict[str, Any] = {"dates": [one.as_json() for one in dates]}
    if dates and due:
        # It is due when its new words say.
        times["due_at"] = await analyse(ports, None, due_day, content, since)
    return times


def _is_unrelated(memory: Memory) -> bool:
    """Whether its job has not run yet, and will find it replaced: then its version is related."""
    return memory.is_shown and memory.embedded_with is None


@dataclass(frozen=True, slots=True)
class Slot:
    """A free place in a chain: the columns of the member that goes there, and what follows it."""

    values: dict[str, Any]
    next: Memory


async def make_slot(tx: Tx, scope: Scope, root_id: UUID, stated_at: datetime) -> Slot:
    """Make room in a chain for a statement that was said before its last member."""
    chain = await version_store.chain(tx, scope, root_id)
    place = next((n for n, one in enumerate(chain) if one.stated_at > stated_at), len(chain) - 1)
    after, before = chain[place], chain[place - 1] if place else None
    await version_store.make_room(tx, scope, root_id, after.version)
    values = {
        "root_id": root_id,
        "version": after.version,
        "supersedes_id": before.id if before else None,
    }
    return Slot(values, after)


async def fill_slot(tx: Tx, scope: Scope, slot: Slot, memory: Memory) -> None:
    """Say that the next member replaces the one that was put before it, and let what was not given
    anew go on from it to those that follow."""
    await version_store.set_supersedes(tx, scope, slot.next.id, memory.id)
    before = memory
    for member in await version_store.chain(tx, scope, memory.root_id):
        if member.version > memory.version:
            given = await given_for(tx, scope, member)
            values = await kept_values(tx, scope, before, member.content, given)
            changed = {
                name: value for name, value in values.items() if getattr(member, name) != value
            }
            before = await store.change(tx, scope, member.id, changed) if changed else member


async def newest(tx: Tx, scope: Scope, root_id: UUID) -> Memory:
    """The last version of a chain: the current one, unless the chain has ended."""
    return (await version_store.chain(tx, scope, root_id, limit=1))[0]


def _updates(memory: Memory, old: Memory) -> Link:
    return Link(MEMORY, memory.id, MEMORY, old.id, "updates", valid_from=memory.valid_since)


def _hash_of(made: dict[str, Any]) -> str:
    heading = heading_in(made["title"], made["context"])
    times = {"occurred_at": made["occurred_at"], "due_at": made["due_at"]}
    return fingerprint(made["content"], Saying(made["speaker"], made["dates"], heading, **times))


async def refuse_same(tx: Tx, scope: Scope, project_id: UUID, hash: str) -> None:
    same = await store.find_same(tx, scope, project_id, hash)
    if same:
        raise Conflict(
            f"The memory {same.id} says the same already; use it, or delete it first.",
            code="same_memory",
            details={"id": str(same.id)},
        )


async def reload_locked(tx: Tx, scope: Scope, memory: Memory) -> Memory | None:
    """The memory as it stands now that its project is locked; None when it was erased meanwhile."""
    now = await store.find_any(tx, scope, memory.id)
    if now and now.project_id != memory.project_id:
        raise Conflict("The memory was moved just now; try again.", code="moved")
    return now


def refuse_part(memory: Memory) -> None:
    """A part says what its memory says, in the same place."""
    if memory.part_of:
        raise Conflict(
            f"This is a part of the memory {memory.part_of}; change that one.", code="is_part"
        )
