"""The first step of a save: its project, its original kept, and whether it is known already."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from uuid import UUID

from remem.core.blobs.keep import announce, describe
from remem.core.blobs.model import Blob
from remem.core.documents import store
from remem.core.documents.model import PLAIN_TYPES, Document, Draft, ParsedDocument
from remem.core.documents.originals import key_for
from remem.core.documents.understand import handed_in, understand
from remem.core.errors import Unreadable
from remem.core.ports import Original, Ports
from remem.core.projects.resolve import resolve
from remem.core.scope import Scope
from remem.core.time import new_id

# What is larger is read after the reply; it would keep the caller waiting.
INLINE_BYTES = 64_000


@dataclass(frozen=True, slots=True)
class ReceivedDraft:
    """A draft on its way in: the id it gets, and its original where it came as a file."""

    id: UUID
    project_id: UUID
    draft: Draft
    blob: Blob | None = None
    # The document that has the same original already.
    same: Document | None = None


@asynccontextmanager
async def as_it_is_kept(draft: Draft) -> AsyncIterator[Draft]:
    """The draft, as a file when its text takes too long to read now: a job reads it as it came."""
    if draft.index_only:
        draft = replace(draft, metadata={**draft.metadata, "index_only": True})
    if draft.original or draft.fetch or draft.extracted or not _takes_long(draft):
        yield draft
        return
    async with handed_in(draft) as original:
        yield replace(draft, original=original, in_background=True)


def _takes_long(draft: Draft) -> bool:
    plain = draft.content_type in PLAIN_TYPES
    return not plain and (draft.in_background or len(draft.content) > INLINE_BYTES)


async def receive(ports: Ports, scope: Scope, draft: Draft) -> ReceivedDraft:
    id = draft.id or new_id()
    if draft.original:
        return await _receive_file(ports, scope, id, draft, draft.original)
    async with ports.db.transaction(scope) as tx:
        project = await resolve(tx, scope, draft.project, create=draft.create_project)
    return ReceivedDraft(id, project.id, draft)


async def _receive_file(
    ports: Ports, scope: Scope, id: UUID, draft: Draft, original: Original
) -> ReceivedDraft:
    blob = await describe(key_for(scope, id), original)
    async with ports.db.transaction(scope) as tx:
        project = await resolve(tx, scope, draft.project, create=draft.create_project)
        same = await store.find_same_original(tx, scope, project.id, blob.sha256)
        if not same:
            await announce(tx, scope, blob)
    if not same:
        await ports.blobs.put(blob.key, original.path)
    return ReceivedDraft(id, project.id, draft, blob, same)


async def read_now(ports: Ports, scope: Scope, arrival: ReceivedDraft) -> ParsedDocument | None:
    """None when a job reads it: a URL, a large file, or a file that cannot be read, which is kept
    all the same and says why as a document."""
    draft = arrival.draft
    if arrival.blob is None:
        return None if draft.fetch else await understand(ports, scope, draft)
    assert draft.original is not None
    if draft.in_background or arrival.blob.size > INLINE_BYTES:
        return None
    if not await asyncio.to_thread(_is_text, draft.original.path):
        return None
    try:
        return await understand(ports, scope, draft)
    except Unreadable:
        return None


def _is_text(path: Path) -> bool:
    """A PDF may look like text; what it takes to read one does not."""
    data = path.read_bytes()
    return b"\x00" not in data and not data.lstrip().startswith(b"%PDF")
