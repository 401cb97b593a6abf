"""The last stage: distil memories from a document. It runs after the document is done."""

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime, time, tzinfo
from itertools import groupby
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from remem.core.analysis import analyse
from remem.core.blobs.save import find as find_blob
from remem.core.chunking.turns import words_from
from remem.core.documents import document_store
from remem.core.documents.chunks import chunk_store
from remem.core.documents.headings import DocumentHeadings
from remem.core.documents.model import Chunk, Document, ParsedDocument, is_large
from remem.core.documents.remarks import limit_remark, refusal_remark
from remem.core.documents.voice import (
    author_of,
    is_mine,
    is_own_text,
    owner_of,
    says_mine,
    speaker_of_turn,
)
from remem.core.errors import WaitsForRoom
from remem.core.events.record import record
from remem.core.identity.plans import resume_waiting_jobs
from remem.core.jobs.enqueue import enqueue
from remem.core.judgements import NOTE_CHARS, Passage
from remem.core.language.person import USER, depends_on_speaker, is_user
from remem.core.memories.distil import DistilResult, DistilSource, distil_source
from remem.core.memories.evidence import lock_evidence, memories_of_document, places_of
from remem.core.memories.model import Memory
from remem.core.memories.rules.distil import has_statements
from remem.core.memories.speakers import change_speaker, is_in_other_chain, linked_documents
from remem.core.memories.withdraw_evidence import withdraw
from remem.core.ports import Ports
from remem.core.projects.manage import note_write
from remem.core.scope import Scope
from remem.core.time import now
from remem.core.transaction import Tx

JOB = "distil_document"
# After everything that makes something searchable.
PRIORITY = -10
_NOT_SPEECH = frozenset({"code", "json", "csv", "xlsx", "image"})
# The title of an e-mail, and its header lines.
_HEADERS = re.compile(
    r"(?:# [^\n]*+\n+)?(?>(?:(?:From|To|Cc|Bcc|Date|Sent|Subject|Reply-To): [^\n]*+\n)+)", re.I
)
_USER_LABELS = frozenset({"user", "human", "me"})
_MACHINE_LABELS = frozenset(
    {"assistant", "ai", "bot", "system", "model", "tool", "function", "developer"}
)


async def distil_document(ports: Ports, scope: Scope, id: UUID) -> None:
    async with ports.db.transaction(scope) as tx:
        document = await document_store.find(tx, id)
        if document is None or document.status != "done" or not document.is_latest:
            return
        chunks = await chunk_store.of_document(tx, id)
        versions = await document_store.versions(tx, document.root_id)
        blob = await find_blob(tx, document.blob_key)
    older_versions = tuple(version.id for version in versions if version.version < document.version)
    is_spoken = any(chunk.speaker for chunk in chunks)
    may_distil = _may_distil(document.content_type, document.metadata, spoken=is_spoken)
    passages = passages_of(document, chunks, blob.name if blob else None) if may_distil else []
    statements = await ports.judge.distil(passages)
    starts = {statement.start for statement in statements}
    await correct_speakers(ports, scope, document, passages, starts)
    headings = DocumentHeadings(document.title, chunks)
    fields = (
        document.project_id,
        document.created_at,
        older_versions,
        tuple(document.tags),
    )
    source = DistilSource(id, *fields, headings.at)
    distilled = await distil_source(ports, scope, source, statements)
    if distilled.refused and older_versions:
        # What the older versions alone stated has made room.
        distilled = await distil_source(ports, scope, source, statements)
    await _show_result(ports, scope, document, distilled)


