"""List the highlights of all documents."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from remem.core.memories.highlights import highlight_store
from remem.core.memories.highlights.model import Highlight, highlight_of
from remem.core.transaction import Tx


async def page_of_highlights(
    tx: Tx,
    project_ids: Sequence[UUID] | None,
    tags: Sequence[str],
    after: tuple[datetime, UUID] | None,
    limit: int,
) -> list[tuple[Highlight, str]]:
    """A page of highlights, newest first, each with the title of its document."""
    rows = await highlight_store.page(tx, project_ids, tags, after, limit)
    return [
        (highlight_of(memory, memory.document_id), title)
        for memory, title in rows
        if memory.document_id
    ]
