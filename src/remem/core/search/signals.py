"""Collect the candidates of a query: by word, by meaning, by time; each with every measure."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

import numpy as np
import structlog

from remem.core.db import Tx
from remem.core.errors import Unavailable
from remem.core.index.kinds import CHUNK, MEMORY
from remem.core.index.match import Chosen, Match, Matches, choose, count
from remem.core.index.spell import completed_terms, repaired_terms
from remem.core.language.tokens import has_unspaced, query_terms
from remem.core.ports import Ports, Vector
from remem.core.scope import Scope
from remem.core.search import store
from remem.core.search.evidence import Pool
from remem.core.search.merge import merge_sources
from remem.core.search.model import Features, Where
from remem.core.search.plan import Plan
from remem.core.search.policy import POLICY
from remem.core.search.strategies import Strategy
from remem.core.telemetry import timed

_CLAUSE = re.compile(r"(?<=[?.!;])\s+|,\s+(?:and|or)\s+|(?<!\s)\s++or\s+", re.I)

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class _Asked:
    """What every step needs: the query as it was read, how hard to look, and where."""

    plan: Plan
    strategy: Strategy
    where: Where


async def gather(
    ports: Ports, tx: Tx, scope: Scope, plan: Plan, strategy: Strategy, where: Where
) -> Pool:
    """The query is embedded while the database looks for its words."""
    asked = _Asked(plan, strategy, where)
    embedding = asyncio.create_task(_embedded(ports, plan, strategy))
    try:
        with timed("search_stage", stage="words"):
            chosen = await _by_word(tx, scope, asked)
        with timed("search_stage", stage="wait_for_embedding"):
            vectors = await embedding
    finally:
        embedding.cancel()
    with timed("search_stage", stage="vectors"):
        near, is_whole = await _near(ports, tx, scope, asked, vectors, chosen.limit)
    with timed("search_stage", stage="features"):
        features = await _features(tx, scope, asked, chosen, near)
        words = await count(tx, scope, chosen, {item.id: item.kind for item in features})
        cosines = await _measured(ports, tx, scope, vectors[0], near, features) if vectors else {}
    pool = merge_sources(_pool(features, words, cosines))
    return replace(
        pool,
        is_whole=(bool(vectors) and is_whole) or not strategy.vectors,
        by_word_alone=has_unspaced(plan.text),
    )


async def _embedded(ports: Ports, plan: Plan, strategy: Strategy) -> list[Vector]:
    """Without an embedder we still answer by word."""
    texts = [plan.embedded, *(_clauses(plan.embedded) if strategy.clauses else ())]
    if not strategy.vectors:
        return []
    try:
        with timed("search_stage", stage="embedding"):
            return [await ports.embedder.embed_query(text) for text in texts]
    except Unavailable as error:
        log.warning("recall_without_vectors", error=error.code)
        return []


def _clauses(query: str) -> list[str]:
    least = POLICY.clause_words
    parts = [part.strip() for part in _CLAUSE.split(query) if len(part.split()) >= least]
    return parts[: POLICY.clauses] if len(parts) > 1 else []


async def _by_word(tx: Tx, scope: Scope, asked: _Asked) -> Chosen:
    """A word that stands nowhere is taken for those that differ from it by a slip; where it is the
    only one, also for those that begin so."""
    where, pool = asked.where, asked.strategy.pool
    terms = query_terms(asked.plan.text)
    asked_for = (where.kinds, terms, where.projects, pool, where.filters)
    chosen = await choose(tx, scope, *asked_for, grows=True)
    missing = [term for term in terms if term not in chosen.words.weights]
    if not missing:
        return chosen
    alone = len(asked.plan.text.split()) == 1 and not chosen.ids
    guess = completed_terms if alone else repaired_terms
    instead = await guess(tx, scope, where.kinds, missing)
    if not instead:
        return chosen
    return await choose(tx, scope, *asked_for, instead=instead, grows=True)


async def _near(
    ports: Ports, tx: Tx, scope: Scope, asked: _Asked, vectors: Sequence[Vector], pool: int
) -> tuple[dict[UUID, tuple[str, float]], bool]:
    """While the index of vectors is down we answer by word, and say that this is not all."""
    try:
        return await _by_meaning(ports, tx, scope, asked, vectors, pool), True
    except Unavailable as error:
        log.warning("recall_without_neighbours", error=error.code)
        return {}, False


async def _by_meaning(
    ports: Ports, tx: Tx, scope: Scope, asked: _Asked, vectors: Sequence[Vector], pool: int
) -> dict[UUID, tuple[str, float]]:
    """Kinds and cosines to the query; what only a clause is near to is measured later."""
    found: dict[UUID, tuple[str, float]] = {}
    plan, strategy, where = asked.plan, asked.strategy, asked.where
    looks = [(vector, pool, where.filters) for vector in vectors]
    if vectors and plan.windows and strategy.in_time:
        in_time = replace(where.filters, windows=tuple(plan.windows))
        looks.append((vectors[0], strategy.in_time, in_time))
    for kind in where.kinds:
        for vector, limit, filters in looks:
            near = await ports.vectors.search(
                tx,
                scope,
                ports.embedder.model,
                kind,
                vector,
                where.projects,
                limit,
                filters,
            )
            whole = vector is vectors[0]
            found |= {hit.id: (kind, hit.cosine if whole else np.nan) for hit in near}
    return found


async def _features(
    tx: Tx, scope: Scope, asked: _Asked, chosen: Chosen, near: Mapping[UUID, tuple[str, float]]
) -> list[Features]:
    """The candidates, and the chunks that memories among them were taken from."""
    where, exact = asked.where, asked.plan.exact
    kinds = {**chosen.ids, **{id: kind for id, (kind, _) in near.items()}}
    memories = [id for id, kind in kinds.items() if kind == MEMORY]
    chunks = [id for id, kind in kinds.items() if kind == CHUNK]
    features = await store.features(tx, scope, MEMORY, memories, where, exact) if memories else []
    if CHUNK in where.kinds:
        chunks += [item.chunk_id for item in features if item.chunk_id]
        features += await store.features(tx, scope, CHUNK, list(set(chunks)), where, exact)
    return sorted(features, key=lambda item: item.id)


def _pool(features: Sequence[Features], words: Matches, cosines: Mapping[UUID, float]) -> Pool:
    terms = list(words.weights)
    counted = {match.id: match for match in words.found}
    matches = [counted.get(item.id) for item in features]
    return Pool(
        features=features,
        cosine=np.array([cosines.get(item.id, 0.0) for item in features]),
        tf=_table(matches, terms),
        length=np.array([match.length if match else 1.0 for match in matches], float),
        weight=np.array([words.weights[term] for term in terms]),
        asked_weight=words.asked,
    )


async def _measured(
    ports: Ports,
    tx: Tx,
    scope: Scope,
    vector: Vector,
    near: Mapping[UUID, tuple[str, float]],
    features: Sequence[Features],
) -> dict[UUID, float]:
    """A candidate that words alone brought has a cosine too; to take it for 0 would bury it."""
    known = {id: cosine for id, (_, cosine) in near.items() if not np.isnan(cosine)}
    model = ports.embedder.model
    for kind in {item.kind for item in features}:
        left = [item.id for item in features if item.kind == kind and item.id not in known]
        hits = await ports.vectors.cosines(tx, scope, model, kind, vector, left) if left else []
        known |= {hit.id: hit.cosine for hit in hits}
    return known


def _table(matches: Sequence[Match | None], terms: Sequence[str]) -> np.ndarray:
    rows = [[match.counts.get(term, 0) if match else 0 for term in terms] for match in matches]
    return np.array(rows, dtype=float).reshape(len(matches), len(terms))
