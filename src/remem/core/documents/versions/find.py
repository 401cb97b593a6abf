"""Which document a new one is a version of, and what it keeps of the one before it."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from remem.core.db import Tx
from remem.core.documents import store
from remem.core.documents.model import Document, Draft
from remem.core.documents.versions import store as chains
from remem.core.scope import Scope
from remem.core.text import unique_tags
from remem.core.validate import TAGS_LIMIT

# A title that stands at the beginning of a text was taken from it, and not given by a person.
_BEGINNING = 2_000


async def find_previous(
    tx: Tx, scope: Scope, project_id: UUID, updates_id: UUID | None, url: str | None
) -> Document | None:
    """The version that is replaced: the latest of the chain that is named, or of the one that has
    the URL. Until the transaction ends, nobody else replaces it."""
    if updates_id:
        named = await store.require(tx, scope, updates_id)
        return await latest_locked(tx, scope, named.root_id)
    if not url:
        return None
    await chains.lock_url(tx, scope, project_id, url)
    root_id = await chains.root_at_url(tx, scope, project_id, url)
    return await latest_locked(tx, scope, root_id) if root_id else None


async def latest_at_url(tx: Tx, scope: Scope, project_id: UUID, url: str) -> Document | None:
    root_id = await chains.root_at_url(tx, scope, project_id, url)
    return await store.latest_of_chain(tx, scope, root_id) if root_id else None


async def latest_locked(tx: Tx, scope: Scope, root_id: UUID) -> Document | None:
    """One at a time: who waits for a row that is replaced meanwhile would find nothing."""
    await chains.lock_chain(tx, scope, root_id)
    return await store.latest_of_chain(tx, scope, root_id)


def kept_from(previous: Document, draft: Draft, tags: Sequence[str]) -> dict[str, Any]:
    """What a version inherits from the one before it, if not given: `tags` are
    those found in its own text."""
    values: dict[str, Any] = {}
    if not draft.source_url:
        values["source_url"] = previous.source_url
    if not draft.tags:
        values["tags"] = unique_tags((*previous.tags, *tags))[:TAGS_LIMIT]
    if draft.updates_id and not draft.title and _is_given(previous):
        values["title"] = previous.title
    if draft.updates_id and not draft.forget_after:
        values["forget_after"] = previous.forget_after
    return values


def _is_given(document: Document) -> bool:
    return document.title.casefold() not in document.content[:_BEGINNING].casefold()


async def place_before(
    tx: Tx, scope: Scope, latest: Document, document: Document
) -> dict[str, Any]:
    """The columns of a version that was saved before others of its chain and is read after them."""
    chain = await store.versions(tx, scope, latest.root_id)
    later = [one for one in chain if one.created_at > document.created_at]
    version = min(one.version for one in later)
    before = next((one.id for one in chain if one.version < version), None)
    await chains.make_room(tx, scope, latest.root_id, version)
    return {
        "root_id": latest.root_id,
        "version": version,
        "previous_id": before,
        "is_latest": False,
        "status": "done",
    }
