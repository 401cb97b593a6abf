"""Answer a query: by meaning and by word, scored, grouped, best first."""

import time
from collections.abc import Sequence
from uuid import UUID

import structlog

from remem.core.db import Tx
from remem.core.documents.model import CHUNK
from remem.core.errors import Invalid, Unavailable
from remem.core.index.match import match_words
from remem.core.ports import Ports, Vector
from remem.core.projects.resolve import resolve
from remem.core.scope import Scope
from remem.core.search import store
from remem.core.search.fuse import fuse, recency, score
from remem.core.search.group import group
from remem.core.search.model import LIMIT_MAX, QUERY_LIMIT, Hit, Parts, Query, Recall
from remem.core.time import now

POOL = 50
FILTERED_POOL = 500

log = structlog.get_logger()


async def recall(ports: Ports, scope: Scope, query: Query) -> Recall:
    """An empty query gives what was saved last."""
    started = time.perf_counter()
    _check(query)
    vector = await _embed(ports, query.text) if query.text.strip() else None
    async with ports.db.transaction(scope) as tx:
        projects = [(await resolve(tx, scope, query.project)).id] if query.project else None
        if query.text.strip():
            hits = await _search(ports, tx, scope, query, vector, projects)
        else:
            hits = await _recent(tx, scope, query, projects)
    return Recall(group(hits)[: query.limit], (time.perf_counter() - started) * 1_000)


def _check(query: Query) -> None:
    if len(query.text) > QUERY_LIMIT:
        raise Invalid("query", f"use at most {QUERY_LIMIT:,} characters")
    if not 1 <= query.limit <= LIMIT_MAX:
        raise Invalid("limit", f"use 1 to {LIMIT_MAX}")


async def _embed(ports: Ports, text: str) -> Vector | None:
    """Without an embedder we still answer by word."""
    try:
        return await ports.embedder.embed_query(text)
    except Unavailable as error:
        log.warning("recall_without_vectors", error=error.code)
        return None


async def _search(
    ports: Ports,
    tx: Tx,
    scope: Scope,
    query: Query,
    vector: Vector | None,
    projects: Sequence[UUID] | None,
) -> list[Hit]:
    pool = FILTERED_POOL if query.filters.any else POOL
    by_word = {
        match.id: match.score
        for match in await match_words(tx, scope, CHUNK, query.text, projects, pool)
    }
    by_meaning = {}
    if vector is not None:
        near = await ports.vectors.search(
            tx, scope, ports.embedder.model, CHUNK, vector, projects, pool
        )
        by_meaning = {hit.id: hit.cosine for hit in near}
    found = await store.candidates(tx, scope, query.filters, [*{**by_word, **by_meaning}])
    created = {candidate.chunk_id: candidate.created_at for candidate in found}
    parts = fuse(by_meaning, by_word, created, now())
    return [Hit(one, score(parts[one.chunk_id]), parts[one.chunk_id]) for one in found]


async def _recent(tx: Tx, scope: Scope, query: Query, projects: Sequence[UUID] | None) -> list[Hit]:
    found = await store.most_recent(tx, scope, query.filters, projects, query.limit)
    moment = now()
    hits = []
    for candidate in found:
        bonus = recency(candidate.created_at, moment)
        hits.append(Hit(candidate, bonus, Parts(recency=bonus)))
    return hits
