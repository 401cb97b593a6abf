"""The last stage: what a document says, as memories. It runs after the document is done."""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, time, tzinfo
from itertools import groupby
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from remem.core.analysis import analyse
from remem.core.chunking.turns import SPEAKER
from remem.core.db import Tx
from remem.core.documents import store
from remem.core.documents.chunks import store as chunk_store
from remem.core.documents.headings import DocumentHeadings
from remem.core.documents.model import Chunk, Document, ParsedDocument
from remem.core.documents.voice import author_of, is_own
from remem.core.jobs.enqueue import enqueue
from remem.core.judgements import NOTE_CHARS, Passage
from remem.core.language.person import USER
from remem.core.memories.distil import DistilSource, distil_source
from remem.core.memories.rules.distil import says_anything
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.time import now

JOB = "distil_document"
# Behind everything that makes something findable.
PRIORITY = -10
_NOT_SPEECH = frozenset({"code", "json", "csv", "xlsx", "image"})
# The title of a mail, and the lines above its text.
_HEADERS = re.compile(
    r"(?:# [^\n]*+\n+)?(?>(?:(?:From|To|Cc|Bcc|Date|Sent|Subject|Reply-To): [^\n]*+\n)+)", re.I
)
_USERS = frozenset({"user", "human", "me"})
_MACHINES = frozenset(
    {"assistant", "ai", "bot", "system", "model", "tool", "function", "developer"}
)


async def distil_document(ports: Ports, scope: Scope, id: UUID) -> None:
    async with ports.db.transaction(scope) as tx:
        document = await store.find(tx, scope, id)
        if document is None or document.status != "done" or not document.is_latest:
            return
        chunks = await chunk_store.of_document(tx, scope, id)
        versions = await store.versions(tx, scope, document.root_id)
    before = tuple(one.id for one in versions if one.version < document.version)
    spoken = any(chunk.speaker for chunk in chunks)
    may_distil = _may_distil(document.content_type, document.metadata, spoken=spoken)
    passages = passages_of(document, chunks) if may_distil else []
    headings = DocumentHeadings(document.title, chunks)
    kept_as = (document.project_id, document.created_at, passages, before, tuple(document.tags))
    source = DistilSource(id, *kept_as, headings.at)
    await distil_source(ports, scope, source)


async def enqueue_distil(ports: Ports, tx: Tx, scope: Scope, id: UUID) -> None:
    """Queue it in the transaction that makes the document done."""
    if ports.distils:
        await enqueue(ports, tx, scope, JOB, id, priority=PRIORITY)


async def distil_again(ports: Ports, tx: Tx, scope: Scope, ids: Sequence[UUID]) -> None:
    """Those that are done, and of several versions the latest."""
    for id in await store.distillable(tx, scope, ids) if ids else []:
        await enqueue_distil(ports, tx, scope, id)


async def promises(ports: Ports, reading: ParsedDocument, chunks: Sequence[Chunk]) -> bool:
    """Whether a text that is not kept yet is worth a job: to look at it by rules costs less."""
    spoken = any(chunk.speaker for chunk in chunks)
    if not ports.distils or not _may_distil(reading.content_type, reading.metadata, spoken=spoken):
        return False
    if ports.judge.asks_model or spoken:
        return True
    who = author_of(reading.metadata) or USER
    passages = [Passage(reading.content, 0, who, now())]
    return await analyse(ports, False, says_anything, passages)


def _may_distil(content_type: str, metadata: Mapping[str, Any], *, spoken: bool = False) -> bool:
    """Whether somebody tells something in it that may be kept by itself.

    What was recalled is remembered already, and `index_only` asks for no more than to be found."""
    if (content_type in _NOT_SPEECH or metadata.get("code_language")) and not spoken:
        return False
    return not metadata.get("index_only") and metadata.get("source") != "recall"


def passages_of(document: Document, chunks: Sequence[Chunk]) -> list[Passage]:
    """Chunks of one voice that follow each other are one passage, each character once."""
    zone = _zone(document.metadata)
    headers = _HEADERS.match(document.content) if document.content_type == "email" else None
    body = headers.end() if headers else 0
    passages: list[Passage] = []
    for (speaker, _), run in groupby(chunks, key=lambda one: (one.speaker, one.said_at)):
        part = list(run)
        start = (
            max(part[0].start_offset, passages[-1].start + len(passages[-1].text))
            if (passages)
            else part[0].start_offset
        )
        start = max(start, body)
        label = SPEAKER.match(document.content, start) if speaker else None
        start = label.end() if label else start
        text = document.content[start : part[-1].end_offset]
        who, when = _called(document, speaker), _when(document, part[0], zone)
        passages.append(Passage(text, start, who, when, spoken=bool(speaker)))
    return [one for one in passages if one.speaker.casefold() not in _MACHINES]


def _called(document: Document, speaker: str | None) -> str:
    if speaker:
        return USER if speaker.casefold() in _USERS else speaker
    return author_of(document.metadata) or (USER if is_own(document) else "")


def _when(document: Document, chunk: Chunk, zone: tzinfo | None) -> datetime | None:
    """As the chunk says, or else the moment of saving, where that is the moment of writing."""
    moment = chunk.said_at or (document.created_at if _is_of_now(document, chunk) else None)
    if moment is None or zone is None:
        return moment
    # A day alone is the same day in any zone.
    is_day = moment.astimezone(UTC).time() == time()
    return moment.replace(tzinfo=zone) if is_day else moment.astimezone(zone)


def _is_of_now(document: Document, chunk: Chunk) -> bool:
    """A short text that was typed in, and not read from a file, another product or a log."""
    brought = document.blob_key or document.metadata.get("imported_from")
    named = chunk.speaker and chunk.speaker.casefold() not in _USERS
    short = len(document.content) <= NOTE_CHARS or bool(chunk.speaker)
    return is_own(document) and short and not brought and not named


def _zone(metadata: Mapping[str, Any]) -> tzinfo | None:
    name = metadata.get("timezone")
    try:
        return ZoneInfo(name) if isinstance(name, str) and name else None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None
