"""Add tags to a document or remove them; safe with concurrent changes."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from remem.core.db import retry_on_deadlock
from remem.core.documents import document_store
from remem.core.documents.index_words import reindex_header
from remem.core.documents.model import Document
from remem.core.errors import Conflict, NotFound
from remem.core.events.record import record
from remem.core.memories.evidence import lock_evidence
from remem.core.memories.tags import follow_tags
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.text import tags_without, unique_tags
from remem.core.transaction import Tx
from remem.core.validate import TAGS_LIMIT, check_tags


async def add_tags(ports: Ports, scope: Scope, document: Document, tags: Sequence[str]) -> Document:
    if len(unique_tags([*document.tags, *tags])) == len(document.tags):
        return document
    try:
        changed = await change_tags(ports, scope, document.id, added=tags)
    except (NotFound, Conflict):
        return document
    return replace(document, tags=changed.tags)


@retry_on_deadlock
async def change_tags(
    ports: Ports,
    scope: Scope,
    id: UUID,
    *,
    added: Sequence[str] = (),
    removed: Sequence[str] = (),
) -> Document:
    """Change the tags of the latest version, based on the tags it has by then."""
    async with ports.db.transaction(scope) as tx:
        await document_store.lock(tx, id)
        document = await document_store.require(tx, id)
        if not document.is_latest:
            raise Conflict("This is an old version; change the latest one.", code="old_version")
        tags = unique_tags(tags_without([*document.tags, *added], removed))
        check_tags(tags)
        if tags != document.tags:
            await _set(tx, document, tags)
    return replace(document, tags=tags)


async def add_tags_of_copy(tx: Tx, id: UUID, tags: Sequence[str]) -> None:
    """Add the tags of a copy, which was recognised after its save was answered, to the document
    that has its text. Tags above the limit are left out: nobody waits for an error."""
    await document_store.lock(tx, id)
    document = await document_store.require(tx, id)
    all_tags = unique_tags([*document.tags, *tags])[:TAGS_LIMIT]
    if all_tags != document.tags:
        await _set(tx, document, all_tags)


async def _set(tx: Tx, document: Document, tags: list[str]) -> None:
    await lock_evidence(tx, [document.project_id], [document.id])
    await document_store.update_columns(tx, document.id, {"tags": tags})
    await reindex_header(tx, document.id)
    await follow_tags(tx, document.id, document.tags, tags)
    await record(tx, "document", document.id, "update", {"fields": ["tags"]})
