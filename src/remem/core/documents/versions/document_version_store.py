"""SQL of the versions of a document."""

from uuid import UUID

from remem.core.transaction import Tx


async def lock_url(tx: Tx, project_id: UUID, url: str) -> None:
    """Serialise saves of a URL, so that its versions form one chain."""
    await tx.system.execute(
        "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
        f"{tx.scope.tenant_id}:{project_id}:{url}",
    )


async def lock_chain(tx: Tx, root_id: UUID) -> None:
    """Serialise saves of versions of a document."""
    await tx.system.execute(
        "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", f"{tx.scope.tenant_id}:{root_id}"
    )


async def root_at_url(
    tx: Tx, project_id: UUID, url: str, excluded_root: UUID | None = None
) -> UUID | None:
    """The chain whose latest version has the URL, or else an earlier one. Documents that are not
    read yet do not count."""
    return await tx.fetchval(
        "SELECT root_id FROM documents WHERE tenant_id = $1 AND project_id = $2"
        " AND source_url = $3 AND content <> '' AND root_id IS DISTINCT FROM $4"
        " AND duplicate_of IS NULL ORDER BY is_latest DESC, created_at DESC LIMIT 1",
        project_id,
        url,
        excluded_root,
    )


async def append_chain(
    tx: Tx, root_id: UUID, to_root_id: UUID, last_id: UUID, last_version: int
) -> None:
    """Add the versions of a chain to another one, after its last version."""
    await tx.execute(
        "UPDATE documents SET root_id = $3, version = version + $5,"
        " previous_id = CASE id WHEN $2 THEN $4 ELSE previous_id END"
        " WHERE tenant_id = $1 AND root_id = $2",
        root_id,
        to_root_id,
        last_id,
        last_version,
    )


async def make_room(tx: Tx, root_id: UUID, version: int) -> None:
    """Increment the version numbers of a chain from `version` on, to insert another."""
    await tx.execute(
        "UPDATE documents SET version = version + 1"
        " WHERE tenant_id = $1 AND root_id = $2 AND version >= $3",
        root_id,
        version,
    )
