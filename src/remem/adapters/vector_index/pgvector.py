"""Nearest vectors inside PostgreSQL, by pgvector's HNSW on half precision."""

import asyncio
import struct
from collections.abc import Sequence
from uuid import UUID

import asyncpg
import numpy as np

from remem.adapters.vector_index.sizes import (
    FROM_SCOPE,
    WALK_POLICY,
    SizeCache,
    VectorQuery,
    WalkPolicy,
)
from remem.core.db import Database, use_custom_plans
from remem.core.filter_sql import IdFilter, allowed_ids
from remem.core.filters import ALL, Filters
from remem.core.ports import Near, Point, Vector
from remem.core.transaction import Row, Tx

_LOCK = 0x766563746F72  # "vector"
_RETRY_S = 0.2


async def set_vector_codec(connection: asyncpg.Connection) -> None:
    """Transfer vectors in binary. As text, encoding them would cost more than the search itself."""
    schema = await connection.fetchval(
        "SELECT typnamespace::regnamespace::text FROM pg_type WHERE oid = 'halfvec'::regtype"
    )
    await connection.set_type_codec(
        "halfvec", schema=schema, encoder=_encode_vector, decoder=_decode_vector, format="binary"
    )


def _encode_vector(vector: Vector) -> bytes:
    return struct.pack(">HH", len(vector), 0) + np.asarray(vector).astype(">f2").tobytes()


def _decode_vector(data: bytes) -> Vector:
    return np.frombuffer(data, dtype=">f2", offset=4).astype(np.float32)


