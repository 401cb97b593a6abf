"""Collect the candidates of a query, by word, meaning and time, with all their measures."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

import numpy as np
import structlog

from remem.core.errors import Unavailable
from remem.core.index.kinds import CHUNK, MEMORY
from remem.core.index.match import ChosenTexts, Match, Matches, choose_texts, count_terms
from remem.core.index.spell import complete_terms, correct_terms
from remem.core.language.tokens import has_unspaced, query_terms
from remem.core.language.word_keys import query_keys
from remem.core.ports import Embedder, Ports, Vector
from remem.core.search import store
from remem.core.search.evidence import Pool
from remem.core.search.merge import merge_sources
from remem.core.search.model import Features, Where
from remem.core.search.plan import Plan, is_keywords, name_words
from remem.core.search.prompt_calibration import asks_of
from remem.core.search.strategies import Strategy
from remem.core.telemetry import timed
from remem.core.transaction import Tx
from remem.core.vector_models.current import current_embedder

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class _Request:
    """What every step needs: the query plan, how thorough to search, where, and the embedder whose
    vectors are searched."""

    plan: Plan
    strategy: Strategy
    where: Where
    embedder: Embedder


async def gather(ports: Ports, tx: Tx, plan: Plan, strategy: Strategy, where: Where) -> Pool:
    """The query is embedded while the database searches for its words."""
    request = _Request(plan, strategy, where, await current_embedder(ports, tx))
    embedding = asyncio.create_task(_embed_query(request))
    try:
        with timed("search_stage", stage="words"):
            chosen = await _search_words(tx, request)
        with timed("search_stage", stage="wait_for_embedding"):
            vector = await embedding
    finally:
        embedding.cancel()
    with timed("search_stage", stage="vectors"):
        near, is_complete = await _search_vectors_if_available(
            ports, tx, request, vector, chosen.limit
        )
    with timed("search_stage", stage="features"):
        features = await _load_features(tx, request, chosen, near)
        words = await count_terms(tx, chosen, {item.id: item.kind for item in features})
        cosines = (
            {}
            if vector is None
            else await _complete_cosines(ports, tx, request, vector, near, features)
        )
    pool = merge_sources(_build_pool(features, words, cosines))
    return replace(
        pool,
        is_complete=(vector is not None and is_complete) or not strategy.vectors,
        words_only=has_unspaced(plan.text),
        name_words=name_words(plan.text),
        is_keywords=is_keywords(plan.text),
        asks=None if vector is None else asks_of(request.embedder.model, vector),
    )


async def _embed_query(request: _Request) -> Vector | None:
    """The vector of the query; none without an embedder, and word search answers alone."""
    if not request.strategy.vectors:
        return None
    try:
        with timed("search_stage", stage="embedding"):
            return await request.embedder.embed_query(request.plan.embedded)
    except Unavailable as error:
        log.warning("recall_without_vectors", error=error.code)
        return None


async def _search_words(tx: Tx, request: _Request) -> ChosenTexts:
    """Choose texts by word. A word in no text is matched despite a typo, and, if it is the only
    word, completed too."""
    where, pool = request.where, request.strategy.pool
    terms, keys = query_terms(request.plan.text), query_keys(request.plan.text)
    arguments = (where.kinds, terms, where.projects, pool, where.filters)
    chosen = await choose_texts(tx, *arguments, keys=keys.keys, grows=True)
    known = chosen.stats.weights
    missing = [
        term
        for term in terms
        if term not in known and known.keys().isdisjoint(keys.keys.get(term, ()))
    ]
    if not missing:
        return chosen
    is_single_word = len(request.plan.text.split()) == 1 and not chosen.ids
    guess = complete_terms if is_single_word else correct_terms
    substitutes = await guess(tx, where.kinds, missing)
    other_forms = keys.of_missing(missing)
    if not substitutes and not other_forms:
        return chosen
    all_keys = {**keys.keys, **other_forms}
    return await choose_texts(tx, *arguments, keys=all_keys, substitutes=substitutes, grows=True)


async def _search_vectors_if_available(
    ports: Ports, tx: Tx, request: _Request, vector: Vector | None, pool: int
) -> tuple[dict[UUID, tuple[str, float]], bool]:
    """While the vector index is down, word search answers alone and the result is incomplete."""
    if vector is None:
        return {}, False
    try:
        return await _search_vectors(ports, tx, request, vector, pool), True
    except Unavailable as error:
        log.warning("recall_without_neighbours", error=error.code)
        return {}, False


async def _search_vectors(
    ports: Ports, tx: Tx, request: _Request, vector: Vector, pool: int
) -> dict[UUID, tuple[str, float]]:
    """Kinds and cosines to the query."""
    neighbours: dict[UUID, tuple[str, float]] = {}
    plan, strategy, where = request.plan, request.strategy, request.where
    searches = [(pool, where.filters)]
    if plan.windows and strategy.in_time:
        in_time = replace(where.filters, windows=tuple(plan.windows))
        searches.append((strategy.in_time, in_time))
    for kind in where.kinds:
        for limit, filters in searches:
            hits = await ports.vectors.search(
                tx, request.embedder.model, kind, vector, where.projects, limit, filters
            )
            neighbours |= {hit.id: (kind, hit.cosine) for hit in hits}
    return neighbours


async def _load_features(
    tx: Tx, request: _Request, chosen: ChosenTexts, near: Mapping[UUID, tuple[str, float]]
) -> list[Features]:
    """The features of the candidates, and of the chunks that the memories were taken from."""
    where, exact = request.where, request.plan.exact
    kinds = {**chosen.ids, **{id: kind for id, (kind, _) in near.items()}}
    memories = [id for id, kind in kinds.items() if kind == MEMORY]
    chunks = [id for id, kind in kinds.items() if kind == CHUNK]
    features = await store.features(tx, MEMORY, memories, where, exact) if memories else []
    if CHUNK in where.kinds:
        chunks += [item.chunk_id for item in features if item.chunk_id]
        features += await store.features(tx, CHUNK, list(set(chunks)), where, exact)
    return sorted(features, key=lambda item: item.id)


def _build_pool(
    features: Sequence[Features], words: Matches, cosines: Mapping[UUID, float]
) -> Pool:
    terms = list(words.weights)
    counted = {match.id: match for match in words.matches}
    matches = [counted.get(item.id) for item in features]
    return Pool(
        features=features,
        cosine=np.array([cosines.get(item.id, 0.0) for item in features]),
        tf=_count_table(matches, terms),
        length=np.array([match.length if match else 1.0 for match in matches], float),
        weight=np.array([words.weights[term] for term in terms]),
        query_weight=words.query_weight,
    )


async def _complete_cosines(
    ports: Ports,
    tx: Tx,
    request: _Request,
    vector: Vector,
    near: Mapping[UUID, tuple[str, float]],
    features: Sequence[Features],
) -> dict[UUID, float]:
    """Measure candidates that only word search found too; a cosine of 0 would rank them too low."""
    cosines = {id: cosine for id, (_, cosine) in near.items()}
    model = request.embedder.model
    for kind in {item.kind for item in features}:
        missing = [item.id for item in features if item.kind == kind and item.id not in cosines]
        hits = await ports.vectors.cosines(tx, model, kind, vector, missing) if missing else []
        cosines |= {hit.id: hit.cosine for hit in hits}
    return cosines


def _count_table(matches: Sequence[Match | None], terms: Sequence[str]) -> np.ndarray:
    rows = [[match.counts.get(term, 0) if match else 0 for term in terms] for match in matches]
    return np.array(rows, dtype=float).reshape(len(matches), len(terms))
