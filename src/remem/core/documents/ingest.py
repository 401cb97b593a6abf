"""Save a document: receive it, read it, prepare it, insert it."""

from dataclasses import replace

from remem.core.documents import document_store
from remem.core.documents.check import check
from remem.core.documents.connected.documents import claim
from remem.core.documents.flag import set_flags
from remem.core.documents.insert import find_same, insert, insert_unread
from remem.core.documents.model import CONNECTED, Document, Draft, SavedDocument
from remem.core.documents.originals import has_other_original
from remem.core.documents.owner import make_mine, says_own
from remem.core.documents.prepare import prepare
from remem.core.documents.receive import draft_to_store, read_now, receive
from remem.core.documents.retry import retry_document
from remem.core.documents.save_once import find_saved
from remem.core.documents.tags import add_tags
from remem.core.documents.voice import says_mine
from remem.core.ports import Ports
from remem.core.scope import Scope


async def ingest(ports: Ports, scope: Scope, draft: Draft) -> SavedDocument:
    """Save a draft. The returned document is stored, and searchable once its status is `done`. A
    document that failed before is tried again."""
    check(draft)
    if draft.key and (document := await find_saved(ports, scope, draft.key)):
        return SavedDocument(document, existing=True)
    async with draft_to_store(draft) as stored:
        saved = await _ingest(ports, scope, stored)
        return await _update_existing(ports, scope, stored, saved) if saved.existing else saved


async def _ingest(ports: Ports, scope: Scope, draft: Draft) -> SavedDocument:
    received = await receive(ports, scope, draft)
    if received.same:
        return SavedDocument(received.same, existing=True)
    parsed = await read_now(ports, scope, received)
    if parsed is None:
        return await insert_unread(ports, scope, received)
    if same := await find_same(ports, scope, received, parsed.hash):
        return same
    prepared = await prepare(ports, scope, received, parsed)
    return await insert(ports, scope, received, prepared)


async def _update_existing(
    ports: Ports, scope: Scope, draft: Draft, saved: SavedDocument
) -> SavedDocument:
    """Update a document that exists already: add the new tags, mark it as the user's if they save
    it as their own, and retry it if it failed. A document of a connection that a person saves as
    well stays when the connection removes it."""
    current = await _text_document(ports, scope, saved.document)
    if not draft.source.startswith(CONNECTED):
        await claim(ports, scope, current.id, draft.source)
    tagged = await add_tags(ports, scope, current, draft.tags)
    if draft.unread:
        await set_flags(ports, scope, current.id, {"unread": True})
    added = tuple(tag for tag in tagged.tags if tag not in current.tags)
    mine = await make_mine(ports, scope, current.id) if says_own(draft) else None
    if mine:
        tagged = replace(tagged, metadata=mine.metadata)
    not_taken = _fields_not_taken(draft, tagged)
    if await has_other_original(ports, scope, draft, saved.document.id):
        not_taken += ("original",)
    saved = replace(saved, added_tags=added, not_taken=not_taken, made_mine=mine is not None)
    if current.id != saved.document.id:
        return saved
    saved = replace(saved, document=tagged)
    if tagged.status != "failed":
        return saved
    status, job_id = await retry_document(ports, scope, tagged.id, fetch_again=draft.fetch)
    document = replace(tagged, status=status, error=None)
    return replace(saved, document=document, job_id=job_id, existing=job_id is None)


async def _text_document(ports: Ports, scope: Scope, document: Document) -> Document:
    """The document that is found: of a copy that keeps its own original, the one with its text."""
    if document.duplicate_of is None:
        return document
    async with ports.db.transaction(scope) as tx:
        return await document_store.find(tx, document.duplicate_of) or document


def _fields_not_taken(draft: Draft, document: Document) -> tuple[str, ...]:
    """The given fields that differ from those of the document that exists already."""
    fields = [
        name
        for name in ("title", "content_type", "source_url", "forget_after")
        if (given := getattr(draft, name)) and given != getattr(document, name)
    ]
    metadata = {key: value for key, value in draft.metadata.items() if key != "tags"}
    if says_mine(draft.metadata) and says_mine(document.metadata):
        metadata.pop("speaker")
    if any(document.metadata.get(key) != value for key, value in metadata.items()):
        fields.append("metadata")
    return tuple(fields)
