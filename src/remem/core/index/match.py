"""Find by word: BM25 over one tenant's postings."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID

from remem.core.db import Row, Tx
from remem.core.index import store
from remem.core.index.bm25 import rarity
from remem.core.index.tokens import query_terms
from remem.core.ports import Among
from remem.core.scope import Scope


@dataclass(slots=True)
class Match:
    """A text and how often the terms stand in it. The score has no upper end; it is 0 for what was
    found otherwise."""

    id: UUID
    score: float
    length: int
    counts: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Matches:
    """What shares words with the query, best first, and what those words weigh here."""

    found: list[Match]
    weights: dict[str, float]
    mean_length: float


async def match_words(
    tx: Tx,
    scope: Scope,
    kind: str,
    query: str,
    project_ids: Sequence[UUID] | None,
    limit: int,
) -> Matches:
    return await match_terms(tx, scope, kind, query_terms(query), project_ids, limit)


async def match_terms(
    tx: Tx,
    scope: Scope,
    kind: str,
    asked: Sequence[str],
    project_ids: Sequence[UUID] | None,
    limit: int,
    among: Among | None = None,
    also: Sequence[UUID] = (),
) -> Matches:
    """`also` are texts found otherwise: their words are counted with the rest."""
    if not asked:
        return Matches([], {}, 1.0)
    rows = await store.match(tx, scope, kind, asked, project_ids, limit, among, also)
    if not rows:
        return Matches([], {}, 1.0)
    texts, terms = rows[0]["texts"], rows[0]["terms"]
    weights = {row["term"]: rarity(texts, row["df"]) for row in rows}
    return Matches(_gathered(rows), weights, terms / texts)


def _gathered(rows: Sequence[Row]) -> list[Match]:
    found: dict[UUID, Match] = {}
    for row in rows:
        id = row["owner_id"]
        match = found.get(id) or found.setdefault(id, Match(id, row["score"], row["length"]))
        match.counts[row["term"]] = row["tf"]
    return sorted(found.values(), key=lambda match: (-match.score, -match.id.int))
