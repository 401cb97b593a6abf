"""The planner's first figures of what a new store was just filled with."""

from remem.core.ports import Ports
from remem.core.scope import Bound
from remem.core.upkeep import store

# What a question reads. The others follow when the database gets around to it.
TABLES = ("chunks", "documents", "embeddings", "memories", "postings")
# With less in it, a table is read quickly in any way.
WORTH_BYTES = 200_000


async def analyze_new_tables(ports: Ports) -> bool:
    """Whether there are any of every table now. Without them the planner takes whatever belongs to
    somebody for next to nothing, and reads all of it many times for one answer; and the database
    takes them when it next looks, which is a minute later."""
    async with ports.db.alone() as connection:
        lacking = await store.never_analyzed(connection, Bound(), TABLES)
        for table, size in lacking.items():
            if size >= WORTH_BYTES:
                await store.analyze(connection, Bound(), table)
    return not lacking