async def _show_result(
    ports: Ports, scope: Scope, document: Document, distilled: DistilResult
) -> None:
    """Say on the document what the plan's limit left out, and let its job wait for room."""
    refused = distilled.refused
    message = limit_remark(distilled.refused_count, refused.limit) if refused else None
    async with ports.db.transaction(scope) as tx:
        await document_store.lock(tx, document.id)
        current = await document_store.find(tx, document.id)
        if current is None or current.status != "done" or not current.is_latest:
            return
        if current.metadata.get("speaker") != document.metadata.get("speaker"):
            # Meanwhile the user said whose it is.
            await distil_again(ports, tx, [document.id])
        remarks = filter(None, (await refusal_remark(tx, document.id), message))
        error = " ".join(remarks) or None
        if error != current.error:
            await document_store.set_status(tx, document.id, "done", error)
            await note_write(tx, current.project_id)
        if refused is None:
            await resume_waiting_jobs(ports, tx)
            return
        counts = {"stored": len(distilled.memories), "not_stored": distilled.refused_count}
        await record(tx, "document", document.id, "limit_reached", counts)
    raise WaitsForRoom(str(message), refused.count, refused.limit)


async def enqueue_distil(ports: Ports, tx: Tx, id: UUID, content: str) -> None:
    """Queue it in the transaction that makes the document done."""
    if ports.distils:
        # A model may take long for a short text, too.
        large = ports.judge.asks_model or is_large(content)
        await enqueue(ports, tx, JOB, id, priority=PRIORITY, large=large)


async def distil_again(ports: Ports, tx: Tx, ids: Sequence[UUID]) -> None:
    """Queue the documents that are done, and of several versions the latest."""
    for id in await document_store.distillable(tx, ids) if ids else []:
        document = await document_store.find(tx, id)
        await enqueue_distil(ports, tx, id, document.content if document else "")


async def may_have_statements(
    ports: Ports, parsed: ParsedDocument, chunks: Sequence[Chunk]
) -> bool:
    """Whether a text that is not stored yet is worth a job: checking it by rules is cheaper."""
    is_spoken = any(chunk.speaker for chunk in chunks)
    if not ports.distils or not _may_distil(parsed.content_type, parsed.metadata, spoken=is_spoken):
        return False
    if ports.judge.asks_model or is_spoken:
        return True
    speaker = author_of(parsed.metadata) or USER
    passages = [Passage(parsed.content, 0, speaker, now())]
    return await analyse(ports, False, has_statements, passages)


def _may_distil(content_type: str, metadata: Mapping[str, Any], *, spoken: bool = False) -> bool:
    """Whether a document of this kind may contain statements worth saving.

    A recalled text is already remembered, and an `index_only` document is only to be searched."""
    if (content_type in _NOT_SPEECH or metadata.get("code_language")) and not spoken:
        return False
    return not metadata.get("index_only") and metadata.get("source") != "recall"


def passages_of(
    document: Document, chunks: Sequence[Chunk], file_name: str | None = None
) -> list[Passage]:
    """Merge consecutive chunks of one speaker and time into passages, each character once."""
    owner = owner_of(document, file_name)
    says_so = says_mine(document.metadata)
    is_own = says_so or is_own_text(document) or bool(author_of(document.metadata))
    zone = _zone(document.metadata)
    headers = _HEADERS.match(document.content) if document.content_type == "email" else None
    body_start = headers.end() if headers else 0
    passages: list[Passage] = []
    for (speaker, _), run in groupby(chunks, key=lambda chunk: (chunk.speaker, chunk.said_at)):
        run_chunks = list(run)
        start = (
            max(run_chunks[0].start_offset, passages[-1].start + len(passages[-1].text))
            if (passages)
            else run_chunks[0].start_offset
        )
        start = max(start, body_start)
        start = words_from(document.content, start) if speaker else start
        text = document.content[start : run_chunks[-1].end_offset]
        passages.append(
            Passage(
                text,
                start,
                _speaker_name(document, speaker, owner, file_name),
                _said_at(document, run_chunks[0], zone),
                # The user says that a file is theirs: it is a note.
                spoken=bool(speaker) and not (file_name and says_so),
                anonymous=not speaker and not is_own,
            )
        )
    return [passage for passage in passages if passage.speaker.casefold() not in _MACHINE_LABELS]


def _speaker_name(
    document: Document, label: str | None, owner: str | None, file_name: str | None
) -> str:
    where = (document.content_type, document.metadata, file_name is not None)
    return (speaker_of_turn(label, owner, *where) if label else owner) or USER


