"""Add, change and remove highlights, and keep them with their text when it changes.

`add`, `highlights_of` and `follow_text` run inside the caller's transaction."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from remem.core.analysis import analyse
from remem.core.errors import NotFound
from remem.core.events.record import record
from remem.core.identity.plans import require_room
from remem.core.index.kinds import MEMORY
from remem.core.index.write import reindex_texts
from remem.core.jobs.enqueue import enqueue
from remem.core.memories import memory_store
from remem.core.memories.evidence import EvidencePlace, evidence_json, places_of
from remem.core.memories.forget import forget_memory
from remem.core.memories.highlights import highlight_store
from remem.core.memories.highlights.model import (
    HIGHLIGHT,
    NOTE,
    QUOTE,
    Highlight,
    highlight_hash,
    highlight_of,
)
from remem.core.memories.index_memory import EMBED_JOB, index_memory, search_text
from remem.core.memories.model import Memory
from remem.core.memories.rules.anchor import find_quote
from remem.core.memories.versions.add import reload_locked
from remem.core.ports import Ports
from remem.core.projects.manage import lock_project
from remem.core.scope import Scope
from remem.core.time import new_id
from remem.core.transaction import Tx


@dataclass(frozen=True, slots=True)
class NewHighlight:
    """A passage to mark. Without `place`, its words are nowhere in the text of the document."""

    project_id: UUID
    document_id: UUID
    root_id: UUID
    words: str
    place: tuple[int, int] | None
    note: str | None
    title: str
    speaker: str | None
    tags: tuple[str, ...] = ()


async def add(ports: Ports, tx: Tx, new: NewHighlight) -> tuple[Highlight, bool]:
    """Store a highlight; the one that marks the same already gets the note, if one is given.
    Returns whether it is new."""
    await lock_project(tx, new.project_id)
    for known in await highlight_store.of_chain(tx, new.root_id):
        if _marks_same(known, new):
            changed = await _set_note(ports, tx, known, new.note) if new.note else known
            return highlight_of(changed, new.document_id), False
    await require_room(tx)
    memory = await memory_store.insert(tx, _values(new))
    await index_memory(ports, tx, memory, None)
    await record(tx, MEMORY, memory.id, "create", {"document": str(new.document_id)})
    return highlight_of(memory, new.document_id), True


def _marks_same(known: Memory, new: NewHighlight) -> bool:
    if new.place is None:
        return not places_of(known) and known.content == new.words
    return EvidencePlace(new.document_id, *new.place) in places_of(known)


def _values(new: NewHighlight) -> dict[str, Any]:
    id = new_id()
    place = EvidencePlace(new.document_id, *new.place) if new.place else None
    return {
        "id": id,
        "root_id": id,
        "project_id": new.project_id,
        "document_id": new.document_id,
        "title": new.title,
        "content": new.words,
        "content_hash": highlight_hash(id, new.words),
        "expanded": new.note,
        "category": "note",
        "tags": list(new.tags),
        "context": {NOTE: new.note} if new.note else {},
        "evidence": evidence_json(place) if place else {QUOTE: new.words},
        "speaker": new.speaker,
        "source": HIGHLIGHT,
    }


async def _set_note(ports: Ports, tx: Tx, memory: Memory, note: str | None) -> Memory:
    """Change the note, which is searched with the words."""
    context = {name: value for name, value in memory.context.items() if name != NOTE}
    values = {"context": context | ({NOTE: note} if note else {}), "expanded": note}
    changed = await memory_store.change(tx, memory.id, values)
    if changed.is_shown and changed.expanded != memory.expanded:
        await reindex_texts(tx, MEMORY, changed.project_id, [search_text(changed)])
        await memory_store.mark_embedded(tx, memory.id, None, None)
        await enqueue(ports, tx, EMBED_JOB, memory.id)
    await record(tx, MEMORY, memory.id, "update", {"fields": ["note"]})
    return changed


async def change_note(
    ports: Ports, scope: Scope, root_id: UUID, document_id: UUID, id: UUID, note: str | None
) -> Highlight:
    async with ports.db.transaction(scope) as tx:
        memory = await _require(tx, root_id, id)
        await lock_project(tx, memory.project_id)
        locked = await reload_locked(tx, memory)
        if locked is None or locked.deleted_at:
            raise NotFound("highlight", id)
        return highlight_of(await _set_note(ports, tx, locked, note), document_id)


async def remove(ports: Ports, scope: Scope, root_id: UUID, id: UUID) -> None:
    """Remove a highlight as any memory is forgotten, so that it can be restored."""
    async with ports.db.transaction(scope) as tx:
        memory = await _require(tx, root_id, id)
    await forget_memory(ports, scope, memory.id)


async def _require(tx: Tx, root_id: UUID, id: UUID) -> Memory:
    memory = await memory_store.find(tx, id)
    known = {highlight.id for highlight in await highlight_store.of_chain(tx, root_id)}
    if memory is None or id not in known:
        raise NotFound("highlight", id)
    return memory


async def highlights_of(tx: Tx, root_id: UUID, document_id: UUID) -> list[Highlight]:
    """The highlights of a document in the order of its text, then those that it has no more."""
    memories = await highlight_store.of_chain(tx, root_id)
    highlights = [highlight_of(memory, document_id) for memory in memories]
    return sorted(highlights, key=lambda item: (item.start is None, item.start or 0))


async def follow_text(ports: Ports, tx: Tx, root_id: UUID, document_id: UUID, text: str) -> None:
    """Give the highlights of a document their offsets in its new version. One whose words are not
    there keeps its place in the old version."""
    memories = [
        memory
        for memory in await highlight_store.of_chain(tx, root_id)
        if all(place.document_id != document_id for place in places_of(memory))
    ]
    if not memories:
        return
    quotes = [
        (memory.content, places[0].start if (places := places_of(memory)) else 0)
        for memory in memories
    ]
    found: list[tuple[int, int] | None] = await analyse(ports, [], find_quotes, text, quotes)
    for memory, offsets in zip(memories, found, strict=False):
        if offsets:
            place = EvidencePlace(document_id, *offsets)
            values = {"evidence": evidence_json(place), "document_id": document_id}
            await memory_store.change(tx, memory.id, values)


def find_quotes(text: str, quotes: Sequence[tuple[str, int]]) -> list[tuple[int, int] | None]:
    """The offsets of several quotations, each with where it was before."""
    return [find_quote(text, quote, near=near) for quote, near in quotes]
