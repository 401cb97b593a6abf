"""SQL of lists of documents, in any order, a page at a time.

A condition is only added when its filter is set, so that the query can use its index. Only the
beginning of each text is read: a page of a hundred may have fifty million characters."""

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from remem.core.documents.document_store import COLUMNS, COUNT, CURRENT, FLAGS, SLUG
from remem.core.documents.excerpt import OPENING_CHARS
from remem.core.documents.model import Document, DocumentChoice, DocumentPosition, Sort
from remem.core.flags import has_flag_sql
from remem.core.scope import Scope
from remem.core.text import has_tags_sql
from remem.core.transaction import Tx
from remem.core.unreadable import row_values

_WITHOUT_TEXT = COLUMNS.replace(
    " content,", f" '' AS content, left(content, {OPENING_CHARS}) AS opening,"
)
_SIZE = (
    "coalesce((SELECT b.size FROM blobs b WHERE b.tenant_id = $1 AND b.key = d.blob_key),"
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
    choice: DocumentChoice,
    project_ids: Sequence[UUID] | None,
    after: DocumentPosition | None,
    limit: int,
) -> list[Document]:
    """The documents after a position, in the requested order."""
    where, values = _where(tx.scope, choice, project_ids)
    order, kind = _ORDER[choice.sort]
    if after:
        values += after
        sign, last = ">" if choice.ascending else "<", len(values)
        where += f" AND ({order}, d.id) {sign} (${last - 1}::{kind}, ${last})"
    direction = "ASC" if choice.ascending else "DESC"
    rows = await tx.system.fetch(
        f"SELECT {_WITHOUT_TEXT}, {COUNT}, {SLUG}, {FLAGS}, {_SIZE} AS size_bytes FROM documents d"
        f" WHERE {where} ORDER BY {order} {direction}, d.id {direction} LIMIT {int(limit)}",
        *values,
    )
    return [Document(**row_values(row)) for row in rows]


async def count(tx: Tx, choice: DocumentChoice, project_ids: Sequence[UUID] | None) -> int:
    where, values = _where(tx.scope, choice, project_ids)
    return await tx.system.fetchval(f"SELECT count(*)::int FROM documents d WHERE {where}", *values)


async def titles(tx: Tx, ids: Sequence[UUID]) -> dict[UUID, str]:
    rows = await tx.fetch(
        "SELECT id, title FROM documents WHERE tenant_id = $1 AND id = ANY($2)", list(ids)
    )
    return {row["id"]: row["title"] for row in rows}


async def types(tx: Tx, ids: Sequence[UUID]) -> dict[UUID, str]:
    rows = await tx.fetch(
        "SELECT id, content_type FROM documents WHERE tenant_id = $1 AND id = ANY($2)", list(ids)
    )
    return {row["id"]: row["content_type"] for row in rows}


async def containing(
    tx: Tx,
    text: str,
    project_ids: Sequence[UUID] | None,
    document_id: UUID | None,
    limit: int,
    *,
    any_case: bool,
) -> list[Document]:
    """The newest documents whose text contains `text`, with their text."""
    where, values = _where(tx.scope, DocumentChoice(), project_ids)
    values.append(text)
    part = f"${len(values)}"
    is_inside = "strpos(lower(d.content), lower({}))" if any_case else "strpos(d.content, {})"
    where += f" AND {is_inside.format(part)} > 0"
    if document_id:
        values.append(document_id)
        where += f" AND d.id = ${len(values)}"
    rows = await tx.system.fetch(
        f"SELECT {COLUMNS}, {COUNT}, {SLUG}, {FLAGS} FROM documents d WHERE {where}"
        f" ORDER BY d.created_at DESC, d.id DESC LIMIT {int(limit)}",
        *values,
    )
    return [Document(**row_values(row)) for row in rows]


def _where(
    scope: Scope, choice: DocumentChoice, project_ids: Sequence[UUID] | None
) -> tuple[str, list[Any]]:
    values: list[Any] = [scope.tenant_id]

    def parameter(value: Any) -> str:
        values.append(value)
        return f"${len(values)}"

    parts = ["d.tenant_id = $1", CURRENT, *_conditions(choice, parameter)]
    if project_ids is not None:
        parts.append(f"d.project_id = ANY({parameter(list(project_ids))})")
    return " AND ".join(parts), values


def _conditions(choice: DocumentChoice, parameter: Callable[[Any], str]) -> list[str]:
    parts: list[str] = []
    if choice.status:
        parts.append(f"d.status = {parameter(choice.status)}")
    if choice.content_types:
        parts.append(f"d.content_type = ANY({parameter(list(choice.content_types))})")
    if choice.tags:
        parts.append(has_tags_sql("d.tags", f"{parameter(list(choice.tags))}::text[]"))
    if choice.created_after:
        parts.append(f"d.created_at >= {parameter(choice.created_after)}")
    if choice.created_before:
        parts.append(f"d.created_at < {parameter(choice.created_before)}")
    if choice.source_url:
        parts.append(f"d.source_url = {parameter(choice.source_url)}")
    parts += [has_flag_sql(flag) for flag in choice.flags]
    if not (choice.with_archived or "archived" in choice.flags):
        parts.append(f"NOT {has_flag_sql('archived')}")
    if choice.title:
        parts.append(f"strpos(lower(d.title), lower({parameter(choice.title)})) > 0")
    return parts
