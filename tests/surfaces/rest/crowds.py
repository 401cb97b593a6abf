"""Clone a tenant's documents, which is faster than saving each."""

from uuid import UUID

from remem.core.ports import Ports
from remem.core.scope import Bound

# The columns that get a new value in each clone, derived from the old value and a number.
_CLONES = {
    "documents": ("id", "root_id", "content_hash"),
    "chunks": ("id", "document_id"),
    "postings": ("owner_id",),
    "embeddings": ("owner_id",),
}
# Generated columns are left out: the database computes them.
_COLUMNS = (
    "SELECT array_agg(attname::text) FROM pg_attribute WHERE attrelid = $1::text::regclass"
    " AND attnum > 0 AND NOT attisdropped AND attgenerated = ''"
)


async def multiply(ports: Ports, tenant_id: str, times: int) -> None:
    """Clone each of a tenant's documents `times` times, with their terms and vectors."""
    async with ports.db.transaction(Bound(tenant_id=UUID(tenant_id))) as tx:
        for table, keys in _CLONES.items():
            columns = await tx.fetchval(_COLUMNS, table)
            values = [
                f"md5({column}::text || n)::uuid" if column in keys else column
                for column in columns
            ]
            await tx.execute(
                f"INSERT INTO {table} ({', '.join(columns)}) SELECT {', '.join(values)}"
                f" FROM {table}, generate_series(1, $2) AS n WHERE tenant_id = $1",
                UUID(tenant_id),
                times,
            )
        await tx.execute(
            "UPDATE text_totals SET texts = texts * ($2 + 1), terms = terms * ($2 + 1)"
            " WHERE tenant_id = $1",
            UUID(tenant_id),
            times,
        )
    # Autovacuum would do so soon; until then the database plans for a few rows.
    async with ports.db.sessions.acquire() as connection:
        await connection.execute(f"ANALYZE {', '.join(_CLONES)}")
