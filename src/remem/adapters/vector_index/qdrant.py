"""Nearest vectors by Qdrant; PostgreSQL keeps each vector, and what Qdrant has not got yet."""

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
from remem.adapters.vector_index.qdrant_api import CollectionMissing, QdrantApi, misread
from remem.adapters.vector_index.qdrant_filters import conditions, match
from remem.adapters.vector_index.qdrant_points import points_of
from remem.core.db import Database, Tx
from remem.core.errors import Unavailable
from remem.core.filters import ALL, Filters
from remem.core.ports import IndexCounts, Near, Vector
from remem.core.providers import ProviderState
from remem.core.scope import Bound, Scope

# Of one transaction, and of one request.
CHANGES, POINTS = 500, 100
LOCK_MS = 3_000
# A transaction that changed more is answered before all of it is there; a job does the rest.
ROUNDS = 20

log = structlog.get_logger()


async def _nobody(_: Scope) -> None:
    """Until somebody is to be called."""


class QdrantIndex(PgVectorIndex):
    """Vectors are written to PostgreSQL with what they belong to, and so is that they changed;
    after the commit the changes are carried to Qdrant. While it is down they wait, `when_behind` is
    called, and a search compares with every vector where these are few."""

    def __init__(
        self, db: Database, url: str, api_key: str | None = None, collection: str = "remem"
    ) -> None:
        super().__init__(db)
        self._api = QdrantApi(url, api_key)
        self._collection = collection
        self._name = f"qdrant {url.rstrip('/')} {collection}"
        self._made: set[int] = set()
        self._needs_filling = False
        db.when_vectors_changed = self._carry
        self.when_behind: Callable[[Scope], Awaitable[None]] = _nobody

    async def prepare(self, model: str, dimensions: int) -> None:
        """Qdrant may be away: the collection is made when it is first written to."""
        async with self._db.transaction(Bound()) as tx:
            self._needs_filling = await changes.register_copy(tx, self._name)
        try:
            await self._make(dimensions)
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
        scope: Scope,
        model: str,
        kind: str,
        vector: Vector,
        project_ids: Sequence[UUID] | None,
        limit: int,
        filters: Filters = ALL,
    ) -> list[Near]:
        try:
            where = conditions(scope.tenant_id, kind, model, project_ids, filters)
            return await self._nearest_there(vector, limit, where)
        except Unavailable:
            projects = None if project_ids is None else list(project_ids)
            asked = (scope.tenant_id, kind, model, projects, vector, limit)
            if not await self._are_few(tx, asked):
                raise
            return await super().search(tx, scope, model, kind, vector, project_ids, limit, filters)

    async def _nearest_there(self, vector: Vector, limit: int, where: dict[str, Any]) -> list[Near]:
        body = {
            "query": [float(value) for value in vector],
            "filter": where,
            "limit": limit,
            "with_payload": ["memory_id"],
        }
        points = await self._api.query(self._collection_of(len(vector)), body)
        # The text of each is read from PostgreSQL, which shows nobody what is not theirs.
        near = [_near(point) for point in points[:limit]]
        return sorted(near, key=lambda hit: (-hit.cosine, hit.id.int))

    async def catch_up(self, scope: Scope) -> int:
        """Carry the oldest changes there; how many it were."""
        try:
            async with self._db.transaction(scope) as tx:
                await changes.lock_tenant(tx, scope, LOCK_MS)
                waiting = await changes.oldest(tx, scope, CHANGES)
                if waiting:
                    await self._write(tx, scope, waiting)
                    await changes.forget(tx, scope, [change.id for change in waiting])
                return len(waiting)
        except asyncpg.LockNotAvailableError as error:
            raise Unavailable("Another process writes these vectors; try again.") from error

    async def _write(self, tx: Tx, scope: Scope, waiting: Sequence[Change]) -> None:
        points = await points_of(tx, scope, {change.owner for change in waiting})
        by_width = sorted(waiting, key=lambda change: change.dimensions)
        for width, group in groupby(by_width, key=lambda change: change.dimensions):
            owners = {change.owner for change in group}
            there = [points[owner] for owner in owners if owner in points]
            gone = [owner.point_id(scope.tenant_id) for owner in owners if owner not in points]
            await self._make(width)
            try:
                await self._write_points(width, there, gone)
            except CollectionMissing:
                # It was removed behind our back, and is made anew by the next attempt.
                self._made.discard(width)
                raise

    async def _write_points(
        self, width: int, there: Sequence[dict[str, Any]], gone: Sequence[str]
    ) -> None:
        collection = self._collection_of(width)
        for start in range(0, len(there), POINTS):
            await self._api.upsert(collection, there[start : start + POINTS])
        if gone:
            await self._api.delete(collection, {"points": list(gone)})

    async def count(self, tx: Tx, scope: Scope) -> IndexCounts:
        stored, waiting = await changes.counts(tx, scope)
        own = {"must": [match("tenant_id", str(scope.tenant_id))]}
        names = await self._api.collections(self._collection)
        indexed = sum([await self._api.count(name, own) for name in names])
        return IndexCounts(stored, indexed, waiting)

    async def waiting(self, tx: Tx, scope: Scope) -> int:
        return await changes.waiting(tx, scope)

    async def clear(self, tx: Tx, scope: Scope) -> None:
        await changes.forget_all(tx, scope)

    async def mark_all(self, tx: Tx, scope: Scope) -> None:
        await changes.mark_all(tx, scope)

    async def note_filled(self) -> None:
        async with self._db.transaction(Bound()) as tx:
            await changes.note_filled(tx)
        self._needs_filling = False

    async def erase_tenants(self) -> None:
        """Remove the points of tenants that are gone; those that are left are done later."""
        async with self._db.transaction(Bound()) as tx:
            gone = await changes.erased_tenants(tx)
        for tenant_id in gone:
            own = {"filter": {"must": [match("tenant_id", str(tenant_id))]}}
            for name in await self._api.collections(self._collection):
                await self._api.delete(name, own)
            scope = Scope(tenant_id=tenant_id, user_id=tenant_id)
            async with self._db.transaction(scope) as tx:
                await changes.forget_erased(tx, scope)

    async def end(self) -> None:
        async with self._db.transaction(Bound()) as tx:
            await changes.forget_copies(tx)
        for name in await self._api.collections(self._collection):
            await self._api.drop(name)
        self._made.clear()

    async def _carry(self, scope: Scope) -> None:
        """After a commit: what fails here waits, and is done by a job."""
        try:
            for _ in range(ROUNDS):
                if await self.catch_up(scope) < CHANGES:
                    return
        except Unavailable as error:
            log.warning("vectors_postponed", error=error.code)
        await self.when_behind(scope)

    async def _make(self, dimensions: int) -> None:
        if dimensions not in self._made:
            created = await self._api.create(self._collection_of(dimensions), dimensions)
            self._needs_filling |= created
            self._made.add(dimensions)

    def _collection_of(self, dimensions: int) -> str:
        return f"{self._collection}_{dimensions}"


def _near(point: Any) -> Near:
    try:
        id, cosine = UUID(point["payload"]["memory_id"]), float(point["score"])
    except (KeyError, TypeError, ValueError, AttributeError):
        raise misread() from None
    if not isfinite(cosine):
        raise misread()
    return Near(id, min(1.0, max(-1.0, cosine)))
