"""Say whether a document is the user's own: then "my" in it, and in its memories, is theirs."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

from remem.core.db import retry_on_deadlock
from remem.core.documents import document_store
from remem.core.documents.distil import distil_again
from remem.core.documents.model import CONNECTED, Document, Draft
from remem.core.documents.voice import is_mine, own_speaker, owner_of, says_mine
from remem.core.enrich.reading import front_matter
from remem.core.errors import Conflict, Invalid
from remem.core.events.record import record
from remem.core.language.person import is_user
from remem.core.ports import Ports
from remem.core.projects.manage import note_write
from remem.core.scope import Scope
from remem.core.transaction import Tx

_OWN = {"speaker": "user"}


def metadata_with_owner(
    document: Document, metadata: Mapping[str, Any], *, mine: bool
) -> dict[str, Any]:
    """The metadata with the mark that the user wrote the document, or without it."""
    speaker = str(metadata.get("speaker") or "")
    if not is_user(speaker):
        raise Conflict(
            f"The metadata names {speaker} as the speaker of this document; save it again without"
            " `speaker` to change whose it is.",
            code="other_speaker",
        )
    others = {name: value for name, value in metadata.items() if name != "speaker"}
    if mine:
        return others if is_mine(replace(document, metadata=others)) else others | _OWN
    if is_mine(replace(document, metadata=others)):
        raise Invalid("mine", "is always true of what you typed; name its author in the metadata")
    return others


async def follow_owner(ports: Ports, tx: Tx, before: Document, metadata: Mapping[str, Any]) -> None:
    """Distil a document again if its new metadata changes whose it is: its memories follow."""
    after = replace(before, metadata=dict(metadata))
    if owner_of(before, before.blob_key) == owner_of(after, after.blob_key):
        return
    await note_write(tx, before.project_id)
    await distil_again(ports, tx, [before.id])


def says_own(draft: Draft) -> bool:
    """Whether a save says that its text is the user's: by its metadata, or because it was typed."""
    if says_mine(draft.metadata):
        return True
    if not is_user(str(draft.metadata.get("speaker") or "")):
        return False
    if draft.original or draft.extracted or draft.fetch or draft.source.startswith(CONNECTED):
        return False
    fields = {**front_matter(draft.content)[0], "speaker": None, **draft.metadata}
    where = (draft.content_type or "text", draft.source_url)
    return own_speaker(*where, fields, draft.title or "", None) is None


@retry_on_deadlock
async def make_mine(ports: Ports, scope: Scope, id: UUID) -> Document | None:
    """Mark a document as the user's because they saved it again as their own; None if it is theirs
    already, or names another speaker."""
    async with ports.db.transaction(scope) as tx:
        return await make_mine_in(ports, tx, id)


async def make_mine_in(ports: Ports, tx: Tx, id: UUID) -> Document | None:
    await document_store.lock(tx, id)
    document = await document_store.find(tx, id)
    if document is None or not document.is_latest or is_mine(document):
        return None
    if not is_user(str(document.metadata.get("speaker") or "")):
        return None
    metadata = document.metadata | _OWN
    await document_store.update_columns(tx, id, {"metadata": metadata})
    await follow_owner(ports, tx, document, metadata)
    await record(tx, "document", id, "update", {"fields": ["mine"]})
    return replace(document, metadata=metadata)
