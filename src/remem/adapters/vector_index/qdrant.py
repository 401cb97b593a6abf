"""Nearest vectors in Qdrant; PostgreSQL has all vectors and the changes not copied yet."""

from collections.abc import Awaitable, Callable, Sequence
from itertools import groupby
from math import isfinite
from typing import Any
from uuid import UUID

import asyncpg
import structlog

from remem.adapters.circuit import Circuit
from remem.adapters.vector_index import changes
from remem.adapters.vector_index.changes import Change
from remem.adapters.vector_index.pgvector import PgVectorIndex
from remem.adapters.vector_index.qdrant_api import CollectionMissing, QdrantApi, misread_error
from remem.adapters.vector_index.qdrant_filters import conditions, match
from remem.adapters.vector_index.qdrant_points import load_points
from remem.core.db import Database
from remem.core.errors import Unavailable
from remem.core.filter_sql import allowed_ids
from remem.core.filters import ALL, Filters
from remem.core.ports import IndexCounts, Near, Vector
from remem.core.providers import ProviderState
from remem.core.scope import Bound, Scope
from remem.core.transaction import Tx

# Changes in a transaction, points in a request.
CHANGES, POINTS = 500, 100
LOCK_MS = 3_000
# How many are looked at for those with a flag, which only PostgreSQL knows.
FLAG_CANDIDATES = 1_000
# After a commit, at most this many batches are copied at once; a job copies the rest.
ROUNDS = 20

log = structlog.get_logger()


async def _ignore_pending(_: Scope) -> None:
    """The default of `on_pending`."""