class PgVectorIndex:
    def __init__(self, db: Database, policy: WalkPolicy = WALK_POLICY) -> None:
        self._db = db
        self.policy = policy
        self._sizes = SizeCache()

    async def prepare(self, model: str, dimensions: int) -> None:
        """Create the index for this model's width; the schema contains the default one."""
        await self.build(dimensions)

    async def build(self, dimensions: int) -> None:
        """Saves go on while the index is created, and none is waited for if it exists. The lock
        keeps processes from creating it concurrently, which would fail in one of them; to wait for
        it in PostgreSQL would be a deadlock, because creating waits for every older statement."""
        name = _index_name(dimensions)
        async with self._db.sessions.acquire() as connection:
            while not await _is_built(connection, name):
                if not await connection.fetchval("SELECT pg_try_advisory_lock($1)", _LOCK):
                    await asyncio.sleep(_RETRY_S)
                    continue
                try:
                    # What an interrupted attempt left is not used by any search.
                    await connection.execute(
                        f"DROP INDEX CONCURRENTLY IF EXISTS {name}", timeout=None
                    )
                    await connection.execute(
                        f"CREATE INDEX CONCURRENTLY {_index_definition(dimensions)}", timeout=None
                    )
                finally:
                    await connection.execute("SELECT pg_advisory_unlock($1)", _LOCK)

    async def close(self) -> None:
        """Nothing to do: the database is closed elsewhere."""

    async def put(self, tx: Tx, model: str, points: Sequence[Point]) -> None:
        await tx.executemany(
            "INSERT INTO embeddings (tenant_id, owner_kind, owner_id, project_id, model, vector)"
            " VALUES ($1, $2, $3, $4, $5, $6)"
            " ON CONFLICT (tenant_id, owner_kind, owner_id, model)"
            " DO UPDATE SET vector = excluded.vector, project_id = excluded.project_id",
            [(point.kind, point.id, point.project_id, model, point.vector) for point in points],
        )

    async def remove(self, tx: Tx, kind: str, ids: Sequence[UUID]) -> None:
        await tx.execute(
            "DELETE FROM embeddings"
            " WHERE tenant_id = $1 AND owner_kind = $2 AND owner_id = ANY($3)",
            kind,
            list(ids),
        )

    async def remove_project(self, tx: Tx, project_id: UUID) -> None:
        await tx.execute(
            "DELETE FROM embeddings WHERE tenant_id = $1 AND project_id = $2", project_id
        )

    async def keep_only(self, tx: Tx, model: str) -> None:
        await tx.execute("DELETE FROM embeddings WHERE tenant_id = $1 AND model <> $2", model)

    async def remove_models(self, tx: Tx, models: Sequence[str], limit: int) -> int:
        rows = await tx.fetch(
            "DELETE FROM embeddings WHERE tenant_id = $1 AND (owner_kind, owner_id, model) IN"
            " (SELECT owner_kind, owner_id, model FROM embeddings"
            "  WHERE tenant_id = $1 AND model = ANY($2) LIMIT $3) RETURNING owner_id",
            list(models),
            limit,
        )
        return len(rows)

    async def move(self, tx: Tx, kind: str, ids: Sequence[UUID], project_id: UUID) -> None:
        await tx.execute(
            "UPDATE embeddings SET project_id = $4"
            " WHERE tenant_id = $1 AND owner_kind = $2 AND owner_id = ANY($3)",
            kind,
            list(ids),
            project_id,
        )

    async def search(
        self,
        tx: Tx,
        model: str,
        kind: str,
        vector: Vector,
        project_ids: Sequence[UUID] | None,
        limit: int,
        filters: Filters = ALL,
    ) -> list[Near]:
        """A graph search does not visit all vectors. When a filter leaves few of them, or the graph
        search finds too few, compare with every vector instead."""
        query = (tx.scope.tenant_id, kind, model, _to_list(project_ids), vector, limit)
        if id_filter := allowed_ids(tx.scope.tenant_id, [kind], filters):
            # Look ids up, or compare them with each vector of the graph search: never join.
            await use_custom_plans(tx)
            ids = await tx.system.fetch(
                _limited_ids_sql(id_filter, self.policy.exact_rows), *id_filter.values
            )
            if len(ids) <= self.policy.exact_rows:
                candidates = [row["id"] for row in ids]
                return await self._search_exactly(
                    tx, query, " AND owner_id = ANY($7)", [candidates]
                )
            condition = f" AND {id_filter.condition_sql('owner_id', len(query))}"
            return await self._search_graph(tx, query, condition, id_filter.values)
        if await self._is_small(tx, query):
            return await self._search_exactly(tx, query, "", ())
        return await self._search_graph(tx, query, "", ())

    async def _is_small(self, tx: Tx, query: VectorQuery) -> bool:
        return await self._sizes.is_small(tx, query, self.policy)

    async def _search_graph(
        self, tx: Tx, query: VectorQuery, condition: str, values: Sequence[object]
    ) -> list[Near]:
        limit = query[-1]
        # Without iterative scans, the filter would remove neighbours after the limit is reached.
        await tx.system.execute(
            "SET LOCAL hnsw.iterative_scan = relaxed_order;"
            f" SET LOCAL hnsw.ef_search = {self.policy.ef(limit):d};"
            f" SET LOCAL hnsw.max_scan_tuples = {self.policy.scan_rows:d}"
        )
        rows = await tx.system.fetch(_search_sql(query, condition, exact=False), *query, *values)
        return (
            _to_near(rows)
            if len(rows) >= limit
            else await self._search_exactly(tx, query, condition, values)
        )

    async def _search_exactly(
        self, tx: Tx, query: VectorQuery, condition: str, values: Sequence[object]
    ) -> list[Near]:
        return _to_near(
            await tx.system.fetch(_search_sql(query, condition, exact=True), *query, *values)
        )

    async def cosines(
        self, tx: Tx, model: str, kind: str, vector: Vector, ids: Sequence[UUID]
    ) -> list[Near]:
        width = len(vector)
        rows = await tx.fetch(
            f"SELECT owner_id, 1 - ({_distance_sql(width)}) AS cosine FROM embeddings"
            " WHERE tenant_id = $1 AND owner_kind = $2 AND model = $3"
            f" AND owner_id = ANY($4) AND vector_dims(vector) = {width}",
            kind,
            model,
            list(ids),
            vector,
        )
        return _to_near(rows)

    async def read(self, tx: Tx, model: str, kind: str, ids: Sequence[UUID]) -> list[Point]:
        rows = await tx.fetch(
            "SELECT owner_id, project_id, vector FROM embeddings"
            " WHERE tenant_id = $1 AND owner_kind = $2 AND model = $3 AND owner_id = ANY($4)",
            kind,
            model,
            list(ids),
        )
        return [Point(kind, row["owner_id"], row["project_id"], row["vector"]) for row in rows]

    async def near_each(
        self,
        tx: Tx,
        model: str,
        kind: str,
        project_id: UUID,
        ids: Sequence[UUID],
        above: float,
        limit: int,
    ) -> dict[UUID, list[Near]]:
        """If there are few vectors, read all of them once and compare them here, with one matrix
        product instead of a search for each point."""
        points = await self.read(tx, model, kind, ids)
        query = (tx.scope.tenant_id, kind, model, [project_id])
        if points and await self._is_small(tx, (*query, points[0].vector, limit)):
            rows = await tx.system.fetch(f"SELECT owner_id, vector {FROM_SCOPE}", *query)
            return await asyncio.to_thread(_compare_all, points, rows, above, limit)
        neighbours: dict[UUID, list[Near]] = {}
        for point in points:
            near = await self.search(tx, model, kind, point.vector, [project_id], limit + 1)
            neighbours[point.id] = [
                hit for hit in near if hit.cosine > above and hit.id != point.id
            ][:limit]
        return neighbours


