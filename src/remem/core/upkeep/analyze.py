"""Run ANALYZE on tables that were just filled for the first time."""

from remem.core.ports import Ports
from remem.core.upkeep import upkeep_store

# The tables that a search reads. Autovacuum analyzes the others in time.
TABLES = ("chunks", "documents", "embeddings", "memories", "postings")
# A smaller table is read quickly with any plan.
WORTH_BYTES = 200_000


async def analyze_new_tables(ports: Ports) -> bool:
    """Analyze the tables that never were. True when every table had been analyzed before.

    Without statistics the planner assumes that a tenant has hardly any rows, and reads all of them
    many times for one query. Autovacuum would only collect them a minute later."""
    async with ports.db.unbound() as tx:
        sizes = await upkeep_store.never_analyzed(tx, TABLES)
        for table, size in sizes.items():
            if size >= WORTH_BYTES:
                await upkeep_store.analyze(tx, table)
    return not sizes
