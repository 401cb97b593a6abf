"""Many documents like one, sooner there than by saving each."""

from uuid import UUID

from remem.core.ports import Ports
from remem.core.scope import Bound

# What a row says of itself, made anew from what it said and its number.
_CLONES = {
    "documents": ("id", "root_id", "content_hash"),
    "chunks": ("id", "document_id"),
    "postings": ("owner_id",),
    "embeddings": ("owner_id",),
}
# The others the database makes itself.
_COLUMNS = (
    "SELECT array_agg(attname::text) FROM pg_attribute WHERE attrelid = $1::text::regclass"
    " AND attnum > 0 AND NOT attisdropped AND attgenerated = ''"
)


async def multiply(ports: Ports, tenant_id: str, times: int) -> None:
    """Of everything a tenant has, so many more, with the words and vectors they are found by."""
    async with ports.db.transaction(Bound(tenant_id=UUID(tenant_id))) as tx:
        for table, keys in _CLONES.items():
            columns = await tx.fetchval(_COLUMNS, table)
            fresh = [f"md5({one}::text || n)::uuid" if one in keys else one for one in columns]
            await tx.execute(
                f"INSERT INTO {table} ({', '.join(columns)}) SELECT {', '.join(fresh)}"
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
    # Soon the database would do so by itself; until then it plans for a few rows.
    async with ports.db.sessions.acquire() as connection:
        await connection.execute(f"ANALYZE {', '.join(_CLONES)}")
