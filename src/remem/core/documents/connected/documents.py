"""Whether a document that a connection reads was also saved by a person."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from remem.core.documents.connected import connected_document_store
from remem.core.documents.forget import erase, erase_versions
from remem.core.documents.model import CONNECTED
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.transaction import Tx
from remem.core.unreadable import row_values

# A longer text is a document, not a note that could be written to the service.
TEXT_CHARS = 20_000
# Sources of what a person saved, as opposed to an import or another connection.
SAVED_BY_HAND = ("api", "mcp")


@dataclass(frozen=True, slots=True)
class ConnectedDocument:
    """The latest version of a document. `is_only_connected`: no person saved it, or changed its
    content here since it was read."""

    id: UUID
    root_id: UUID
    project_id: UUID
    is_only_connected: bool


@dataclass(frozen=True, slots=True)
class SavedText:
    """A text that a person saved. Its `root_id` stays the same when the text changes."""

    root_id: UUID
    title: str
    content: str
    tags: list[str]
    created_at: datetime


async def find_connected(tx: Tx, ids: Sequence[UUID]) -> list[ConnectedDocument]:
    """The current state of the documents with these ids, without deleted ones; locks them."""
    own = {*ids, *(row["duplicate_of"] for row in await connected_document_store.copies(tx, ids))}
    return [
        ConnectedDocument(
            row["id"],
            row["root_id"],
            row["project_id"],
            row["source"].startswith(CONNECTED) and row["id"] in own,
        )
        for row in await connected_document_store.chains(tx, ids)
    ]


async def erase_connected(ports: Ports, tx: Tx, document: ConnectedDocument) -> None:
    await erase_versions(ports, tx, document.project_id, document.root_id)


async def erase_copies(ports: Ports, tx: Tx, ids: Sequence[UUID]) -> None:
    """Erase the rows that only record that something was a copy."""
    for row in await connected_document_store.copies(tx, ids):
        await erase(ports, tx, row["project_id"], row["id"])


async def claim(ports: Ports, scope: Scope, id: UUID, source: str) -> None:
    """Record that a person saved a document of a connection: it stays when the connection removes
    it."""
    async with ports.db.transaction(scope) as tx:
        await connected_document_store.claim(tx, id, source)


async def saved_texts(tx: Tx, project_id: UUID, limit: int) -> list[SavedText]:
    """The newest short texts of a project that were saved by a person."""
    rows = await connected_document_store.short_texts(
        tx, project_id, SAVED_BY_HAND, TEXT_CHARS, limit
    )
    return [SavedText(**row_values(row)) for row in rows]