def _said_at(document: Document, chunk: Chunk, zone: tzinfo | None) -> datetime | None:
    """The chunk's time, or the time of saving if the text was written then."""
    moment = chunk.said_at or (
        document.created_at if _was_written_when_saved(document, chunk) else None
    )
    if moment is None or zone is None:
        return moment
    # A date without a time is the same date in any zone.
    is_day = moment.astimezone(UTC).time() == time()
    return moment.replace(tzinfo=zone) if is_day else moment.astimezone(zone)


def _was_written_when_saved(document: Document, chunk: Chunk) -> bool:
    """Whether a chunk is of a short text that was typed in, not of a file, an import or a log."""
    is_imported = document.blob_key or document.metadata.get("imported_from")
    has_other_speaker = chunk.speaker and chunk.speaker.casefold() not in _USER_LABELS
    is_short = len(document.content) <= NOTE_CHARS or bool(chunk.speaker)
    return is_own_text(document) and is_short and not is_imported and not has_other_speaker


def _zone(metadata: Mapping[str, Any]) -> tzinfo | None:
    name = metadata.get("timezone")
    try:
        return ZoneInfo(name) if isinstance(name, str) and name else None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


# Give memories the speakers of their document after the user said whether it is their own.


_REASON = "speaker_changed"


async def correct_speakers(
    ports: Ports,
    scope: Scope,
    document: Document,
    passages: Sequence[Passage],
    starts: Collection[int],
) -> None:
    """Runs before the statements of the document, which begin at `starts`, are saved: that adds
    what is missing. Idempotent."""
    async with ports.db.transaction(scope) as tx:
        memories = await memories_of_document(tx, document.id)
    for memory in memories:
        if _wrong_passage(document, memory, passages):
            await _correct(ports, scope, document, memory.id, passages, starts)


def _wrong_passage(
    document: Document, memory: Memory, passages: Sequence[Passage]
) -> Passage | None:
    """The passage that states a memory, if the user says one of them and not the other. The names
    of others are not compared: a model may have written them in another way."""
    start = _start(document, memory)
    if start is None:
        return None
    for passage in passages:
        if passage.start <= start < passage.start + len(passage.text):
            return passage if is_user(passage.speaker) != is_user(memory.speaker) else None
    return None


def _start(document: Document, memory: Memory) -> int | None:
    places = (place for place in places_of(memory) if place.document_id == document.id)
    return next((place.start for place in places), None)


async def _correct(
    ports: Ports,
    scope: Scope,
    document: Document,
    id: UUID,
    passages: Sequence[Passage],
    starts: Collection[int],
) -> None:
    async with ports.db.transaction(scope, turn=document.project_id) as tx:
        await lock_evidence(tx, [document.project_id], [document.id])
        memories = await memories_of_document(tx, document.id)
        memory = next((memory for memory in memories if memory.id == id), None)
        passage = memory and _wrong_passage(document, memory, passages)
        if memory is None or passage is None:
            return
        others = await linked_documents(tx, memory, but=document.id)
        if await _stays_users(tx, memory, others):
            return
        is_left_out = _start(document, memory) not in starts and _may_be_withdrawn(memory)
        if is_left_out or await _is_said_anew(tx, document, memory, others):
            await withdraw(ports, tx, [memory], [document.id], _REASON)
        else:
            await change_speaker(ports, tx, memory, passage.speaker)


async def _stays_users(tx: Tx, memory: Memory, others: Sequence[UUID]) -> bool:
    """Whether another document of the user says the same, and the speaker does not matter."""
    if not is_user(memory.speaker) or depends_on_speaker(memory.content):
        return False
    return any(map(is_mine, await document_store.find_many(tx, others)))


async def _is_said_anew(tx: Tx, document: Document, memory: Memory, others: Sequence[UUID]) -> bool:
    """Whether it is another statement with another speaker, which is distilled again: others say
    it too, or it replaced a statement of theirs."""
    if not _may_be_withdrawn(memory) or not depends_on_speaker(memory.content):
        return False
    return bool(others) or await is_in_other_chain(tx, memory, document.id)


def _may_be_withdrawn(memory: Memory) -> bool:
    """What a person declined stays declined."""
    return memory.deleted_at is None and memory.state != "quarantined"
