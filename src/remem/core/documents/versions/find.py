"""Find the document that a new one is a version of, and what the version inherits."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from remem.core.documents import document_store
from remem.core.documents.model import Document, Draft
from remem.core.documents.versions import document_version_store
from remem.core.language.prose.markup import plain_line
from remem.core.text import unique_tags
from remem.core.time import now
from remem.core.transaction import Tx
from remem.core.validate import TAGS_LIMIT

# A title that occurs at the beginning of the text was derived from it, not given by a person.
_OPENING_CHARS = 2_000


async def find_previous(
    tx: Tx, project_id: UUID, updates_id: UUID | None, url: str | None
) -> Document | None:
    """The version to replace: the latest of the chain of `updates_id`, or of the chain that has the
    URL. It is locked, so nobody else replaces it before the transaction ends."""
    if updates_id:
        return await latest_locked(tx, await replaced_root_of(tx, updates_id))
    if not url:
        return None
    await document_version_store.lock_url(tx, project_id, url)
    root_id = await document_version_store.root_at_url(tx, project_id, url)
    return await latest_locked(tx, root_id) if root_id else None


async def find_copy(
    tx: Tx,
    project_id: UUID,
    hash: str | None,
    original_hash: str | None,
    replaced_root: UUID | None,
) -> Document | None:
    """The document that has this content already, so that saving it again changes nothing. A save
    that replaces another document makes a version of that one, whatever others say."""
    same = None
    if hash:
        same = await document_store.find_same(tx, project_id, hash, replaced_root)
    if same is None and original_hash:
        same = await document_store.find_same_original(tx, project_id, original_hash, replaced_root)
        if same is None and replaced_root is None:
            same = await document_store.find_copy_with_original(tx, project_id, original_hash)
    is_other = same and same.is_read and replaced_root and same.root_id != replaced_root
    return None if is_other else same


async def replaced_root(
    tx: Tx, project_id: UUID, updates_id: UUID | None, url: str | None
) -> UUID | None:
    """The chain that a save asks to continue."""
    if updates_id:
        return await replaced_root_of(tx, updates_id)
    return await document_version_store.root_at_url(tx, project_id, url) if url else None


async def replaced_root_of(tx: Tx, updates_id: UUID) -> UUID:
    """The chain that a new version of a document continues: of a copy the one of the document with
    its text, and of a version that is not read yet the one that it will be part of itself."""
    document = await document_store.require(tx, updates_id)
    while next_id := document.duplicate_of or (None if document.is_read else document.previous_id):
        replaced = await document_store.find(tx, next_id)
        if replaced is None:
            break
        document = replaced
    return document.root_id


async def latest_at_url(tx: Tx, project_id: UUID, url: str) -> Document | None:
    root_id = await document_version_store.root_at_url(tx, project_id, url)
    return await document_store.latest_of_chain(tx, root_id) if root_id else None


async def latest_locked(tx: Tx, root_id: UUID) -> Document | None:
    """Lock the chain before reading it: a query that waits for a row that is then replaced would
    find nothing."""
    await document_version_store.lock_chain(tx, root_id)
    return await document_store.latest_of_chain(tx, root_id)


def inherited_columns(previous: Document, draft: Draft, tags: Sequence[str]) -> dict[str, Any]:
    """Columns that a version inherits from the previous one when they are not given; `tags` are
    those found in its own text."""
    values: dict[str, Any] = {}
    if not draft.source_url:
        values["source_url"] = previous.source_url
    if not draft.tags:
        values["tags"] = unique_tags((*previous.tags, *tags))[:TAGS_LIMIT]
    if draft.updates_id and not draft.title and _has_given_title(previous):
        values["title"] = previous.title
    is_kept = previous.forget_after and previous.forget_after > now()
    if not draft.forget_after and is_kept:
        values["forget_after"] = previous.forget_after
    return values


def _has_given_title(document: Document) -> bool:
    if not document.is_read:
        return bool(document.title_given)
    opening = document.content[:_OPENING_CHARS]
    # A title that was derived from the text is without its markup.
    readings = (opening, plain_line(opening))
    return not any(document.title.casefold() in reading.casefold() for reading in readings)


async def place_before(tx: Tx, latest: Document, document: Document) -> dict[str, Any]:
    """Insert a version before later ones that were saved after it but read first; return its
    columns."""
    chain = await document_store.versions(tx, latest.root_id)
    later = [item for item in chain if item.created_at > document.created_at]
    version = min(item.version for item in later)
    previous_id = next((item.id for item in chain if item.version < version), None)
    await document_version_store.make_room(tx, latest.root_id, version)
    return {
        "root_id": latest.root_id,
        "version": version,
        "previous_id": previous_id,
        "is_latest": False,
        "status": "done",
    }
