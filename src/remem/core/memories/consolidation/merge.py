"""Merge a memory into one that says the same, and record the previous values of both."""

from typing import Any
from uuid import UUID

from remem.core.errors import Conflict, NotFound
from remem.core.events.record import record
from remem.core.graph.link import add_links, links_of
from remem.core.graph.model import Link
from remem.core.index.kinds import MEMORY
from remem.core.memories import memory_store
from remem.core.memories.consolidation import consolidation_store
from remem.core.memories.evidence import add_place, inheritable_tags, places_of
from remem.core.memories.index_memory import build_embedding_text, embed, retire
from remem.core.memories.model import Memory
from remem.core.memories.versions import memory_version_store
from remem.core.memories.versions.add import reload_locked, succeed
from remem.core.ports import ModelVector, Ports
from remem.core.projects.manage import lock_project
from remem.core.scope import Scope
from remem.core.text import unique_tags
from remem.core.transaction import Tx
from remem.core.validate import TAGS_LIMIT


async def merge_same(
    ports: Ports,
    scope: Scope,
    copy: Memory,
    kept: Memory,
    cosine: float,
    text: str | None = None,
) -> bool:
    """Retire `copy` and keep `kept`, with its own text or with a new version that says `text`.

    False when either was changed meanwhile."""
    vector = (
        await embed(ports, scope, build_embedding_text(text, None, kept.speaker)) if text else None
    )
    try:
        async with ports.db.transaction(scope, turn=kept.project_id) as tx:
            await lock_project(tx, kept.project_id)
            pair = [await _unchanged(tx, memory) for memory in (copy, kept)]
            await _merge(ports, tx, (pair[0], pair[1]), cosine, (text, vector))
    except (Conflict, NotFound):
        return False
    return True


async def _unchanged(tx: Tx, before: Memory) -> Memory:
    now = await reload_locked(tx, before)
    if now is None or not now.is_shown or now.content_hash != before.content_hash:
        raise Conflict(f"The memory {before.id} was changed just now.", code="changed")
    return now


async def _merge(
    ports: Ports,
    tx: Tx,
    pair: tuple[Memory, Memory],
    cosine: float,
    text_and_vector: tuple[str | None, ModelVector | None],
) -> None:
    copy, kept = pair
    text, vector = text_and_vector
    new_document_ids = await _new_documents(tx, copy, kept)
    before: dict[str, Any] = {
        "copy": _values_of(copy),
        "kept": _values_of(kept),
        "documents": new_document_ids,
    }
    before["stated_at"] = iso_exact(await consolidation_store.raw_stated_at(tx, kept.id))
    await retire(ports, tx, copy, ends=True)
    merged_values = {
        "tags": unique_tags([*kept.tags, *await inheritable_tags(tx, copy, kept)])[:TAGS_LIMIT],
        "confidence": max(kept.confidence, copy.confidence),
    }
    if text:
        into = await succeed(ports, tx, kept, {**merged_values, "content": text}, vector)
        before["version_of"] = str(kept.id)
    else:
        into = kept
        await memory_store.change(tx, kept.id, merged_values)
        await memory_version_store.restate(tx, kept.id, copy.stated_at)
    await memory_store.add_accesses(tx, into.id, copy.access_count, copy.last_accessed_at)
    await add_links(tx, [Link(MEMORY, copy.id, MEMORY, into.id, "merged_into")])
    for place in places_of(copy):
        await add_place(tx, await _find(tx, into.id), place)
    before["after"] = _values_of(await _find(tx, into.id))
    id = await consolidation_store.insert(tx, "merge", copy.id, before, into.id, cosine)
    data = {"into": str(into.id), "cosine": round(cosine, 4), "action_id": str(id)}
    await record(tx, MEMORY, copy.id, "consolidation_merge", data)


async def _find(tx: Tx, id: UUID) -> Memory:
    memory = await memory_store.find(tx, id)
    assert memory is not None, "its project is locked"
    return memory


async def _new_documents(tx: Tx, copy: Memory, kept: Memory) -> list[str]:
    """Documents of the copy that the kept memory is not linked to yet."""
    links = await links_of(tx, MEMORY, [kept.id], ["derives"])
    known = {link.to_id for link in links if link.from_id == kept.id}
    return [str(place.document_id) for place in places_of(copy) if place.document_id not in known]


def _values_of(memory: Memory) -> dict[str, Any]:
    """The values that a merge changes, as JSON."""
    return {
        "tags": memory.tags,
        "confidence": memory.confidence,
        "access_count": memory.access_count,
        "last_accessed_at": iso_exact(memory.last_accessed_at),
        "valid_until": iso_exact(memory.valid_until),
        "stated_at": iso_exact(memory.stated_at),
        "evidence": memory.evidence,
        "updated_at": iso_exact(memory.updated_at),
    }


def iso_exact(moment: Any) -> str | None:
    """The moment to the microsecond, so that undoing restores it exactly."""
    return moment.isoformat() if moment else None
