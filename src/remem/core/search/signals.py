"""Collect the candidates of a query: by word, by meaning, by time; each with every measure."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

import numpy as np
import structlog

from remem.core.db import Tx
from remem.core.errors import Unavailable
from remem.core.index.match import Chosen, Match, Matches, choose, count
from remem.core.index.spell import mended_terms, near_terms
from remem.core.index.tokens import query_terms
from remem.core.ports import Ports, Vector
from remem.core.scope import Scope
from remem.core.search import store
from remem.core.search.evidence import Pool
from remem.core.search.model import Filters
from remem.core.search.plan import Plan
from remem.core.search.strategies import Strategy
from remem.core.search.times import Window

CLAUSES_MAX = 3
_CLAUSE = re.compile(r"(?<=[?.!;])\s+|,\s+(?:and|or)\s+|(?<!\s)\s++or\s+", re.I)

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Where:
    """What is searched: things of one kind, in projects (all, when None), under filters."""

    kind: str
    projects: Sequence[UUID] | None
    filters: Filters


async def gather(
    ports: Ports, tx: Tx, scope: Scope, plan: Plan, strategy: Strategy, where: Where
) -> Pool:
    """The query is embedded while the database looks for its words."""
    embedding = asyncio.create_task(_embedded(ports, plan, strategy))
    try:
        chosen = await _by_word(tx, scope, plan, strategy, where)
        vectors = await embedding
    finally:
        embedding.cancel()
    near = await _by_meaning(ports, tx, scope, plan, strategy, where, vectors)
    words = await count(tx, scope, chosen, list(near))
    vector = vectors[0] if vectors else None
    pool = await _pool(ports, tx, scope, plan, where.kind, words, near, vector)
    return replace(pool, is_whole=bool(vectors) or not strategy.vectors)


async def _embedded(ports: Ports, plan: Plan, strategy: Strategy) -> list[Vector]:
    """Without an embedder we still answer by word."""
    texts = [plan.embedded, *(_clauses(plan.embedded) if strategy.clauses else ())]
    if not strategy.vectors:
        return []
    try:
        return [await ports.embedder.embed_query(text) for text in texts]
    except Unavailable as error:
        log.warning("recall_without_vectors", error=error.code)
        return []


def _clauses(query: str) -> list[str]:
    parts = [part.strip() for part in _CLAUSE.split(query) if len(part.split()) >= 3]
    return parts[:CLAUSES_MAX] if len(parts) > 1 else []


async def _by_word(tx: Tx, scope: Scope, plan: Plan, strategy: Strategy, where: Where) -> Chosen:
    """A word that nobody wrote is taken for those that differ from it by a slip; when none of them
    stands anywhere, also for those that begin so."""
    allowed = store.among(scope, where.kind, where.filters)
    kind, pool, asked = where.kind, strategy.pool, query_terms(plan.text)
    chosen = await choose(tx, scope, kind, asked, where.projects, pool, allowed)
    missing = [term for term in asked if term not in chosen.words.weights]
    if not chosen.ids:
        meant = await near_terms(tx, scope, kind, asked)
    elif mended := await mended_terms(tx, scope, kind, missing):
        meant = [*asked, *mended]
    else:
        return chosen
    return await choose(tx, scope, kind, meant, where.projects, pool, allowed)


async def _by_meaning(
    ports: Ports,
    tx: Tx,
    scope: Scope,
    plan: Plan,
    strategy: Strategy,
    where: Where,
    vectors: Sequence[Vector],
) -> dict[UUID, float]:
    """Cosines to the query; what only a clause is near to is measured later."""
    found: dict[UUID, float] = {}
    asked: list[tuple[Vector, int, Sequence[Window]]]
    asked = [(vector, strategy.pool, ()) for vector in vectors]
    if vectors and plan.windows and strategy.in_time:
        asked.append((vectors[0], strategy.in_time, plan.windows))
    for vector, limit, windows in asked:
        near = await ports.vectors.search(
            tx,
            scope,
            ports.embedder.model,
            where.kind,
            vector,
            where.projects,
            limit,
            store.among(scope, where.kind, where.filters, windows),
        )
        found |= {hit.id: hit.cosine if vector is vectors[0] else np.nan for hit in near}
    return found


async def _pool(
    ports: Ports,
    tx: Tx,
    scope: Scope,
    plan: Plan,
    kind: str,
    words: Matches,
    near: dict[UUID, float],
    vector: Vector | None,
) -> Pool:
    ids = list(dict.fromkeys([*(match.id for match in words.found), *near]))
    signs = await store.signs(tx, scope, kind, ids, plan.exact)
    signs.sort(key=lambda sign: sign.id)
    terms = list(words.weights)
    counted = {match.id: match for match in words.found}
    cosines = await _measured(ports, tx, scope, kind, vector, near, [sign.id for sign in signs])
    matches = [counted.get(sign.id) for sign in signs]
    return Pool(
        signs=signs,
        cosine=np.array([cosines.get(sign.id, 0.0) for sign in signs]),
        tf=_table(matches, terms),
        length=np.array([match.length if match else words.mean_length for match in matches], float),
        weight=np.array([words.weights[term] for term in terms]),
        mean_length=words.mean_length,
    )


async def _measured(
    ports: Ports,
    tx: Tx,
    scope: Scope,
    kind: str,
    vector: Vector | None,
    near: dict[UUID, float],
    ids: Sequence[UUID],
) -> dict[UUID, float]:
    """A candidate that words alone brought has a cosine too; to take it for 0 would bury it."""
    known = {id: cosine for id, cosine in near.items() if not np.isnan(cosine)}
    left = [id for id in ids if id not in known]
    if vector is None or not left:
        return known
    model = ports.embedder.model
    hits = await ports.vectors.cosines(tx, scope, model, kind, vector, left)
    return known | {hit.id: hit.cosine for hit in hits}


def _table(matches: Sequence[Match | None], terms: Sequence[str]) -> np.ndarray:
    rows = [[match.counts.get(term, 0) if match else 0 for term in terms] for match in matches]
    return np.array(rows, dtype=float).reshape(len(matches), len(terms))
