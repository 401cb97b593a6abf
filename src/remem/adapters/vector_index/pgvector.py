"""Nearest vectors inside PostgreSQL, by pgvector's HNSW on half precision."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.db import Database, Tx
from remem.core.ports import Near, Point, Vector
from remem.core.scope import Scope

_LOCK = 0x766563746F72  # "vector"


class PgVectorIndex:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def prepare(self, model: str, dimensions: int) -> None:
        """Index this model's width; the schema brings the default one.

        To create an index that is there would still wait for every running save, so we look
        first; and two processes that create it at once would make one of them fail."""
        name = f"embeddings_near_{dimensions:d}"
        async with self._db.pool.acquire() as connection, connection.transaction():
            if await connection.fetchval("SELECT to_regclass($1) IS NOT NULL", name):
                return
            await connection.execute("SELECT pg_advisory_xact_lock($1)", _LOCK)
            await connection.execute(
                f"CREATE INDEX IF NOT EXISTS {name} ON embeddings"
                f" USING hnsw ((vector::halfvec({dimensions:d})) halfvec_cosine_ops)"
                f" WHERE (vector_dims(vector) = {dimensions:d})"
            )

    async def put(self, tx: Tx, scope: Scope, model: str, points: Sequence[Point]) -> None:
        await tx.executemany(
            "INSERT INTO embeddings (tenant_id, owner_kind, owner_id, project_id, model, vector)"
            " VALUES ($1, $2, $3, $4, $5, $6::text::halfvec)"
            " ON CONFLICT (tenant_id, owner_kind, owner_id, model)"
            " DO UPDATE SET vector = excluded.vector, project_id = excluded.project_id",
            [
                (
                    scope.tenant_id,
                    point.kind,
                    point.id,
                    point.project_id,
                    model,
                    _text(point.vector),
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
    ) -> list[Near]:
        # Without iterative scans a filter eats the neighbours before they are counted.
        await tx.execute("SET LOCAL hnsw.iterative_scan = relaxed_order")
        width = len(vector)
        distance = f"vector::halfvec({width}) <=> $5::text::halfvec({width})"
        rows = await tx.fetch(
            f"SELECT owner_id, 1 - ({distance}) AS cosine FROM embeddings"
            " WHERE tenant_id = $1 AND owner_kind = $2 AND model = $3"
            f" AND vector_dims(vector) = {width}"
            " AND ($4::uuid[] IS NULL OR project_id = ANY($4))"
            f" ORDER BY {distance} LIMIT $6",
            scope.tenant_id,
            kind,
            model,
            list(project_ids) if project_ids is not None else None,
            _text(vector),
            limit,
        )
        near = [Near(id=row["owner_id"], cosine=float(row["cosine"])) for row in rows]
        return sorted(near, key=lambda hit: -hit.cosine)


def _text(vector: Vector) -> str:
    return "[" + ",".join(f"{value:.6g}" for value in vector) + "]"
