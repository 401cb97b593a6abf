"""List what was deleted and can be restored."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from remem.core.documents.deleted import deleted_document_store
from remem.core.ports import Ports
from remem.core.scope import Scope


@dataclass(frozen=True, slots=True)
class DeletedDocument:
    id: UUID
    title: str
    deleted_at: datetime
    restorable_until: datetime


async def list_deleted_documents(ports: Ports, scope: Scope, limit: int) -> list[DeletedDocument]:
    """The documents in the trash, latest first."""
    async with ports.db.transaction(scope) as tx:
        return [
            DeletedDocument(**dict(row))
            for row in await deleted_document_store.restorable(tx, limit)
        ]
