"""Save a statement: detect duplicates, relate it to known memories, store it."""

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from remem.core.analysis import analyse
from remem.core.errors import NotFound
from remem.core.events.record import record
from remem.core.identity.plans import require_room
from remem.core.index.kinds import MEMORY
from remem.core.judgements import Relation, StatementContext, calls_off
from remem.core.language.names.model import Mention
from remem.core.memories import memory_document_store, memory_store, part_store
from remem.core.memories.carried_values import carried_values, fields_given_in
from remem.core.memories.check import check_draft
from remem.core.memories.derive import split_when_saved
from remem.core.memories.describe import Description, describe, describe_as_given
from remem.core.memories.edit import MemoryEdit, edit_memory
from remem.core.memories.evidence import as_stated, inheritable_tags
from remem.core.memories.fingerprint import fingerprint
from remem.core.memories.index_memory import (
    RELATE_JOB,
    build_embedding_text,
    embed,
    index_memory,
    mentions_in,
)
from remem.core.memories.model import (
    DERIVE,
    DISTIL,
    Memory,
    MemoryDraft,
    SavedMemory,
    Status,
)
from remem.core.memories.relate import (
    NOT_ASKED,
    Judgement,
    NewStatement,
    RelatedAhead,
    describe_relations,
    judge,
    relate_with_model,
    retire_replaced,
    store_relations,
)
from remem.core.memories.stated_at import stated_at
from remem.core.memories.versions import memory_version_store
from remem.core.memories.versions.add import fill_slot, make_slot
from remem.core.ports import ModelVector, Ports
from remem.core.projects.manage import lock_project
from remem.core.projects.model import Project
from remem.core.projects.resolve import resolve
from remem.core.scope import Scope
from remem.core.text import clean, content_hash, unique_tags
from remem.core.time import new_id, now
from remem.core.transaction import Tx

# How long a save waits for an answer of the language model; after that a job waits for it.
MODEL_WAIT_S = 4.0
_DESCRIPTIVE_FIELDS = (
    "title", "category", "context", "confidence", "valid_from", "valid_until", "due_at",
    "occurred_at",
)  # fmt: skip


class _Duplicate(Exception):
    """The statement is stored already; roll this save back."""

    def __init__(self, memory: Memory, relations: tuple[Relation, ...] = ()) -> None:
        super().__init__(str(memory.id))
        self.saved = SavedMemory(memory, "duplicate", relations=relations)


class ChangesNothing(Exception):
    """The statement counts only as a change, and replaces nothing; roll this save back."""


@dataclass(frozen=True, slots=True)
class _Prepared:
    """Everything prepared before the transaction starts."""

    draft: MemoryDraft
    content: str
    hash: str
    project: Project
    statement: NewStatement
    description: Description
    mentions: list[Mention]
    ahead: RelatedAhead = NOT_ASKED
    expanded: str | None = None

    @property
    def vector(self) -> ModelVector | None:
        return self.statement.vector


async def save_memory(ports: Ports, scope: Scope, draft: MemoryDraft) -> SavedMemory:
    """Save a draft. Raises ChangesNothing if it counts only as a change and is none.

    The returned memory is stored and searchable by word, and also by meaning unless a job is
    pending."""
    check_draft(draft)
    content = clean(draft.content)
    try:
        prepared = await _prepare(ports, scope, draft, content)
        project_id = prepared.project.id
        async with ports.db.transaction(scope, turn=project_id) as tx:
            # Saves of a project run one at a time: each sees the decisions of those before it.
            await lock_project(tx, project_id)
            if draft.document_id and not await _lock_document(tx, draft, project_id):
                raise NotFound("document", draft.document_id)
            return await _decide(ports, tx, prepared)
    except _Duplicate as duplicate:
        known = duplicate.saved.memory
        memory = await _restate(ports, scope, known, draft)
        added = tuple(tag for tag in memory.tags if tag not in known.tags)
        not_taken = _fields_not_taken(draft, memory)
        return replace(duplicate.saved, memory=memory, added_tags=added, not_taken=not_taken)


def _fields_not_taken(draft: MemoryDraft, memory: Memory) -> tuple[str, ...]:
    """The given fields that differ from those of the memory that exists already."""
    given = {name: getattr(draft, name) for name in _DESCRIPTIVE_FIELDS}
    return tuple(
        name
        for name, value in given.items()
        if value not in (None, "", {}) and value != getattr(memory, name)
    )


async def _lock_document(tx: Tx, draft: MemoryDraft, project_id: UUID) -> bool:
    """Lock the document of a draft; False when it is gone.

    Also False for an inferred statement when its document was replaced or moved to another project
    meanwhile: it is inferred again there."""
    assert draft.document_id is not None
    if draft.source == DISTIL:
        return await memory_document_store.lock_latest_in(tx, draft.document_id, project_id)
    return await memory_document_store.lock_document(tx, draft.document_id)


