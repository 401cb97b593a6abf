"""SQL of lists of documents, in any order, a page at a time.

Conditions are written only when they are asked for, so that each finds its index. The text of a
document is not read: a page of a hundred may have fifty million characters."""

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from remem.core.db import Tx
from remem.core.documents.model import Document, DocumentChoice, Place, Sort
from remem.core.documents.store import COLUMNS, COUNT, CURRENT, SLUG
from remem.core.scope import Scope
from remem.core.text import has_tags
from remem.core.unreadable import values_of

_WITHOUT_TEXT = COLUMNS.replace(" content,", " '' AS content,")
_SIZE = (
    "coalesce((SELECT b.size FROM blobs b WHERE b.tenant_id = d.tenant_id AND b.key = d.blob_key),"
    " octet_length(d.content))::bigint"
)
_ORDER: dict[Sort, tuple[str, str]] = {
    "created": ("d.created_at", "timestamptz"),
    "updated": ("d.updated_at", "timestamptz"),
    "title": ("lower(d.title)", "text"),
    "size": (_SIZE, "bigint"),
}


async def page(
    tx: Tx,
    scope: Scope,
    choice: DocumentChoice,
    project_ids: Sequence[UUID] | None,
    after: Place | None,
    limit: int,
) -> list[Document]:
    """Those that follow a place in the order that is asked for."""
    where, values = _where(scope, choice, project_ids)
    order, kind = _ORDER[choice.sort]
    if after:
        values += after
        sign, last = ">" if choice.ascending else "<", len(values)
        where += f" AND ({order}, d.id) {sign} (${last - 1}::{kind}, ${last})"
    direction = "ASC" if choice.ascending else "DESC"
    rows = await tx.fetch(
        f"SELECT {_WITHOUT_TEXT}, {COUNT}, {SLUG}, {_SIZE} AS size_bytes FROM documents d"
        f" WHERE {where} ORDER BY {order} {direction}, d.id {direction} LIMIT {int(limit)}",
        *values,
    )
    return [Document(**values_of(row)) for row in rows]


async def count(
    tx: Tx, scope: Scope, choice: DocumentChoice, project_ids: Sequence[UUID] | None
) -> int:
    where, values = _where(scope, choice, project_ids)
    return await tx.fetchval(f"SELECT count(*)::int FROM documents d WHERE {where}", *values)


async def titles(tx: Tx, scope: Scope, ids: Sequence[UUID]) -> dict[UUID, str]:
    rows = await tx.fetch(
        "SELECT id, title FROM documents WHERE tenant_id = $1 AND id = ANY($2)",
        scope.tenant_id,
        list(ids),
    )
    return {row["id"]: row["title"] for row in rows}


def _where(
    scope: Scope, choice: DocumentChoice, project_ids: Sequence[UUID] | None
) -> tuple[str, list[Any]]:
    values: list[Any] = [scope.tenant_id]

    def place(value: Any) -> str:
        values.append(value)
        return f"${len(values)}"

    parts = ["d.tenant_id = $1", CURRENT, *_conditions(choice, place)]
    if project_ids is not None:
        parts.append(f"d.project_id = ANY({place(list(project_ids))})")
    return " AND ".join(parts), values


def _conditions(choice: DocumentChoice, place: Callable[[Any], str]) -> list[str]:
    parts: list[str] = []
    if choice.status:
        parts.append(f"d.status = {place(choice.status)}")
    if choice.content_types:
        parts.append(f"d.content_type = ANY({place(list(choice.content_types))})")
    if choice.tags:
        parts.append(has_tags("d.tags", f"{place(list(choice.tags))}::text[]"))
    if choice.created_after:
        parts.append(f"d.created_at >= {place(choice.created_after)}")
    if choice.created_before:
        parts.append(f"d.created_at < {place(choice.created_before)}")
    if choice.title:
        parts.append(f"strpos(lower(d.title), lower({place(choice.title)})) > 0")
    return parts
