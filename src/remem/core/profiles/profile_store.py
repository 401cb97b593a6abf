"""SQL of profiles."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.chunking.turns import LABEL_LIMIT
from remem.core.current import current_memories
from remem.core.language.person import page_speaker
from remem.core.profiles.model import ProfileEntry
from remem.core.text import shorten
from remem.core.transaction import Tx

_COLUMNS = (
    "id, content, category, confidence, speaker, said_at, dates, occurred_at, due_at, created_at"
)
_SHOWN = current_memories()
_LASTING = ["fact", "preference", "decision", "pattern", "lesson", "procedure", "insight"]
_TRANSIENT = ["episode", "context", "task", "note"]
_IN_PROJECTS = "($2::uuid[] IS NULL OR project_id = ANY($2))"
# What a web page or feed says is not about the user.
_IS_PERSONAL = (
    "coalesce(speaker, '') !~ '^(Feed|Page): ' AND (speaker IS NOT NULL OR NOT EXISTS ("
    "SELECT FROM documents d WHERE d.tenant_id = $1 AND d.id = memories.document_id"
    " AND d.content_type = 'html'))"
)
# Statements of people about themselves, preferences, and memories rated good or often read are the
# most informative.
_INFORMATIVENESS = (
    "confidence + CASE quality WHEN 'good' THEN 0.5 ELSE 0 END"
    " + CASE category WHEN 'preference' THEN 0.3 WHEN 'fact' THEN 0.2 ELSE 0 END"
    " + CASE WHEN content ~* '^(i|my|we|our)\\M' THEN 0.3 ELSE 0 END"
    " + 0.1 * ln(1 + access_count)"
)


async def lasting(tx: Tx, project_ids: Sequence[UUID] | None, limit: int) -> list[ProfileEntry]:
    """Lasting statements without a bad rating, most informative first."""
    order = f"{_INFORMATIVENESS} DESC, created_at DESC"
    return await _first(tx, project_ids, _LASTING, order, limit)


async def newest(tx: Tx, project_ids: Sequence[UUID] | None, limit: int) -> list[ProfileEntry]:
    """Statements about what happened, is in progress or is to be done, newest first."""
    order = "coalesce(occurred_at, said_at, created_at) DESC"
    return await _first(tx, project_ids, _TRANSIENT, order, limit)


async def sources(tx: Tx, ids: Sequence[UUID]) -> dict[UUID, tuple[str | None, str | None]]:
    """Of each memory, the page that it was distilled from if it has no speaker, and the product
    that it was imported from."""
    rows = await tx.fetch(
        "SELECT m.id,"
        " coalesce(m.context->>'imported_from', d.metadata->>'imported_from') AS origin,"
        " CASE WHEN m.speaker IS NULL AND d.content_type = 'html' THEN d.title END AS page"
        " FROM memories m LEFT JOIN documents d ON d.tenant_id = $1"
        " AND d.id = m.document_id WHERE m.tenant_id = $1 AND m.id = ANY($2)",
        list(ids),
    )
    return {row["id"]: (_page(row["page"]), row["origin"]) for row in rows}


def _page(title: str | None) -> str | None:
    return None if title is None else shorten(page_speaker(title), LABEL_LIMIT)


async def _first(
    tx: Tx, project_ids: Sequence[UUID] | None, categories: list[str], order: str, limit: int
) -> list[ProfileEntry]:
    rows = await tx.fetch(
        f"SELECT {_COLUMNS} FROM memories WHERE tenant_id = $1 AND {_IN_PROJECTS}"
        f" AND {_SHOWN} AND category = ANY($3) AND quality <> 'bad'"
        f" AND {_IS_PERSONAL} ORDER BY {order}, id DESC LIMIT $4",
        None if project_ids is None else list(project_ids),
        categories,
        limit,
    )
    return [ProfileEntry(**dict(row)) for row in rows]
