"""Plan a query, with the speakers that the store knows."""

from remem.core.db import Tx
from remem.core.scope import Scope
from remem.core.search import store
from remem.core.search.model import Query
from remem.core.search.plan import Plan, names_in, read_query
from remem.core.time import now


async def plan_query(tx: Tx, scope: Scope, query: Query) -> Plan:
    names = names_in(query.text)
    speakers = await store.speakers(tx, scope, names) if names else []
    return read_query(query.text, speakers, query.asked_at or now())