async def _restate(ports: Ports, scope: Scope, memory: Memory, draft: MemoryDraft) -> Memory:
    """Mark a memory as stated again now, even if it is still being processed, and add the new tags.

    A person who states an inferred memory makes it their own: it no longer depends on the
    document."""
    tags = memory.tags
    async with ports.db.transaction(scope) as tx:
        await memory_version_store.restate(tx, memory.id, _stated_at(draft))
        if memory.source == DISTIL and draft.source not in (DISTIL, DERIVE):
            tags = await inheritable_tags(tx, memory)
            await memory_store.change(tx, memory.id, as_stated(memory, draft.source))
            memory = await memory_store.find_any(tx, memory.id) or memory
    tags = unique_tags([*tags, *draft.tags])
    if draft.source == DISTIL or tags == memory.tags or not memory.is_current:
        return memory
    return await edit_memory(ports, scope, memory.id, MemoryEdit(frozenset({"tags"}), tags=tags))


async def _prepare(ports: Ports, scope: Scope, draft: MemoryDraft, content: str) -> _Prepared:
    description = await analyse(ports, describe_as_given(draft), describe, draft, content)
    dates = [date.as_json() for date in description.dates]
    context = StatementContext(
        draft.speaker,
        dates,
        draft.heading,
        description.said_at or now(),
        draft.occurred_at,
        description.due_at,
    )
    hash = fingerprint(content, context)
    async with ports.db.transaction(scope) as tx:
        project = await resolve(tx, draft.project, create=draft.create_project)
        await _check_references(tx, draft)
        duplicate = await _find_same(tx, draft, project.id, hash)
    if duplicate and not _restates_expired(draft, duplicate):
        raise _Duplicate(duplicate)
    statement = NewStatement(content, None, _stated_at(draft), draft.derived_from, context)
    expanded: str | None = None
    ahead = NOT_ASKED
    with contextlib.suppress(TimeoutError):
        if not (draft.defer or draft.hidden):
            async with asyncio.timeout(MODEL_WAIT_S):
                expanded = await ports.judge.expand(content)
            text = build_embedding_text(content, expanded, draft.speaker)
            embedded = replace(statement, vector=await embed(ports, scope, text))
            async with asyncio.timeout(MODEL_WAIT_S):
                ahead = await relate_with_model(ports, scope, project.id, embedded)
            statement = embedded
    tags = () if draft.source == DISTIL else tuple(dict.fromkeys(draft.tags))
    mentions = await mentions_in(ports, content, tags)
    return _Prepared(
        draft, content, hash, project, statement, description, mentions, ahead, expanded
    )


async def _find_same(tx: Tx, draft: MemoryDraft, project_id: UUID, hash: str) -> Memory | None:
    """The memory that says the same; for a hidden draft also one that was declined or waits."""
    same = await memory_store.find_same(tx, project_id, hash)
    if same or not draft.hidden:
        return same
    return next(iter(await memory_store.find_rejected(tx, project_id, [hash])), None)


async def _check_references(tx: Tx, draft: MemoryDraft) -> None:
    if draft.session_id and not await memory_store.session_exists(tx, draft.session_id):
        raise NotFound("session", draft.session_id)
    if draft.document_id and not await memory_document_store.document_exists(tx, draft.document_id):
        raise NotFound("document", draft.document_id)


def _stated_at(draft: MemoryDraft) -> datetime | None:
    """When the draft was stated; None for now."""
    if draft.stated_at or draft.created_at:
        return draft.stated_at or draft.created_at
    said_at = draft.said_at or draft.valid_from
    return stated_at(said_at, now()) if said_at else None


def _restates_expired(draft: MemoryDraft, same: Memory) -> bool:
    """Whether the draft states an expired memory again."""
    moment = now()
    is_expired = same.valid_until is not None and same.valid_until <= moment
    return is_expired and (draft.valid_until is None or draft.valid_until > moment)


async def _decide(ports: Ports, tx: Tx, prepared: _Prepared) -> SavedMemory:
    duplicate = await _find_same(tx, prepared.draft, prepared.project.id, prepared.hash)
    due_at = prepared.description.due_at
    if duplicate is None and due_at:
        place = (prepared.project.id, prepared.content, due_at)
        duplicate = await part_store.find_due(tx, *place, is_part=True)
    if duplicate and not _restates_expired(prepared.draft, duplicate):
        raise _Duplicate(duplicate)
    if duplicate:
        judgement = Judgement((Relation("update", duplicate.id, 1.0, ("renewed",)),))
    elif prepared.vector is None:
        judgement = Judgement()
    else:
        judgement = await judge(ports, tx, prepared.project.id, prepared.statement, prepared.ahead)
    if judgement.duplicate_of:
        raise _Duplicate(await _require_locked(tx, judgement.duplicate_of), judgement.relations)
    if prepared.draft.only_as_change and status_of(judgement.relations) != "updated":
        raise ChangesNothing
    if judgement.replaced_by:
        return await _insert_superseded(ports, tx, prepared, judgement)
    return await _insert(ports, tx, prepared, judgement)


