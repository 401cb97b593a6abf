"""SQL of highlights."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from remem.core.current import undeleted_memories
from remem.core.memories.highlights.model import HIGHLIGHT, HIGHLIGHTS_LIMIT
from remem.core.memories.memory_store import COLUMNS, SELECT
from remem.core.memories.model import Memory
from remem.core.text import has_tags_sql
from remem.core.transaction import Tx
from remem.core.unreadable import row_values

# A highlight stays one when a statement replaces it; of its own versions the newest is shown.
_SHOWN = (
    f"m.source = '{HIGHLIGHT}' AND {undeleted_memories('m')} AND NOT EXISTS (SELECT FROM memories n"
    f" WHERE n.tenant_id = $1 AND n.root_id = m.root_id AND n.source = '{HIGHLIGHT}'"
    f" AND n.version > m.version AND {undeleted_memories('n')})"
)
_DOCUMENT = "documents d WHERE d.tenant_id = $1 AND d.id = m.document_id"
_OF_CHAIN = "m.document_id IN (SELECT id FROM documents WHERE tenant_id = $1 AND root_id = $2)"


async def of_chain(tx: Tx, root_id: UUID) -> list[Memory]:
    """The highlights of every version of a document, oldest first."""
    rows = await tx.fetch(
        f"{SELECT} WHERE m.tenant_id = $1 AND {_OF_CHAIN} AND {_SHOWN}"
        f" ORDER BY m.created_at, m.id LIMIT {HIGHLIGHTS_LIMIT}",
        root_id,
    )
    return [Memory(**row_values(row)) for row in rows]


async def of_document(tx: Tx, document_id: UUID) -> list[Memory]:
    """Every version of the highlights of one version of a document, newest first."""
    rows = await tx.fetch(
        f"{SELECT} WHERE m.tenant_id = $1 AND m.document_id = $2 AND m.source = '{HIGHLIGHT}'"
        " ORDER BY m.version DESC",
        document_id,
    )
    return [Memory(**row_values(row)) for row in rows]


async def page(
    tx: Tx,
    project_ids: Sequence[UUID] | None,
    tags: Sequence[str],
    after: tuple[datetime, UUID] | None,
    limit: int,
) -> list[tuple[Memory, str]]:
    """Highlights, newest first, with the titles of their documents. A tag is the highlight's own,
    or its document's."""
    rows = await tx.fetch(
        f"SELECT {COLUMNS}, (SELECT title FROM {_DOCUMENT}) AS document_title FROM memories m"
        f" WHERE m.tenant_id = $1 AND {_SHOWN} AND EXISTS (SELECT FROM {_DOCUMENT})"
        " AND ($2::uuid[] IS NULL OR m.project_id = ANY($2))"
        f" AND {has_tags_sql(f'(m.tags || (SELECT d.tags FROM {_DOCUMENT}))', '$3::text[]')}"
        " AND ($4::timestamptz IS NULL OR (m.created_at, m.id) < ($4, $5::uuid))"
        f" ORDER BY m.created_at DESC, m.id DESC LIMIT {int(limit)}",
        list(project_ids) if project_ids is not None else None,
        list(tags),
        *(after or (None, None)),
    )
    titles = [row["document_title"] for row in rows]
    columns = ({k: v for k, v in row.items() if k != "document_title"} for row in rows)
    memories = (Memory(**row_values(row)) for row in columns)
    return list(zip(memories, titles, strict=True))
