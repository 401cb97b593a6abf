"""Plan a query, with the speakers that the store knows."""

from remem.core.search import store
from remem.core.search.model import Query
from remem.core.search.plan import Plan, names_in, read_query
from remem.core.time import now
from remem.core.transaction import Tx


async def plan_query(tx: Tx, query: Query) -> Plan:
    names = names_in(query.text)
    speakers = await store.speakers(tx, names) if names else []
    return read_query(query.text, speakers, query.asked_at or now())
