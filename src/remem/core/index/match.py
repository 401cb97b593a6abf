"""Find by word: BM25 over one tenant's postings."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from remem.core.db import Tx
from remem.core.index import store
from remem.core.index.tokens import query_terms
from remem.core.scope import Scope


@dataclass(frozen=True, slots=True)
class Match:
    """A text that shares words with the query; the score is above 0 and has no upper end."""

    id: UUID
    score: float


async def match_words(
    tx: Tx, scope: Scope, kind: str, query: str, project_ids: Sequence[UUID] | None, limit: int
) -> list[Match]:
    asked = query_terms(query)
    if not asked:
        return []
    rows = await store.match(tx, scope, kind, asked, project_ids, limit)
    return [Match(id=row["owner_id"], score=row["score"]) for row in rows]