async def _is_built(connection: asyncpg.pool.PoolConnectionProxy, name: str) -> bool:
    return await connection.fetchval(
        "SELECT coalesce((SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass($1)),"
        " false)",
        name,
    )


def _index_name(dimensions: int) -> str:
    return f"embeddings_near_{dimensions:d}"


def _index_definition(dimensions: int) -> str:
    return (
        f"{_index_name(dimensions)} ON embeddings"
        f" USING hnsw ((vector::halfvec({dimensions:d})) halfvec_cosine_ops)"
        # With fewer links, some vectors have no incoming links and are never found.
        " WITH (m = 24, ef_construction = 128)"
        f" WHERE (vector_dims(vector) = {dimensions:d})"
    )


def _compare_all(
    points: Sequence[Point], rows: Sequence[Row], above: float, limit: int
) -> dict[UUID, list[Near]]:
    width = len(points[0].vector)
    comparable = [(row["owner_id"], row["vector"]) for row in rows if len(row["vector"]) == width]
    ids = [id for id, _ in comparable]
    matrix = _normalize(np.stack([vector for _, vector in comparable]))
    cosines = _normalize(np.stack([neighbour.vector for neighbour in points])) @ matrix.T
    neighbours: dict[UUID, list[Near]] = {}
    for point, row in zip(points, cosines, strict=True):
        closer = [Near(ids[column], float(row[column])) for column in np.flatnonzero(row > above)]
        others = [neighbour for neighbour in closer if neighbour.id != point.id]
        neighbours[point.id] = sorted(others, key=lambda hit: (-hit.cosine, hit.id.int))[:limit]
    return neighbours


def _normalize(vectors: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.where(lengths == 0, 1, lengths)


def _limited_ids_sql(id_filter: IdFilter, rows: int) -> str:
    """The query for ids that match a filter, limited to one more than `rows`."""
    return f"SELECT id FROM ({id_filter.sql(0)}) AS left_over (id) LIMIT {rows + 1}"


def _search_sql(query: VectorQuery, condition: str, *, exact: bool) -> str:
    width = len(query[4])
    distance = _distance_sql(width, indexed=not exact)
    # `+ 0` prevents the use of the index, so that every row is compared.
    order = f"({distance}) + 0" if exact else distance
    return (
        f"SELECT owner_id, 1 - ({distance}) AS cosine {FROM_SCOPE}{condition}"
        f" AND vector_dims(vector) = {width} ORDER BY {order} LIMIT $6"
    )


def _distance_sql(width: int, *, indexed: bool = False) -> str:
    """The subquery reads the query vector once instead of once for each row. The index needs a cast
    to a fixed width, which copies each vector, so it is added only for the index."""
    column = f"vector::halfvec({width})" if indexed else "vector"
    return f"{column} <=> (SELECT $5::halfvec({width}))"


def _to_near(rows: Sequence[Row]) -> list[Near]:
    near = [Near(id=row["owner_id"], cosine=float(row["cosine"])) for row in rows]
    return sorted(near, key=lambda hit: (-hit.cosine, hit.id.int))


def _to_list(ids: Sequence[UUID] | None) -> list[UUID] | None:
    return list(ids) if ids is not None else None
