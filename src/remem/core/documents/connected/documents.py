"""Whose a document is that a connection reads: a person's, or only the connection's."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from remem.core.db import Tx
from remem.core.documents.connected import store
from remem.core.documents.forget import erase, erase_versions
from remem.core.documents.model import CONNECTED
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.unreadable import values_of

# Longer ones are documents, and nothing to be written down again.
TEXT_CHARS = 20_000
# Not what an import or another connection brought.
SAVED_BY_HAND = ("api", "mcp")


@dataclass(frozen=True, slots=True)
class ConnectedDocument:
    """The latest version of a document. `is_only_connected`: nobody saved it, and nobody changed
    its content here since it was read."""

    id: UUID
    root_id: UUID
    project_id: UUID
    is_only_connected: bool


@dataclass(frozen=True, slots=True)
class SavedText:
    """`root_id` stays when it changes."""

    root_id: UUID
    title: str
    content: str
    tags: list[str]
    created_at: datetime


async def find_connected(tx: Tx, scope: Scope, ids: Sequence[UUID]) -> list[ConnectedDocument]:
    """What documents of these ids are now; nothing for one that was deleted. They stay locked."""
    own = {*ids, *(row["duplicate_of"] for row in await store.copies(tx, scope, ids))}
    return [
        ConnectedDocument(
            row["id"],
            row["root_id"],
            row["project_id"],
            row["source"].startswith(CONNECTED) and row["id"] in own,
        )
        for row in await store.chains(tx, scope, ids)
    ]


async def erase_connected(ports: Ports, tx: Tx, scope: Scope, document: ConnectedDocument) -> None:
    await erase_versions(ports, tx, scope, document.project_id, document.root_id)


async def erase_copies(ports: Ports, tx: Tx, scope: Scope, ids: Sequence[UUID]) -> None:
    """The rows that only say that something was a copy."""
    for row in await store.copies(tx, scope, ids):
        await erase(ports, tx, scope, row["project_id"], row["id"])


async def claim(ports: Ports, scope: Scope, id: UUID, source: str) -> None:
    """Note that somebody saved what a connection had brought: it stays when that removes it."""
    async with ports.db.transaction(scope) as tx:
        await store.claim(tx, scope, id, source)


async def saved_texts(tx: Tx, scope: Scope, project_id: UUID, limit: int) -> list[SavedText]:
    """The newest short texts of a project that somebody saved themselves."""
    rows = await store.short_texts(tx, scope, project_id, SAVED_BY_HAND, TEXT_CHARS, limit)
    return [SavedText(**values_of(row)) for row in rows]
