"""Nearest vectors inside PostgreSQL, by pgvector's HNSW on half precision."""

import asyncio
import struct
from collections.abc import Sequence
from uuid import UUID

import asyncpg
import numpy as np

from remem.adapters.vector_index.sizes import WALK_POLICY, WITHIN, Asked, Sizes, WalkPolicy
from remem.core.db import Database, Row, Tx, plan_anew
from remem.core.filter_sql import IdFilter, ids_left
from remem.core.filters import ALL, Filters
from remem.core.ports import Near, Point, Vector
from remem.core.scope import Scope

_LOCK = 0x766563746F72  # "vector"


async def speak_vectors(connection: asyncpg.Connection) -> None:
    """Send and read vectors as the bytes they are; as numbers one by one they cost more than the
    search itself."""
    schema = await connection.fetchval(
        "SELECT typnamespace::regnamespace::text FROM pg_type WHERE oid = 'halfvec'::regtype"
    )
    await connection.set_type_codec(
        "halfvec", schema=schema, encoder=_packed, decoder=_unpacked, format="binary"
    )


def _packed(vector: Vector) -> bytes:
    return struct.pack(">HH", len(vector), 0) + np.asarray(vector).astype(">f2").tobytes()


def _unpacked(data: bytes) -> Vector:
    return np.frombuffer(data, dtype=">f2", offset=4).astype(np.float32)


class PgVectorIndex:
    def __init__(self, db: Database, policy: WalkPolicy = WALK_POLICY) -> None:
        self._db = db
        self.policy = policy
        self._sizes = Sizes()

    async def prepare(self, model: str, dimensions: int) -> None:
        """Index this model's width; the schema brings the default one.

        To create an index that is there would still wait for every running save, so we look
        first; and two processes that create it at once would make one of them fail."""
        name = _name(dimensions)
        async with self._db.sessions.acquire() as connection, connection.transaction():
            if await connection.fetchval("SELECT to_regclass($1) IS NOT NULL", name):
                return
            await connection.execute("SELECT pg_advisory_xact_lock($1)", _LOCK)
            await connection.execute(f"CREATE INDEX IF NOT EXISTS {_index(dimensions)}")

    async def build(self, dimensions: int) -> None:
        async with self._db.sessions.acquire() as connection:
            await connection.execute(
                f"CREATE INDEX CONCURRENTLY IF NOT EXISTS {_index(dimensions)}", timeout=None
            )

    async def close(self) -> None:
        """The database is closed by itself."""

    async def put(self, tx: Tx, scope: Scope, model: str, points: Sequence[Point]) -> None:
        await tx.executemany(
            "INSERT INTO embeddings (tenant_id, owner_kind, owner_id, project_id, model, vector)"
            " VALUES ($1, $2, $3, $4, $5, $6)"
            " ON CONFLICT (tenant_id, owner_kind, owner_id, model)"
            " DO UPDATE SET vector = excluded.vector, project_id = excluded.project_id",
            [
                (
                    scope.tenant_id,
                    point.kind,
                    point.id,
                    point.project_id,
                    model,
                    point.vector,
                )
                for point in points
            ],
        )

    async def remove(self, tx: Tx, scope: Scope, kind: str, ids: Sequence[UUID]) -> None:
        await tx.execute(
            "DELETE FROM embeddings"
            " WHERE tenant_id = $1 AND owner_kind = $2 AND owner_id = ANY($3)",
            scope.tenant_id,
            kind,
            list(ids),
        )

    async def remove_project(self, tx: Tx, scope: Scope, project_id: UUID) -> None:
        await tx.execute(
            "DELETE FROM embeddings WHERE tenant_id = $1 AND project_id = $2",
            scope.tenant_id,
            project_id,
        )

    async def keep_only(self, tx: Tx, scope: Scope, model: str) -> None:
        await tx.execute(
            "DELETE FROM embeddings WHERE tenant_id = $1 AND model <> $2", scope.tenant_id, model
        )

    async def move(
        self, tx: Tx, scope: Scope, kind: str, ids: Sequence[UUID], project_id: UUID
    ) -> None:
        await tx.execute(
            "UPDATE embeddings SET project_id = $4"
            " WHERE tenant_id = $1 AND owner_kind = $2 AND owner_id = ANY($3)",
            scope.tenant_id,
            kind,
            list(ids),
            project_id,
        )

    async def search(
        self,
        tx: Tx,
        scope: Scope,
        model: str,
        kind: str,
        vector: Vector,
        project_ids: Sequence[UUID] | None,
        limit: int,
        filters: Filters = ALL,
    ) -> list[Near]:
        """A walk through the graph stops before it has seen all; when a filter leaves few, or the
        walk came back with less than was asked for, we compare with every vector instead."""
        asked = (scope.tenant_id, kind, model, _listed(project_ids), vector, limit)
        if among := ids_left(scope.tenant_id, [kind], filters):
            # Looked up one by one, or compared with each vector on the way: never joined.
            await plan_anew(tx)
            ids = await tx.fetch(*_first(among, self.policy.exact_rows))
            if len(ids) <= self.policy.exact_rows:
                few = [row["id"] for row in ids]
                return await self._nearest(tx, asked, " AND owner_id = ANY($7)", [few])
            narrow = f" AND {among.keeps('owner_id', len(asked))}"
            return await self._walk(tx, asked, narrow, among.values)
        if await self._are_few(tx, asked):
            return await self._nearest(tx, asked, "", ())
        return await self._walk(tx, asked, "", ())

    async def _are_few(self, tx: Tx, asked: Asked) -> bool:
        return await self._sizes.are_few(tx, asked, self.policy)

    async def _walk(
        self, tx: Tx, asked: Asked, narrow: str, values: Sequence[object]
    ) -> list[Near]:
        limit = asked[-1]
        # Without iterative scans a filter eats the neighbours before they are counted.
        await tx.execute(
            "SET LOCAL hnsw.iterative_scan = relaxed_order;"
            f" SET LOCAL hnsw.ef_search = {self.policy.ef(limit):d};"
            f" SET LOCAL hnsw.max_scan_tuples = {self.policy.scan_rows:d}"
        )
        rows = await tx.fetch(_near(asked, narrow, exact=False), *asked, *values)
        return (
            _sorted(rows) if len(rows) >= limit else await self._nearest(tx, asked, narrow, values)
        )

    async def _nearest(
        self, tx: Tx, asked: Asked, narrow: str, values: Sequence[object]
    ) -> list[Near]:
        return _sorted(await tx.fetch(_near(asked, narrow, exact=True), *asked, *values))

    async def cosines(
        self,
        tx: Tx,
        scope: Scope,
        model: str,
        kind: str,
        vector: Vector,
        ids: Sequence[UUID],
    ) -> list[Near]:
        width = len(vector)
        rows = await tx.fetch(
            f"SELECT owner_id, 1 - ({_distance(width)}) AS cosine FROM embeddings"
            " WHERE tenant_id = $1 AND owner_kind = $2 AND model = $3"
            f" AND owner_id = ANY($4) AND vector_dims(vector) = {width}",
            scope.tenant_id,
            kind,
            model,
            list(ids),
            vector,
        )
        return _sorted(rows)

    async def read(
        self, tx: Tx, scope: Scope, model: str, kind: str, ids: Sequence[UUID]
    ) -> list[Point]:
        rows = await tx.fetch(
            "SELECT owner_id, project_id, vector FROM embeddings"
            " WHERE tenant_id = $1 AND owner_kind = $2 AND model = $3 AND owner_id = ANY($4)",
            scope.tenant_id,
            kind,
            model,
            list(ids),
        )
        return [Point(kind, row["owner_id"], row["project_id"], row["vector"]) for row in rows]

    async def near_each(
        self,
        tx: Tx,
        scope: Scope,
        model: str,
        kind: str,
        project_id: UUID,
        ids: Sequence[UUID],
        above: float,
        limit: int,
    ) -> dict[UUID, list[Near]]:
        """Where there are few vectors, all of them are read once and compared here: that is one
        product of matrices, and not a search for each."""
        points = await self.read(tx, scope, model, kind, ids)
        asked = (scope.tenant_id, kind, model, [project_id])
        if points and await self._are_few(tx, (*asked, points[0].vector, limit)):
            rows = await tx.fetch(f"SELECT owner_id, vector {WITHIN}", *asked)
            return await asyncio.to_thread(_near_each, points, rows, above, limit)
        found: dict[UUID, list[Near]] = {}
        for one in points:
            near = await self.search(tx, scope, model, kind, one.vector, [project_id], limit + 1)
            found[one.id] = [hit for hit in near if hit.cosine > above and hit.id != one.id][:limit]
        return found


