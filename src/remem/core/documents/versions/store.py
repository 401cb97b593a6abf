"""SQL of the versions of a document."""

from uuid import UUID

from remem.core.db import Tx
from remem.core.scope import Scope


async def lock_url(tx: Tx, scope: Scope, project_id: UUID, url: str) -> None:
    """Let one save of a URL at a time through, so that its versions form one chain."""
    await tx.execute(
        "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
        f"{scope.tenant_id}:{project_id}:{url}",
    )


async def lock_chain(tx: Tx, scope: Scope, root_id: UUID) -> None:
    """Let one save of a document's version at a time through."""
    await tx.execute(
        "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", f"{scope.tenant_id}:{root_id}"
    )


async def root_at_url(
    tx: Tx, scope: Scope, project_id: UUID, url: str, but: UUID | None = None
) -> UUID | None:
    """The chain that has a URL in its latest version, or else had it in one before; what is still
    to be read has none yet."""
    return await tx.fetchval(
        "SELECT root_id FROM documents WHERE tenant_id = $1 AND project_id = $2"
        " AND source_url = $3 AND content <> '' AND id IS DISTINCT FROM $4"
        " AND duplicate_of IS NULL ORDER BY is_latest DESC, created_at DESC LIMIT 1",
        scope.tenant_id,
        project_id,
        url,
        but,
    )


async def make_room(tx: Tx, scope: Scope, root_id: UUID, version: int) -> None:
    """Increment the versions of a chain from one on, to insert another."""
    await tx.execute(
        "UPDATE documents SET version = version + 1"
        " WHERE tenant_id = $1 AND root_id = $2 AND version >= $3",
        scope.tenant_id,
        root_id,
        version,
    )
