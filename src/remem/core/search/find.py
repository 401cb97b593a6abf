"""Find memories and chunks as one ranked list."""

import time
from uuid import UUID

from remem.core.errors import NotFound
from remem.core.ports import Ports
from remem.core.projects.resolve import resolve_all
from remem.core.scope import Scope
from remem.core.search.answer import answer
from remem.core.search.filter_terms import with_filter_terms
from remem.core.search.model import Hits, Query
from remem.core.search.rank import check
from remem.core.search.variants import find_variants
from remem.core.transaction import Tx


async def find(ports: Ports, scope: Scope, query: Query, offset: int = 0) -> Hits:
    """`query.kinds` limits the kinds. A project that does not exist has no results."""
    if query.variants:
        return await find_variants(ports, scope, query, find)
    started = time.perf_counter()
    check(query)
    query = with_filter_terms(query)
    end = offset + query.limit
    async with ports.db.transaction(scope) as tx:
        projects = await _resolve_projects(tx, query)
        selected = await answer(
            ports, tx, query, projects, lambda ranked: list(ranked[offset:end]), f"{offset}"
        )
    took_ms = (time.perf_counter() - started) * 1_000
    hits = [hit for _, hit in selected.hits]
    return Hits(hits, selected.total, took_ms, selected.cached, selected.mode)


async def _resolve_projects(tx: Tx, query: Query) -> list[UUID] | None:
    try:
        return await resolve_all(tx, query.project, inherit=query.inherit)
    except NotFound:
        return []
