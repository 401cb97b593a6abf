"""Save a statement: recognise what is known, say what it is to the rest, keep it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from remem.core.analysis import analyse
from remem.core.db import Tx
from remem.core.errors import NotFound
from remem.core.events.record import record
from remem.core.identity.plan_cache import plan_state
from remem.core.identity.plans import require_room
from remem.core.index.kinds import MEMORY
from remem.core.judgements import Relation, Saying
from remem.core.language.names.model import Mention
from remem.core.memories import store
from remem.core.memories.check import check_draft
from remem.core.memories.describe import Description, as_given, describe
from remem.core.memories.documents import store as documents
from remem.core.memories.edit import MemoryEdit, edit_memory
from remem.core.memories.evidence import as_own, tags_to_give
from remem.core.memories.fingerprint import fingerprint
from remem.core.memories.index_memory import (
    RELATE_JOB,
    embed,
    index_memory,
    meaning_of,
    mentions_in,
)
from remem.core.memories.kept_values import given_in, kept_values
from remem.core.memories.model import (
    DERIVE,
    DISTIL,
    Memory,
    MemoryDraft,
    SavedMemory,
    Status,
)
from remem.core.memories.relate import (
    Judgement,
    NewStatement,
    RelatedAhead,
    ask_model,
    describe_relations,
    judge,
    keep_relations,
    replaced_by,
)
from remem.core.memories.stated_at import stated_at
from remem.core.memories.versions import store as version_store
from remem.core.memories.versions.add import fill_slot, make_slot
from remem.core.ports import Ports, Vector
from remem.core.projects.manage import lock_project
from remem.core.projects.model import Project
from remem.core.projects.resolve import resolve
from remem.core.scope import Scope
from remem.core.text import clean, content_hash, unique_tags
from remem.core.time import new_id, now, within

# How long a save waits for the language model; after that rules decide.
MODEL_WAIT_S = 30.0


class _AlreadyKnown(Exception):
    """It is here already; nothing of this save may stay."""

    def __init__(self, memory: Memory, relations: tuple[Relation, ...] = ()) -> None:
        super().__init__(str(memory.id))
        self.saved = SavedMemory(memory, "duplicate", relations=relations)


@dataclass(frozen=True, slots=True)
class _Ready:
    """What is made before the transaction."""

    draft: MemoryDraft
    content: str
    hash: str
    project: Project
    statement: NewStatement
    description: Description
    mentions: list[Mention]
    ahead: RelatedAhead | None = None
    expanded: str | None = None

    @property
    def vector(self) -> Vector | None:
        return self.statement.vector


async def save_memory(ports: Ports, scope: Scope, draft: MemoryDraft) -> SavedMemory:
    """Keep a draft. What is returned is stored and found by word; with no job, by meaning too."""
    check_draft(draft)
    content = clean(draft.content)
    try:
        ready = await _begin(ports, scope, draft, content)
        async with ports.db.transaction(scope) as tx:
            # One save of a project at a time: each sees what those before it have decided.
            await lock_project(tx, scope, ready.project.id)
            if draft.document_id and not await _lock_document(tx, scope, draft, ready.project.id):
                raise NotFound("document", draft.document_id)
            return await _decide(ports, tx, scope, ready)
    except _AlreadyKnown as known:
        memory = await _restate(ports, scope, known.saved.memory, draft)
        return replace(known.saved, memory=memory)


async def _lock_document(tx: Tx, scope: Scope, draft: MemoryDraft, project_id: UUID) -> bool:
    """What was inferred from a version that is replaced meanwhile, or from a document that is in
    another project by now, is not kept: it is inferred again there."""
    assert draft.document_id is not None
    if draft.source == DISTIL:
        return await documents.lock_latest_in(tx, scope, draft.document_id, project_id)
    return await documents.lock_document(tx, scope, draft.document_id)


async def _restate(ports: Ports, scope: Scope, memory: Memory, draft: MemoryDraft) -> Memory:
    """Said again it is as new as what was said just now, whatever is still to be processed, and
    gets the tags it is given this time beside those it has. What a person says themselves does not
    go with a document that says the same."""
    tags = memory.tags
    async with ports.db.transaction(scope) as tx:
        await version_store.restate(tx, scope, memory.id, _stated_at(draft))
        if memory.source == DISTIL and draft.source not in (DISTIL, DERIVE):
            tags = await tags_to_give(tx, scope, memory)
            await store.change(tx, scope, memory.id, as_own(memory, draft.source))
            memory = await store.find_any(tx, scope, memory.id) or memory
    tags = unique_tags([*tags, *draft.tags])
    if draft.source == DISTIL or tags == memory.tags or not memory.is_current:
        return memory
    return await edit_memory(ports, scope, memory.id, MemoryEdit(frozenset({"tags"}), tags=tags))


async def _begin(ports: Ports, scope: Scope, draft: MemoryDraft, content: str) -> _Ready:
    description = await analyse(ports, as_given(draft), describe, draft, content)
    dates = [one.as_json() for one in description.dates]
    saying = Saying(
        draft.speaker,
        dates,
        draft.heading,
        description.said_at or now(),
        draft.occurred_at,
        description.due_at,
    )
    hash = fingerprint(content, saying)
    has_plenty = (await plan_state(ports, scope)).has_plenty
    async with ports.db.transaction(scope) as tx:
        project = await resolve(tx, scope, draft.project, create=draft.create_project)
        await _check_ends(tx, scope, draft)
        same = await store.find_same(tx, scope, project.id, hash)
        if not same and not has_plenty:
            await require_room(tx, scope, lock=False)
    if same and not _renews(draft, same):
        raise _AlreadyKnown(same)
    expanded = None if draft.defer else await within(MODEL_WAIT_S, ports.judge.expand(content))
    meant = meaning_of(content, expanded, draft.speaker)
    vector = None if draft.defer else await embed(ports, meant)
    statement = NewStatement(content, vector, _stated_at(draft), draft.derived_from, saying)
    ahead = await within(MODEL_WAIT_S, ask_model(ports, scope, project.id, statement))
    tags = () if draft.source == DISTIL else tuple(dict.fromkeys(draft.tags))
    mentions = await mentions_in(ports, content, tags)
    return _Ready(draft, content, hash, project, statement, description, mentions, ahead, expanded)


async def _check_ends(tx: Tx, scope: Scope, draft: MemoryDraft) -> None:
    if draft.session_id and not await store.session_exists(tx, scope, draft.session_id):
        raise NotFound("session", draft.session_id)
    if draft.document_id and not await documents.document_exists(tx, scope, draft.document_id):
        raise NotFound("document", draft.document_id)


def _stated_at(draft: MemoryDraft) -> datetime | None:
    """None when it is said now."""
    if draft.stated_at or draft.created_at:
        return draft.stated_at or draft.created_at
    said_at = draft.said_at or draft.valid_from
    return stated_at(said_at, now()) if said_at else None


def _renews(draft: MemoryDraft, same: Memory) -> bool:
    """Whether an expired memory is stated again."""
    moment = now()
    over = same.valid_until is not None and same.valid_until <= moment
    return over and (draft.valid_until is None or draft.valid_until > moment)


async def _decide(ports: Ports, tx: Tx, scope: Scope, ready: _Ready) -> SavedMemory:
    same = await store.find_same(tx, scope, ready.project.id, ready.hash)
    if same and not _renews(ready.draft, same):
        raise _AlreadyKnown(same)
    if same:
        judgement = Judgement((Relation("update", same.id, 1.0, ("renewed",)),))
    elif ready.vector is None:
        judgement = Judgement()
    else:
        judgement = await judge(ports, tx, scope, ready.project.id, ready.statement, ready.ahead)
    if judgement.duplicate_of:
        raise _AlreadyKnown(await _target(tx, scope, judgement.duplicate_of), judgement.relations)
    if judgement.replaced_by:
        return await _keep_below(ports, tx, scope, ready, judgement)
    return await _keep(ports, tx, scope, ready, judgement)


async def _target(tx: Tx, scope: Scope, id: UUID) -> Memory:
    memory = await store.find(tx, scope, id)
    assert memory is not None, "judged among the current ones, which the lock keeps"
    return memory


async def _keep(
    ports: Ports, tx: Tx, scope: Scope, ready: _Ready, judgement: Judgement
) -> SavedMemory:
    await require_room(tx, scope)
    replaced = await replaced_by(ports, tx, scope, judgement.relations)
    values = _values(ports, ready)
    if replaced:
        before = replaced[0]
        values |= await kept_values(tx, scope, before, ready.content, given_in(ready.draft))
        values |= {
            "supersedes_id": before.id,
            "root_id": before.root_id,
            "version": before.version + 1,
            "access_count": before.access_count,
            "last_accessed_at": before.last_accessed_at,
        }
    memory = await store.insert(tx, scope, values)
    # Tags that were carried over are mentions too.
    mentions = ready.mentions if not replaced else None
    job_id = await index_memory(
        ports, tx, scope, memory, ready.vector, later=RELATE_JOB, mentions=mentions
    )
    return await _finish(tx, scope, ready, memory, judgement, replaced, job_id)


async def _keep_below(
    ports: Ports, tx: Tx, scope: Scope, ready: _Ready, judgement: Judgement
) -> SavedMemory:
    """Keep what was replaced before it came, as a version of what was said after it."""
    later = await _target(tx, scope, judgement.replaced_by[0].target_id)
    for member in await version_store.chain(tx, scope, later.root_id):
        if member.content_hash == ready.hash:
            raise _AlreadyKnown(member)
    await require_room(tx, scope)
    replaced = await replaced_by(ports, tx, scope, judgement.relations)
    assert ready.statement.stated_at is not None, "what is said now is replaced by nothing"
    slot = await make_slot(tx, scope, later.root_id, ready.statement.stated_at)
    hidden = {"state": "superseded", "is_current": False}
    unembedded = {"embedded_with": None, "embedded_hash": None}
    values = _values(ports, ready) | slot.values | hidden | unembedded
    memory = await store.insert(tx, scope, values)
    await fill_slot(tx, scope, slot, memory)
    return await _finish(tx, scope, ready, memory, judgement, replaced, None)


async def _finish(
    tx: Tx,
    scope: Scope,
    ready: _Ready,
    memory: Memory,
    judgement: Judgement,
    replaced: list[Memory],
    job_id: UUID | None,
) -> SavedMemory:
    relations = judgement.relations
    await keep_relations(tx, scope, memory, judgement, replaced)
    data = {**describe_relations(relations), "given": given_in(ready.draft)}
    await record(tx, scope, MEMORY, memory.id, "update" if replaced else "create", data)
    return SavedMemory(
        memory,
        status_of(relations),
        superseded=tuple(old.id for old in replaced),
        relations=relations,
        job_id=job_id,
    )


def status_of(relations: Sequence[Relation]) -> Status:
    actions = {one.action for one in relations}
    if "update" in actions:
        return "updated"
    return "extended" if "extend" in actions else "saved"


def _meant(ready: _Ready) -> str:
    return content_hash(meaning_of(ready.content, ready.expanded, ready.draft.speaker))


def _values(ports: Ports, ready: _Ready) -> dict[str, Any]:
    draft = ready.draft
    id = draft.id or new_id()
    return {
        "id": id,
        "project_id": ready.project.id,
        "document_id": draft.document_id,
        "session_id": draft.session_id,
        "title": draft.title or None,
        "content": ready.content,
        "content_hash": ready.hash,
        "expanded": ready.expanded,
        "category": ready.description.category,
        "tags": unique_tags(draft.tags),
        "context": draft.context,
        "confidence": 1.0 if draft.confidence is None else draft.confidence,
        "evidence": draft.evidence,
        "valid_from": draft.valid_from,
        "valid_until": draft.valid_until,
        "occurred_at": draft.occurred_at,
        "due_at": ready.description.due_at,
        "speaker": " ".join((draft.speaker or "").split()) or None,
        "said_at": ready.description.said_at,
        "dates": list(ready.statement.saying.dates),
        "source": draft.source,
        **({"created_at": draft.created_at} if draft.created_at else {}),
        "stated_at": ready.statement.stated_at,
        "root_id": id,
        "embedded_with": ports.embedder.model if ready.vector is not None else None,
        "embedded_hash": _meant(ready) if ready.vector is not None else None,
    }
