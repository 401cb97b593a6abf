"""Rows of PostgreSQL as points of Qdrant: a vector with its payload."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid5

from remem.adapters.vector_index.qdrant_filters import bounded_metadata_values, rfc3339
from remem.core.scope import Scope
from remem.core.transaction import Row, Tx

CONTENT_CHARS = 4_000
_NAMESPACE = UUID("6f0f6f7e-3c0a-4b0e-9b7e-2d9f4f3f7a10")
_ROWS = {
    "chunk": """
SELECT e.owner_id, e.model, e.vector, e.project_id, d.user_id, c.document_id,
  left(c.content, $4) AS content, d.title, d.source_url, d.content_type, NULL AS category,
  d.tags, d.metadata, d.created_at, coalesce(c.said_at, d.created_at) AS moment
FROM embeddings e
LEFT JOIN chunks c ON c.tenant_id = $1 AND c.id = e.owner_id
LEFT JOIN documents d ON d.tenant_id = $1 AND d.id = c.document_id
WHERE e.tenant_id = $1 AND e.owner_kind = $2 AND e.owner_id = ANY($3)""",
    "memory": """
SELECT e.owner_id, e.model, e.vector, e.project_id, m.user_id, m.document_id,
  left(m.content, $4) AS content, coalesce(m.title, '') AS title, d.source_url, d.content_type,
  m.category, m.tags, m.context AS metadata, m.created_at,
  coalesce(m.occurred_at, m.said_at, m.created_at) AS moment
FROM embeddings e
LEFT JOIN memories m ON m.tenant_id = $1 AND m.id = e.owner_id
LEFT JOIN documents d ON d.tenant_id = $1 AND d.id = m.document_id
WHERE e.tenant_id = $1 AND e.owner_kind = $2 AND e.owner_id = ANY($3)""",
}


@dataclass(frozen=True, slots=True)
class Owner:
    """The owner of a vector; does not change while the model is in use."""

    kind: str
    id: UUID
    model: str

    def point_id(self, tenant_id: UUID) -> str:
        return str(uuid5(_NAMESPACE, f"{tenant_id}/{self.kind}/{self.id}/{self.model}"))


async def load_points(tx: Tx, owners: Iterable[Owner]) -> dict[Owner, dict[str, Any]]:
    """Load the current points; owners without a vector are left out."""
    wanted = set(owners)
    points: dict[Owner, dict[str, Any]] = {}
    for kind, query in _ROWS.items():
        ids = list({owner.id for owner in wanted if owner.kind == kind})
        rows = await tx.fetch(query, kind, ids, CONTENT_CHARS) if ids else []
        for row in rows:
            owner = Owner(kind, row["owner_id"], row["model"])
            if owner in wanted:
                points[owner] = _point(tx.scope, owner, row)
    return points


def _point(scope: Scope, owner: Owner, row: Row) -> dict[str, Any]:
    return {
        "id": owner.point_id(scope.tenant_id),
        "vector": row["vector"].tolist(),
        "payload": {name: value for name, value in _payload(scope, owner, row) if value},
    }


def _payload(scope: Scope, owner: Owner, row: Row) -> Sequence[tuple[str, Any]]:
    """The fields of a point; fields without a value are not stored."""
    return (
        ("tenant_id", str(scope.tenant_id)),
        ("kind", owner.kind),
        ("model", owner.model),
        ("memory_id", str(owner.id)),
        ("document_id", row["document_id"] and str(row["document_id"])),
        ("project_id", str(row["project_id"])),
        ("user_id", row["user_id"] and str(row["user_id"])),
        ("content", row["content"]),
        ("title", row["title"]),
        ("source_url", row["source_url"]),
        ("content_type", row["content_type"]),
        ("category", row["category"]),
        ("tags", sorted({tag.lower() for tag in row["tags"] or ()})),
        ("metadata_values", bounded_metadata_values(row["metadata"] or {})),
        ("created_at", row["created_at"] and rfc3339(row["created_at"])),
        ("moment", row["moment"] and rfc3339(row["moment"])),
    )
