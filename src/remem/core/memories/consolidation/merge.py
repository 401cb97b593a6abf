"""Merge a memory into one that says the same, and note what both were before."""

from typing import Any
from uuid import UUID

from remem.core.db import Tx
from remem.core.errors import Conflict, NotFound
from remem.core.events.record import record
from remem.core.graph.link import join, links_of
from remem.core.graph.model import Link
from remem.core.index.kinds import MEMORY
from remem.core.memories import store
from remem.core.memories.consolidation import store as actions
from remem.core.memories.evidence import add_place, places_of, tags_to_give
from remem.core.memories.index_memory import embed, meaning_of, retire
from remem.core.memories.model import Memory
from remem.core.memories.versions import store as version_store
from remem.core.memories.versions.add import reload_locked, succeed
from remem.core.ports import Ports, Vector
from remem.core.projects.manage import lock_project
from remem.core.scope import Scope
from remem.core.text import unique_tags
from remem.core.validate import TAGS_LIMIT


async def merge_same(
    ports: Ports,
    scope: Scope,
    copy: Memory,
    kept: Memory,
    cosine: float,
    said: str | None = None,
) -> bool:
    """End `copy`, and let `kept` stand for both: in its own words, or with `said` as a version of
    it. False when either was changed meanwhile."""
    vector = await embed(ports, meaning_of(said, None, kept.speaker)) if said else None
    try:
        async with ports.db.transaction(scope) as tx:
            await lock_project(tx, scope, kept.project_id)
            pair = [await _unchanged(tx, scope, one) for one in (copy, kept)]
            await _merge(ports, tx, scope, (pair[0], pair[1]), cosine, (said, vector))
    except (Conflict, NotFound):
        return False
    return True


async def _unchanged(tx: Tx, scope: Scope, before: Memory) -> Memory:
    now = await reload_locked(tx, scope, before)
    if now is None or not now.is_shown or now.content_hash != before.content_hash:
        raise Conflict(f"The memory {before.id} was changed just now.", code="changed")
    return now


async def _merge(
    ports: Ports,
    tx: Tx,
    scope: Scope,
    pair: tuple[Memory, Memory],
    cosine: float,
    words: tuple[str | None, Vector | None],
) -> None:
    copy, kept = pair
    said, vector = words
    added = await _new_documents(tx, scope, copy, kept)
    before: dict[str, Any] = {"copy": _columns(copy), "kept": _columns(kept), "documents": added}
    before["stated_at"] = iso_exact(await actions.own_stated_at(tx, scope, kept.id))
    await retire(ports, tx, scope, copy, ends=True)
    joined = {
        "tags": unique_tags([*kept.tags, *await tags_to_give(tx, scope, copy, kept)])[:TAGS_LIMIT],
        "confidence": max(kept.confidence, copy.confidence),
    }
    if said:
        into = await succeed(ports, tx, scope, kept, {**joined, "content": said}, vector)
        before["version_of"] = str(kept.id)
    else:
        into = kept
        await store.change(tx, scope, kept.id, joined)
        await version_store.restate(tx, scope, kept.id, copy.stated_at)
    await store.add_accesses(tx, scope, into.id, copy.access_count, copy.last_accessed_at)
    await join(tx, scope, [Link(MEMORY, copy.id, MEMORY, into.id, "merged_into")])
    for place in places_of(copy):
        await add_place(tx, scope, await _find(tx, scope, into.id), place)
    before["after"] = _columns(await _find(tx, scope, into.id))
    id = await actions.insert(tx, scope, "merge", copy.id, before, into.id, cosine)
    data = {"into": str(into.id), "cosine": round(cosine, 4), "action_id": str(id)}
    await record(tx, scope, MEMORY, copy.id, "consolidation_merge", data)


async def _find(tx: Tx, scope: Scope, id: UUID) -> Memory:
    memory = await store.find(tx, scope, id)
    assert memory is not None, "its project is locked"
    return memory


async def _new_documents(tx: Tx, scope: Scope, copy: Memory, kept: Memory) -> list[str]:
    """Documents of the one that the other is not linked to yet."""
    links = await links_of(tx, scope, MEMORY, [kept.id], ["derives"])
    known = {link.to_id for link in links if link.from_id == kept.id}
    return [str(one.document_id) for one in places_of(copy) if one.document_id not in known]


def _columns(memory: Memory) -> dict[str, Any]:
    """What a merge changes, as JSON."""
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
    """To the microsecond: what is undone is exactly what it was."""
    return moment.isoformat() if moment else None