def _name(dimensions: int) -> str:
    return f"embeddings_near_{dimensions:d}"


def _index(dimensions: int) -> str:
    return (
        f"{_name(dimensions)} ON embeddings"
        f" USING hnsw ((vector::halfvec({dimensions:d})) halfvec_cosine_ops)"
        # With fewer links some vectors are the neighbours of none, and never found.
        " WITH (m = 24, ef_construction = 128)"
        f" WHERE (vector_dims(vector) = {dimensions:d})"
    )


def _near_each(
    points: Sequence[Point], rows: Sequence[Row], above: float, limit: int
) -> dict[UUID, list[Near]]:
    width = len(points[0].vector)
    fit = [(row["owner_id"], row["vector"]) for row in rows if len(row["vector"]) == width]
    ids = [id for id, _ in fit]
    every = _unit(np.stack([vector for _, vector in fit]))
    cosines = _unit(np.stack([one.vector for one in points])) @ every.T
    found: dict[UUID, list[Near]] = {}
    for point, row in zip(points, cosines, strict=True):
        near = [Near(ids[at], float(row[at])) for at in np.flatnonzero(row > above)]
        others = [one for one in near if one.id != point.id]
        found[point.id] = sorted(others, key=lambda hit: (-hit.cosine, hit.id.int))[:limit]
    return found


def _unit(vectors: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.where(lengths == 0, 1, lengths)


def _first(among: IdFilter, rows: int) -> list[object]:
    """What a filter leaves, read no further than it matters."""
    return [
        f"SELECT id FROM ({among.sql(0)}) AS left_over (id) LIMIT {rows + 1}",
        *among.values,
    ]


def _near(asked: Asked, narrow: str, *, exact: bool) -> str:
    width = len(asked[4])
    distance = _distance(width, indexed=not exact)
    # Plus nothing: an order that no index gives, so that every row is compared.
    order = f"({distance}) + 0" if exact else distance
    return (
        f"SELECT owner_id, 1 - ({distance}) AS cosine {WITHIN}{narrow}"
        f" AND vector_dims(vector) = {width} ORDER BY {order} LIMIT $6"
    )


def _distance(width: int, *, indexed: bool = False) -> str:
    """A query of its own reads the vector once, not for every row. The index is on vectors of a
    stated width, and to state it costs a copy of each."""
    column = f"vector::halfvec({width})" if indexed else "vector"
    return f"{column} <=> (SELECT $5::halfvec({width}))"


def _sorted(rows: Sequence[Row]) -> list[Near]:
    near = [Near(id=row["owner_id"], cosine=float(row["cosine"])) for row in rows]
    return sorted(near, key=lambda hit: (-hit.cosine, hit.id.int))


def _listed(ids: Sequence[UUID] | None) -> list[UUID] | None:
    return list(ids) if ids is not None else None
