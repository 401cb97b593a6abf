"""SQL of the audit trail."""

from typing import Any
from uuid import UUID

from remem.core.db import Tx
from remem.core.scope import Scope
from remem.core.time import new_id


async def record(
    tx: Tx, scope: Scope, kind: str, subject_id: UUID, type: str, data: dict[str, Any] | None = None
) -> None:
    """Add one line, in the transaction of the change it tells of."""
    await tx.execute(
        "INSERT INTO events (tenant_id, id, subject_kind, subject_id, type, data, actor,"
        " request_id) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        scope.tenant_id,
        new_id(),
        kind,
        subject_id,
        type,
        data or {},
        scope.actor,
        scope.request_id,
    )
