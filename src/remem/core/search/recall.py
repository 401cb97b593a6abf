"""Answer a query by meaning and by word: scored, grouped by document, best first."""

import time

from remem.core.ports import Ports
from remem.core.projects.resolve import resolve_all
from remem.core.scope import Scope
from remem.core.search.answer import answer
from remem.core.search.filter_terms import with_filter_terms
from remem.core.search.group import best, count_groups, group
from remem.core.search.model import Query, Recall
from remem.core.search.rank import check
from remem.core.search.suggest import suggest
from remem.core.search.variants import recall_variants
from remem.core.transaction import Tx


async def recall(ports: Ports, scope: Scope, query: Query) -> Recall:
    """An empty query returns the newest items."""
    if query.variants:
        return await recall_variants(ports, scope, query, recall)
    async with ports.db.transaction(scope) as tx:
        return await recall_in(ports, tx, query)


async def recall_in(ports: Ports, tx: Tx, query: Query) -> Recall:
    """The same in a running transaction."""
    started = time.perf_counter()
    check(query)
    query = with_filter_terms(query)
    projects = await resolve_all(tx, query.project, inherit=query.inherit)
    selected = await answer(
        ports,
        tx,
        query,
        projects,
        lambda ranked: best(ranked, query.limit),
        "grouped",
        count_groups,
    )
    results = group(selected.hits)
    suggestion = None if results else await suggest(tx, query.text, projects)
    took_ms = (time.perf_counter() - started) * 1_000
    return Recall(
        results, took_ms, selected.cached, selected.mode, suggestion, total=selected.total
    )
