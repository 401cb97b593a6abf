"""Extract memories from a document, each with its position."""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from remem.core.errors import LimitExceeded, NotFound
from remem.core.judgements import HEADING_SEPARATOR, Statement, StatementContext
from remem.core.memories import memory_document_store, memory_store
from remem.core.memories.evidence import (
    EvidencePlace,
    add_place,
    edits_of,
    evidence_json,
    lock_evidence,
)
from remem.core.memories.fingerprint import fingerprint
from remem.core.memories.model import BEFORE, DISTIL, HEADING, Memory, MemoryDraft
from remem.core.memories.save import ChangesNothing, save_memory
from remem.core.memories.stated_at import stated_at
from remem.core.memories.tags import add_tags
from remem.core.memories.withdraw_evidence import retire_evidence
from remem.core.ports import Ports
from remem.core.projects.manage import lock_project
from remem.core.scope import Scope
from remem.core.text import TITLE_LIMIT, clean, shorten
from remem.core.transaction import Tx
from remem.core.validate import TAGS_LIMIT

# After that, jobs of their own relate the remaining statements, so that other work has its turn.
TURN_S = 30.0


@dataclass(frozen=True, slots=True)
class DistilSource:
    """A document to distil; `replaces` are its earlier versions."""

    document_id: UUID
    project_id: UUID
    saved_at: datetime
    replaces: tuple[UUID, ...] = ()
    tags: tuple[str, ...] = ()
    # The heading above an offset in the document.
    heading_at: Callable[[int], str] = lambda position: ""


@dataclass(frozen=True, slots=True)
class DistilResult:
    """The memories of a document. `refused` says why `refused_count` statements are not stored: the
    plan's limit."""

    memories: list[Memory]
    refused_count: int = 0
    refused: LimitExceeded | None = None


async def distil_source(
    ports: Ports, scope: Scope, source: DistilSource, statements: Sequence[Statement]
) -> DistilResult:
    """Save the statements, and retire those that only earlier versions state. Idempotent."""
    ends_at = time.monotonic() + TURN_S
    wanted = await _filter_rejected(ports, scope, source, statements)
    memories, refusals = [], []
    for position, statement in enumerate(statements):
        if statement in wanted:
            draft = _draft(source, statement, position, defer=time.monotonic() >= ends_at)
            try:
                memories.append(await _save(ports, scope, source, draft, statement))
            except LimitExceeded as error:
                refusals.append(error)
    if source.replaces:
        await _retire_replaced(ports, scope, source)
    stored = [memory for memory in memories if memory]
    return DistilResult(stored, len(refusals), refusals[-1] if refusals else None)


async def _retire_replaced(ports: Ports, scope: Scope, source: DistilSource) -> None:
    # If the project was deleted meanwhile, so was the document.
    with suppress(NotFound):
        async with ports.db.transaction(scope) as tx:
            await lock_evidence(tx, [source.project_id], source.replaces)
            if await memory_document_store.lock_document(tx, source.document_id):
                await retire_evidence(ports, tx, source.project_id, source.replaces)


async def _filter_rejected(
    ports: Ports, scope: Scope, source: DistilSource, statements: Sequence[Statement]
) -> set[Statement]:
    """The statements without those that a person declined, deleted or corrected.

    The document is added to the evidence of the rejected ones, so that they are remembered as
    rejected when the document that stated them first is erased."""
    hashes = {statement: _fingerprints(source, statement) for statement in statements}
    if not hashes:
        return set()
    all_hashes = [hash for fingerprints in hashes.values() for hash in fingerprints]
    async with ports.db.transaction(scope) as tx:
        rejected = await memory_store.find_rejected(tx, source.project_id, all_hashes)
        rejected += await _find_corrected(tx, source, all_hashes)
    rejected_ids = {statement.content_hash: statement.id for statement in rejected}
    for statement in statements:
        for hash in hashes[statement] & rejected_ids.keys():
            place = _place(source, statement)
            await _add_evidence(ports, scope, source, rejected_ids[hash], place)
    return {statement for statement in statements if not hashes[statement] & rejected_ids.keys()}


async def _find_corrected(tx: Tx, source: DistilSource, hashes: Sequence[str]) -> list[Memory]:
    """Memories of this document that a person has reworded."""
    document_ids = [source.document_id, *source.replaces]
    replaced = await memory_document_store.find_replaced(tx, hashes, document_ids)
    edited = await edits_of(tx, [id for _, id in replaced], "content")
    return [memory for memory, id in replaced if id in edited]


def _fingerprints(source: DistilSource, statement: Statement) -> set[str]:
    """The hashes with and without its heading: older rejections were stored without."""
    content, dates = clean(statement.content), [date.as_json() for date in statement.dates]
    return {
        fingerprint(content, StatementContext(statement.speaker, dates, heading))
        for heading in ("", _heading(source, statement))
    }


async def _save(
    ports: Ports, scope: Scope, source: DistilSource, draft: MemoryDraft, statement: Statement
) -> Memory | None:
    try:
        saved = await save_memory(ports, scope, draft)
    except (NotFound, ChangesNothing):
        # The document was erased or replaced by a new version meanwhile, or it is no change.
        return None
    return await _add_evidence(ports, scope, source, saved.memory.id, _place(source, statement))


async def _add_evidence(
    ports: Ports, scope: Scope, source: DistilSource, id: UUID, place: EvidencePlace
) -> Memory | None:
    """Add the document to a memory's evidence; None when the document or its project is gone, or
    the document was moved to another project."""
    with suppress(NotFound):
        async with ports.db.transaction(scope, turn=source.project_id) as tx:
            await lock_project(tx, source.project_id)
            document_id = source.document_id
            if not await memory_document_store.lock_latest_in(tx, document_id, source.project_id):
                return None
            memory = await memory_store.find_any(tx, id)
            if memory:
                memory = await add_place(tx, memory, place)
                return await add_tags(tx, memory, source.tags)
    return None


def _place(source: DistilSource, statement: Statement) -> EvidencePlace:
    return EvidencePlace(source.document_id, statement.start, statement.end)


def _draft(
    source: DistilSource, statement: Statement, position: int, *, defer: bool
) -> MemoryDraft:
    is_lasting = statement.category in ("fact", "preference", "decision")
    return MemoryDraft(
        content=statement.content,
        category=statement.category,
        project=source.project_id,
        tags=list(source.tags)[:TAGS_LIMIT],
        context=_context(source, statement),
        confidence=statement.confidence,
        document_id=source.document_id,
        evidence=evidence_json(_place(source, statement)),
        valid_from=statement.said_at if is_lasting else None,
        occurred_at=statement.occurred_at,
        due_at=statement.due_at,
        speaker=statement.speaker or None,
        said_at=statement.said_at,
        dates=statement.dates,
        source=DISTIL,
        defer=defer,
        only_as_change=statement.only_as_change,
        stated_at=stated_at(statement.said_at, source.saved_at, position),
    )


def _context(source: DistilSource, statement: Statement) -> dict[str, str]:
    surroundings = {BEFORE: statement.before, HEADING: _heading(source, statement)}
    return {"review": "pending", **{name: text for name, text in surroundings.items() if text}}


def _heading(source: DistilSource, statement: Statement) -> str:
    above = source.heading_at(statement.start).split(HEADING_SEPARATOR)
    below = statement.heading.split(HEADING_SEPARATOR)
    headings = list(dict.fromkeys(heading for heading in (*above, *below) if heading))
    return shorten(HEADING_SEPARATOR.join(headings), TITLE_LIMIT)
