"""Save a document: receive it, read it, prepare it, insert it."""

from dataclasses import replace

from remem.core.documents.check import check
from remem.core.documents.connected.documents import claim
from remem.core.documents.insert import find_same, insert, insert_unread
from remem.core.documents.model import CONNECTED, Draft, SavedDocument
from remem.core.documents.prepare import prepare
from remem.core.documents.receive import as_it_is_kept, read_now, receive
from remem.core.documents.retry import retry_document
from remem.core.documents.tags import add_tags
from remem.core.ports import Ports
from remem.core.scope import Scope


async def ingest(ports: Ports, scope: Scope, draft: Draft) -> SavedDocument:
    """Keep a draft. What is returned is stored; when its status is `done` it can be found. What
    failed before is tried again."""
    check(draft)
    async with as_it_is_kept(draft) as kept:
        saved = await _ingest(ports, scope, kept)
    return await _save_again(ports, scope, draft, saved) if saved.existing else saved


async def _ingest(ports: Ports, scope: Scope, draft: Draft) -> SavedDocument:
    arrival = await receive(ports, scope, draft)
    if arrival.same:
        return SavedDocument(arrival.same, existing=True)
    reading = await read_now(ports, scope, arrival)
    if reading is None:
        return await insert_unread(ports, scope, arrival)
    if same := await find_same(ports, scope, arrival, reading.hash):
        return same
    prepared = await prepare(ports, arrival, reading)
    return await insert(ports, scope, arrival, prepared)


async def _save_again(
    ports: Ports, scope: Scope, draft: Draft, saved: SavedDocument
) -> SavedDocument:
    """It is known already: it gets the new tags, and another try where it failed. What a connection
    brought and somebody saves as well is theirs from then on."""
    if not draft.source.startswith(CONNECTED):
        await claim(ports, scope, saved.document.id, draft.source)
    saved = replace(saved, document=await add_tags(ports, scope, saved.document, draft.tags))
    if saved.document.status != "failed":
        return saved
    status, job_id = await retry_document(ports, scope, saved.document.id, fetch_again=draft.fetch)
    document = replace(saved.document, status=status, error=None)
    return SavedDocument(document, job_id=job_id, existing=job_id is None)