async def _require_locked(tx: Tx, id: UUID) -> Memory:
    memory = await memory_store.find(tx, id)
    assert memory is not None, "it was current when judged, and the project is locked"
    return memory


async def _insert(ports: Ports, tx: Tx, prepared: _Prepared, judgement: Judgement) -> SavedMemory:
    replaced = await retire_replaced(ports, tx, judgement.relations)
    if not replaced:
        await require_room(tx)
    values = _values(prepared)
    if replaced:
        old = replaced[0]
        values |= await carried_values(tx, old, prepared.content, fields_given_in(prepared.draft))
        values |= {
            "supersedes_id": old.id,
            "root_id": old.root_id,
            "version": old.version + 1,
            "access_count": old.access_count,
            "last_accessed_at": old.last_accessed_at,
        }
    due_facts = prepared.description.due_facts
    if calls_off(judgement.relations):
        is_inferred = prepared.draft.source == DISTIL
        values["due_at"], due_facts = None if is_inferred else prepared.draft.due_at, ()
    if prepared.draft.hidden:
        memory = await memory_store.insert(tx, values | {"state": "quarantined"})
        return await _finish(tx, prepared, memory, judgement, replaced, None)
    memory = await memory_store.insert(tx, values)
    await split_when_saved(tx, memory, due_facts)
    # The tags that were carried over may mention more entities.
    mentions = prepared.mentions if not replaced else None
    job_id = await index_memory(
        ports, tx, memory, prepared.vector, later=RELATE_JOB, mentions=mentions
    )
    return await _finish(tx, prepared, memory, judgement, replaced, job_id)


async def _insert_superseded(
    ports: Ports, tx: Tx, prepared: _Prepared, judgement: Judgement
) -> SavedMemory:
    """Insert a statement that an already stored, later one replaces, as an older version of it."""
    later = await _require_locked(tx, judgement.replaced_by[0].target_id)
    for member in await memory_version_store.chain(tx, later.root_id):
        if member.content_hash == prepared.hash:
            raise _Duplicate(member)
    replaced = await retire_replaced(ports, tx, judgement.relations)
    assert prepared.statement.stated_at is not None, "a statement of now is never replaced"
    slot = await make_slot(tx, later.root_id, prepared.statement.stated_at)
    superseded = {"state": "superseded", "is_current": False}
    unembedded = {"embedded_with": None, "embedded_hash": None}
    values = _values(prepared) | slot.values | superseded | unembedded
    memory = await memory_store.insert(tx, values)
    await fill_slot(tx, slot, memory)
    return await _finish(tx, prepared, memory, judgement, replaced, None)


async def _finish(
    tx: Tx,
    prepared: _Prepared,
    memory: Memory,
    judgement: Judgement,
    replaced: list[Memory],
    job_id: UUID | None,
) -> SavedMemory:
    relations = judgement.relations
    await store_relations(tx, memory, judgement, replaced)
    data = {**describe_relations(relations), "given": fields_given_in(prepared.draft)}
    await record(tx, MEMORY, memory.id, "update" if replaced else "create", data)
    return SavedMemory(
        memory,
        status_of(relations),
        superseded=tuple(old.id for old in replaced),
        relations=relations,
        job_id=job_id,
    )


def status_of(relations: Sequence[Relation]) -> Status:
    actions = {relation.action for relation in relations}
    if "update" in actions:
        return "updated"
    return "extended" if "extend" in actions else "saved"


def _embedded_hash(prepared: _Prepared) -> str:
    return content_hash(
        build_embedding_text(prepared.content, prepared.expanded, prepared.draft.speaker)
    )


def _values(prepared: _Prepared) -> dict[str, Any]:
    draft = prepared.draft
    id = draft.id or new_id()
    return {
        "id": id,
        "project_id": prepared.project.id,
        "document_id": draft.document_id,
        "session_id": draft.session_id,
        "title": draft.title or None,
        "content": prepared.content,
        "content_hash": prepared.hash,
        "expanded": prepared.expanded,
        "category": prepared.description.category,
        "tags": unique_tags(draft.tags),
        "context": draft.context,
        "confidence": 1.0 if draft.confidence is None else draft.confidence,
        "evidence": draft.evidence,
        "valid_from": draft.valid_from,
        "valid_until": prepared.description.valid_until,
        "occurred_at": draft.occurred_at,
        "due_at": prepared.description.due_at,
        "speaker": " ".join((draft.speaker or "").split()) or None,
        "said_at": prepared.description.said_at,
        "dates": list(prepared.statement.context.dates),
        "source": draft.source,
        **({"created_at": draft.created_at} if draft.created_at else {}),
        "stated_at": prepared.statement.stated_at,
        "root_id": id,
        "embedded_with": prepared.vector.model if prepared.vector else None,
        "embedded_hash": _embedded_hash(prepared) if prepared.vector else None,
    }