class QdrantIndex(PgVectorIndex):
    """Vectors and a record of each change are written to PostgreSQL; after the commit, the changes
    are copied to Qdrant. While Qdrant is down, changes wait, `on_pending` is called, and searches
    compare with every vector in PostgreSQL if there are few."""

    def __init__(
        self, db: Database, url: str, api_key: str | None = None, collection: str = "remem"
    ) -> None:
        super().__init__(db)
        self._api = QdrantApi(url, api_key)
        self._collection = collection
        self._name = f"qdrant {url.rstrip('/')} {collection}"
        self._created: set[int] = set()
        self._needs_filling = False
        db.on_vectors_changed = self._copy_changes
        self.on_pending: Callable[[Scope], Awaitable[None]] = _ignore_pending

    async def prepare(self, model: str, dimensions: int) -> None:
        """If Qdrant is down, the collection is created by the first write."""
        async with self._db.transaction(Bound()) as tx:
            self._needs_filling = await changes.register_copy(tx, self._name)
        try:
            await self._create_collection(dimensions)
        except Unavailable as error:
            log.warning("qdrant_not_prepared", error=error.code)

    @property
    def needs_filling(self) -> bool:
        return self._needs_filling

    @property
    def circuit(self) -> Circuit:
        return self._api.circuit

    def state(self) -> ProviderState:
        return self.circuit.state()

    async def close(self) -> None:
        await self._api.close()

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
        try:
            filter = conditions(tx.scope.tenant_id, kind, model, project_ids, filters)
            if not filters.flags:
                return await self._search_qdrant(vector, limit, filter)
            near = await self._search_qdrant(vector, FLAG_CANDIDATES, filter)
            return (await _with_flags(tx, kind, near, filters))[:limit]
        except Unavailable:
            projects = None if project_ids is None else list(project_ids)
            query = (tx.scope.tenant_id, kind, model, projects, vector, limit)
            if not await self._is_small(tx, query):
                raise
            return await super().search(tx, model, kind, vector, project_ids, limit, filters)

    async def _search_qdrant(
        self, vector: Vector, limit: int, filter: dict[str, Any]
    ) -> list[Near]:
        body = {
            "query": [float(value) for value in vector],
            "filter": filter,
            "limit": limit,
            "with_payload": ["memory_id"],
        }
        points = await self._api.query(self._collection_of(len(vector)), body)
        # Their texts are read from PostgreSQL, which checks access.
        near = [_to_near(point) for point in points[:limit]]
        return sorted(near, key=lambda hit: (-hit.cosine, hit.id.int))

    async def catch_up(self, scope: Scope) -> int:
        """Copy the oldest changes to Qdrant; return their number."""
        try:
            async with self._db.transaction(scope) as tx:
                await changes.lock_tenant(tx, LOCK_MS)
                pending = await changes.oldest_changes(tx, CHANGES)
                if pending:
                    await self._write(tx, pending)
                    await changes.forget_changes(tx, [change.id for change in pending])
                return len(pending)
        except asyncpg.LockNotAvailableError as error:
            raise Unavailable("Another process writes these vectors; try again.") from error

    async def _write(self, tx: Tx, pending: Sequence[Change]) -> None:
        points = await load_points(tx, {change.owner for change in pending})
        by_width = sorted(pending, key=lambda change: change.dimensions)
        for width, group in groupby(by_width, key=lambda change: change.dimensions):
            owners = {change.owner for change in group}
            existing = [points[owner] for owner in owners if owner in points]
            removed = [
                owner.point_id(tx.scope.tenant_id) for owner in owners if owner not in points
            ]
            await self._create_collection(width)
            try:
                await self._write_points(width, existing, removed)
            except CollectionMissing:
                # Someone else deleted it; the next attempt creates it again.
                self._created.discard(width)
                raise

    async def _write_points(
        self, width: int, existing: Sequence[dict[str, Any]], removed: Sequence[str]
    ) -> None:
        collection = self._collection_of(width)
        for start in range(0, len(existing), POINTS):
            await self._api.upsert(collection, existing[start : start + POINTS])
        if removed:
            await self._api.delete(collection, {"points": list(removed)})

    async def count(self, tx: Tx) -> IndexCounts:
        stored, waiting = await changes.counts(tx)
        own_points = {"must": [match("tenant_id", str(tx.scope.tenant_id))]}
        names = await self._api.collections(self._collection)
        indexed = sum([await self._api.count(name, own_points) for name in names])
        return IndexCounts(stored, indexed, waiting)

    async def waiting(self, tx: Tx) -> int:
        return await changes.count_waiting(tx)

    async def clear(self, tx: Tx) -> None:
        await changes.forget_all_changes(tx)

    async def mark_all(self, tx: Tx) -> None:
        await changes.mark_all(tx)

    async def note_filled(self) -> None:
        async with self._db.transaction(Bound()) as tx:
            await changes.note_filled(tx)
        self._needs_filling = False

    async def erase_tenants(self) -> None:
        """Remove the points of deleted tenants, up to 100 in each call."""
        async with self._db.transaction(Bound()) as tx:
            tenant_ids = await changes.erased_tenants(tx)
        for tenant_id in tenant_ids:
            own_points = {"filter": {"must": [match("tenant_id", str(tenant_id))]}}
            for name in await self._api.collections(self._collection):
                await self._api.delete(name, own_points)
            scope = Scope(tenant_id=tenant_id, user_id=tenant_id)
            async with self._db.transaction(scope) as tx:
                await changes.forget_erased(tx)

    async def end(self) -> None:
        async with self._db.transaction(Bound()) as tx:
            await changes.forget_copies(tx)
        for name in await self._api.collections(self._collection):
            await self._api.drop(name)
        self._created.clear()

    async def _copy_changes(self, scope: Scope) -> None:
        """Copy changes after a commit. If that fails, a job does it later."""
        try:
            for _ in range(ROUNDS):
                if await self.catch_up(scope) < CHANGES:
                    return
        except Unavailable as error:
            log.warning("vectors_postponed", error=error.code)
        await self.on_pending(scope)

    async def _create_collection(self, dimensions: int) -> None:
        if dimensions not in self._created:
            created = await self._api.create(self._collection_of(dimensions), dimensions)
            self._needs_filling |= created
            self._created.add(dimensions)

    def _collection_of(self, dimensions: int) -> str:
        return f"{self._collection}_{dimensions}"


async def _with_flags(tx: Tx, kind: str, near: Sequence[Near], filters: Filters) -> list[Near]:
    """Flags change too often, and differ too much by member, to be copied to Qdrant."""
    allowed = allowed_ids(tx.scope.tenant_id, [kind], Filters(flags=filters.flags))
    assert allowed is not None
    ids = [hit.id for hit in near]
    rows = await tx.fetch(
        f"SELECT id FROM unnest($2::uuid[]) AS id WHERE {allowed.condition_sql('id', 2)}",
        ids,
        *allowed.values,
    )
    flagged = {row["id"] for row in rows}
    return [hit for hit in near if hit.id in flagged]


def _to_near(point: Any) -> Near:
    try:
        id, cosine = UUID(point["payload"]["memory_id"]), float(point["score"])
    except (KeyError, TypeError, ValueError, AttributeError):
        raise misread_error() from None
    if not isfinite(cosine):
        raise misread_error()
    return Near(id, min(1.0, max(-1.0, cosine)))
