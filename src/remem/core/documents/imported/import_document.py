"""Import a document from another product: once, and again only when it changed there."""

from dataclasses import replace

from remem.core.documents import document_store
from remem.core.documents.imported.imported_document_store import root_of
from remem.core.documents.ingest import ingest
from remem.core.documents.model import Document, Draft
from remem.core.documents.versions.find import latest_at_url
from remem.core.ports import Ports
from remem.core.projects.resolve import resolve
from remem.core.scope import Scope
from remem.core.time import now

# Metadata of a document whose text was fetched, so that no note on it replaces it.
FETCHED = "fetched"


async def import_document(
    ports: Ports, scope: Scope, draft: Draft, *, is_note: bool = False
) -> bool:
    """Save the draft; False when it exists already. The draft's id is that of the item's first
    version. A note on a page (`is_note`) never replaces the page itself."""
    is_known, existing = await _find_existing(ports, scope, draft)
    if is_known and existing is None:
        return False
    if existing:
        is_imported_text = existing.root_id == draft.id and not existing.metadata.get(FETCHED)
        if is_note and not is_imported_text:
            return False
        draft = replace(draft, id=None, updates_id=existing.id, project=existing.project_id)
    return not (await ingest(ports, scope, draft)).existing


async def _find_existing(ports: Ports, scope: Scope, draft: Draft) -> tuple[bool, Document | None]:
    """Whether the item was imported before, and the latest version of it or of the document with
    its URL. An imported item that turned out to be a copy, or has expired, has no version."""
    assert draft.id is not None
    async with ports.db.transaction(scope) as tx:
        if root_id := await root_of(tx, draft.id):
            latest = await document_store.latest_of_chain(tx, root_id)
            return True, latest if latest and not _is_expired(latest) else None
        project = await resolve(tx, draft.project, create=draft.create_project)
        if not draft.source_url:
            return False, None
        document = await latest_at_url(tx, project.id, draft.source_url)
    return False, document if document and not _is_expired(document) else None


def _is_expired(document: Document) -> bool:
    return document.forget_after is not None and document.forget_after <= now()
