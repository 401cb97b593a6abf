"""Edit a memory; changing its content makes a new version."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from remem.core.errors import Conflict, Invalid, NotFound
from remem.core.events.record import record
from remem.core.graph.entities import unlink_entities
from remem.core.index.kinds import MEMORY
from remem.core.index.write import move, reindex_texts
from remem.core.memories import check, memory_store, part_store
from remem.core.memories.evidence import as_stated
from remem.core.memories.fingerprint import fingerprint
from remem.core.memories.index_memory import build_embedding_text, embed, link_mentions, search_text
from remem.core.memories.model import DISTIL, OWN, Memory
from remem.core.memories.versions import memory_version_store
from remem.core.memories.versions.add import refuse_part, refuse_same, reload_locked, succeed
from remem.core.ports import ModelVector, Ports
from remem.core.projects.manage import lock_projects
from remem.core.projects.resolve import resolve
from remem.core.scope import Scope
from remem.core.text import clean, unique_tags
from remem.core.transaction import Tx
from remem.core.validate import check_json, check_moment, check_tags

_DESCRIPTIVE_FIELDS = (
    "title", "category", "tags", "context", "confidence", "valid_from", "valid_until",
    "occurred_at", "due_at",
)  # fmt: skip
_NOT_NULL = ("content", "category", "tags", "context", "confidence")


@dataclass(frozen=True, slots=True)
class MemoryEdit:
    """The new values; `fields` names those that were sent, so that a value can be set to null."""

    fields: frozenset[str]
    content: str | None = None
    title: str | None = None
    category: str | None = None
    tags: list[str] | None = None
    context: dict[str, Any] | None = None
    confidence: float | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    occurred_at: datetime | None = None
    due_at: datetime | None = None
    project: str | UUID | None = None


async def edit_memory(ports: Ports, scope: Scope, id: UUID, change: MemoryEdit) -> Memory:
    """Edit a memory and return it; with new content it is a new version with its own id."""
    _check(change)
    async with ports.db.transaction(scope) as tx:
        memory = await memory_store.require(tx, id)
        target = await resolve(tx, change.project) if change.project else None
    project_id = target.id if target else memory.project_id
    content = clean(change.content) if change.content is not None else memory.content
    vector = None
    if content != memory.content and memory.is_shown:
        vector = await embed(ports, scope, build_embedding_text(content, None, memory.speaker))
    async with ports.db.transaction(scope, turn=memory.project_id) as tx:
        await lock_projects(tx, [memory.project_id, project_id])
        now = await _require_current(tx, memory)
        if content != now.content or project_id != now.project_id:
            refuse_part(now)
        changed = await _apply(ports, tx, now, change, (content, vector))
        changed = await _move(ports, tx, changed, project_id)
        data = {"fields": sorted(change.fields), "version": changed.version}
        await record(tx, MEMORY, changed.id, "update", data)
        return changed


def _check(change: MemoryEdit) -> None:
    for name in _NOT_NULL:
        if name in change.fields and getattr(change, name) is None:
            raise Invalid(name, "cannot be null; send a value, or leave it out")
    if change.content is not None:
        check.check_content(change.content)
    check.check_title(change.title)
    check.check_category(change.category)
    check_tags(change.tags or [])
    check_json("context", change.context or {})
    check.check_confidence(change.confidence)
    for name in check.TIMES:
        check_moment(name, getattr(change, name))


async def _require_current(tx: Tx, memory: Memory) -> Memory:
    now = await reload_locked(tx, memory)
    if now is None or now.deleted_at:
        raise NotFound("memory", memory.id)
    if not now.is_current:
        raise Conflict(
            "This is an old version; change the current one, or restore this.", code="old_version"
        )
    return now


async def _apply(
    ports: Ports,
    tx: Tx,
    memory: Memory,
    change: MemoryEdit,
    content_and_vector: tuple[str, ModelVector | None],
) -> Memory:
    values = {name: getattr(change, name) for name in _DESCRIPTIVE_FIELDS if name in change.fields}
    if "tags" in values:
        values["tags"] = unique_tags(values["tags"])
    after = {name: getattr(memory, name) for name in ("valid_from", "valid_until")} | values
    check.check_times(after["valid_from"], after["valid_until"])
    content, vector = content_and_vector
    if content != memory.content:
        own_values = {**as_stated(memory, OWN), "evidence": {}} if memory.source == DISTIL else {}
        new_values = {**own_values, **values, "content": content}
        return await succeed(ports, tx, memory, new_values, vector)
    return await _change_description(ports, tx, memory, values)


async def _change_description(
    ports: Ports, tx: Tx, memory: Memory, values: dict[str, Any]
) -> Memory:
    if not values:
        return memory
    if "occurred_at" in values or "due_at" in values:
        values["content_hash"] = await _hash_with_times(tx, memory, values)
    if "due_at" in values and values["due_at"] != memory.due_at:
        await part_store.hide(tx, memory.id)
    changed = await memory_store.change(tx, memory.id, values)
    if changed.is_shown and search_text(changed) != search_text(memory):
        await reindex_texts(tx, MEMORY, changed.project_id, [search_text(changed)])
        await _relink_mentions(ports, tx, changed)
    return changed


async def _hash_with_times(tx: Tx, memory: Memory, values: dict[str, Any]) -> str:
    times = {name: values[name] for name in ("occurred_at", "due_at") if name in values}
    hash = fingerprint(memory.content, replace(memory.statement_context, **times))
    if hash != memory.content_hash and memory.is_shown:
        await refuse_same(tx, memory.project_id, hash)
    return hash


async def _relink_mentions(ports: Ports, tx: Tx, memory: Memory) -> None:
    await unlink_entities(tx, memory.id)
    await link_mentions(ports, tx, memory)


async def _move(ports: Ports, tx: Tx, memory: Memory, to: UUID) -> Memory:
    """Move a memory with its whole chain to another project."""
    if to == memory.project_id:
        return memory
    await refuse_same(tx, to, memory.content_hash)
    await memory_version_store.move(tx, memory.root_id, to)
    if memory.is_shown:
        await move(ports, tx, MEMORY, [memory.id], (memory.project_id, to))
    moved = await memory_store.find(tx, memory.id)
    assert moved is not None
    if moved.is_shown:
        # Entities belong to a project.
        await _relink_mentions(ports, tx, moved)
    return moved
