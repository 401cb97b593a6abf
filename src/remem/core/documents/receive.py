"""The first steps of a save: resolve the project, store the original, read the text.

A draft whose original is already stored is recognised here."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from uuid import UUID

from remem.core.blobs.model import Blob
from remem.core.blobs.save import describe, insert_blob
from remem.core.content_kinds import PLAIN_TYPES
from remem.core.documents import document_store
from remem.core.documents.encoded import decode_file
from remem.core.documents.model import CONNECTED, Document, Draft, ParsedDocument
from remem.core.documents.originals import blob_key_for
from remem.core.documents.understand import draft_as_file, understand
from remem.core.documents.versions.find import find_copy, replaced_root
from remem.core.errors import Unreadable
from remem.core.ports import Original, Ports
from remem.core.projects.resolve import resolve
from remem.core.scope import Scope
from remem.core.time import new_id
from remem.core.transaction import Tx

# Larger originals are read after the reply; reading them would keep the caller waiting.
INLINE_BYTES = 64_000
# The types of a text that its words alone may not show.
_KEPT_TYPES = frozenset({"markdown", "note", "code"})


@dataclass(frozen=True, slots=True)
class ReceivedDraft:
    """A draft with the id of its document, its project, and its original if it came as a file."""

    id: UUID
    project_id: UUID
    draft: Draft
    blob: Blob | None = None
    # An existing document with the same original.
    same: Document | None = None
    # The chain of versions that this one continues.
    replaced_root: UUID | None = None


@asynccontextmanager
async def draft_to_store(draft: Draft) -> AsyncIterator[Draft]:
    """The draft to store. A file in base64 becomes its original, and so does a text that takes too
    long to parse now: a job reads it."""
    if draft.index_only:
        draft = replace(draft, metadata={**draft.metadata, "index_only": True})
    is_slow = _is_slow_to_read(draft)
    is_ready = draft.original or draft.fetch or draft.extracted
    if is_ready or not (is_slow or await asyncio.to_thread(decode_file, draft)):
        yield draft
        return
    async with draft_as_file(draft) as original:
        yield replace(draft, original=original, in_background=is_slow)


def _is_slow_to_read(draft: Draft) -> bool:
    is_plain = draft.content_type in PLAIN_TYPES
    return not is_plain and (draft.in_background or len(draft.content) > INLINE_BYTES)


async def receive(ports: Ports, scope: Scope, draft: Draft) -> ReceivedDraft:
    id = draft.id or new_id()
    if draft.original:
        return await _receive_file(ports, scope, id, draft, draft.original)
    async with ports.db.transaction(scope) as tx:
        project = await resolve(tx, draft.project, create=draft.create_project)
        root_id = await _replaced_root(tx, project.id, draft)
    draft = await _with_given_title(ports, scope, draft, root_id)
    return ReceivedDraft(id, project.id, draft, replaced_root=root_id)


async def _replaced_root(tx: Tx, project_id: UUID, draft: Draft) -> UUID | None:
    """The chain that a save asks to continue; a connection mirrors an account and asks nothing."""
    if draft.source.startswith(CONNECTED):
        return None
    return await replaced_root(tx, project_id, draft.updates_id, draft.versioned_url)


async def _with_given_title(
    ports: Ports, scope: Scope, draft: Draft, root_id: UUID | None
) -> Draft:
    """The draft with the title of the version that it replaces, if somebody gave that one."""
    if draft.title or root_id is None:
        return draft
    async with ports.db.transaction(scope) as tx:
        previous = await document_store.latest_of_chain(tx, root_id)
    return replace(draft, title=previous.title) if previous and previous.title_given else draft


async def _receive_file(
    ports: Ports, scope: Scope, id: UUID, draft: Draft, original: Original
) -> ReceivedDraft:
    blob = await describe(blob_key_for(scope, id), original)
    async with ports.db.transaction(scope) as tx:
        project = await resolve(tx, draft.project, create=draft.create_project)
        root_id = await _replaced_root(tx, project.id, draft)
        same = await find_copy(tx, project.id, None, blob.sha256, root_id)
        missing = _missing_original(same, blob)
        if missing:
            await insert_blob(tx, missing)
    if missing:
        await ports.blobs.put(missing.key, original.path)
    draft = await _with_given_title(ports, scope, draft, root_id)
    return ReceivedDraft(id, project.id, draft, blob, same, root_id)


def _missing_original(same: Document | None, blob: Blob) -> Blob | None:
    """The original to store: none when a document has it, unless that one could not be read."""
    if same is None:
        return blob
    if same.status == "failed" and same.blob_key:
        return replace(blob, key=same.blob_key)
    return None


async def read_now(ports: Ports, scope: Scope, received: ReceivedDraft) -> ParsedDocument | None:
    """Read a draft now. None when a job reads it: a URL, a large file, or an unreadable file, which
    is stored anyway and whose document shows the error."""
    draft = received.draft
    if received.blob is None:
        return None if draft.fetch else await _understand_version(ports, scope, received)
    assert draft.original is not None
    if draft.in_background or received.blob.size > INLINE_BYTES:
        return None
    # A small file that was sent as content is read whatever its type is.
    if not draft.content and not await asyncio.to_thread(is_text, draft.original.path):
        return None
    try:
        return await understand(ports, scope, draft)
    except Unreadable:
        return None


async def _understand_version(
    ports: Ports, scope: Scope, received: ReceivedDraft
) -> ParsedDocument:
    """Read a text. If nothing says what it is, a new version is what the previous one was."""
    draft = received.draft
    parsed = await understand(ports, scope, draft)
    if draft.content_type or parsed.content_type != "text" or not received.replaced_root:
        return parsed
    async with ports.db.transaction(scope) as tx:
        previous = await document_store.latest_of_chain(tx, received.replaced_root)
    if previous is None or previous.content_type not in _KEPT_TYPES:
        return parsed
    return await understand(ports, scope, replace(draft, content_type=previous.content_type))


def is_text(path: Path) -> bool:
    """Whether a file is text. A PDF can look like text, but reading it is slow."""
    data = path.read_bytes()
    return b"\x00" not in data and not data.lstrip().startswith(b"%PDF")
