"""Answer a query: by meaning and by word, scored, grouped, best first."""

import time

from remem.core.ports import Ports
from remem.core.projects.resolve import resolve_all
from remem.core.scope import Scope
from remem.core.search.answer import answer
from remem.core.search.group import best, group
from remem.core.search.model import Query, Recall
from remem.core.search.rank import check
from remem.core.search.suggest import suggest
from remem.core.search.variants import in_several_ways


async def recall(ports: Ports, scope: Scope, query: Query) -> Recall:
    """An empty query gives what was saved last."""
    if query.variants:
        return await in_several_ways(ports, scope, query, recall)
    started = time.perf_counter()
    check(query)
    async with ports.db.transaction(scope) as tx:
        projects = await resolve_all(tx, scope, query.project, inherit=query.inherit)
        answered = await answer(
            ports, tx, scope, query, projects, lambda ranked: best(ranked, query.limit), "grouped"
        )
        found = group(answered.hits)
        suggestion = None if found else await suggest(tx, scope, query.text, projects)
    took_ms = (time.perf_counter() - started) * 1_000
    return Recall(found, took_ms, answered.cached, answered.mode, suggestion)
