"""The ports of vectors: the index that finds the nearest, and a copy outside PostgreSQL."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeAlias
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from remem.core.filters import ALL, Filters
from remem.core.scope import Scope
from remem.core.transaction import Tx

Vector: TypeAlias = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Point:
    """One vector and the item it belongs to."""

    kind: str
    id: UUID
    project_id: UUID
    vector: Vector


class ModelVector(NamedTuple):
    """A vector and the model that made it."""

    model: str
    values: Vector


class Near(NamedTuple):
    """A neighbour and its cosine similarity, from -1 to 1."""

    id: UUID
    cosine: float


class VectorIndex(Protocol):
    """Finds nearest neighbours among one tenant's vectors of one model.

    `put` replaces a point of the same kind and id. `search` returns at most `limit` neighbours,
    nearest first, and all matches when the `filters` match fewer; an index inside PostgreSQL
    applies the filters as SQL, another as conditions of its own. `cosines` returns the similarity
    of items found by other means, and `read` the stored points; both leave out items without a
    vector. `near_each` returns, for each of several points of a project, its neighbours in the
    project that are closer than `above`, nearest first, without itself. `keep_only` removes the
    vectors of every other model, and `remove_models` up to `limit` vectors of some models: it
    returns how many. `build` creates PostgreSQL's own index for a vector width, without
    blocking writes. An index inside PostgreSQL works in `tx`; another ignores it."""

    async def prepare(self, model: str, dimensions: int) -> None: ...

    async def put(self, tx: Tx, model: str, points: Sequence[Point]) -> None: ...

    async def remove(self, tx: Tx, kind: str, ids: Sequence[UUID]) -> None: ...

    async def remove_project(self, tx: Tx, project_id: UUID) -> None: ...

    async def keep_only(self, tx: Tx, model: str) -> None: ...

    async def remove_models(self, tx: Tx, models: Sequence[str], limit: int) -> int: ...

    async def move(self, tx: Tx, kind: str, ids: Sequence[UUID], project_id: UUID) -> None: ...

    async def search(
        self,
        tx: Tx,
        model: str,
        kind: str,
        vector: Vector,
        project_ids: Sequence[UUID] | None,
        limit: int,
        filters: Filters = ALL,
    ) -> list[Near]: ...

    async def cosines(
        self, tx: Tx, model: str, kind: str, vector: Vector, ids: Sequence[UUID]
    ) -> list[Near]: ...

    async def read(self, tx: Tx, model: str, kind: str, ids: Sequence[UUID]) -> list[Point]: ...

    async def near_each(
        self,
        tx: Tx,
        model: str,
        kind: str,
        project_id: UUID,
        ids: Sequence[UUID],
        above: float,
        limit: int,
    ) -> dict[UUID, list[Near]]: ...

    async def build(self, dimensions: int) -> None: ...

    async def close(self) -> None: ...


class IndexCounts(NamedTuple):
    """Counts of a tenant's vectors: in PostgreSQL, in the index, and changes not copied yet."""

    stored: int
    indexed: int
    waiting: int


class VectorCopy(Protocol):
    """An index outside PostgreSQL, which must be kept up to date. Every method raises Unavailable
    while it is down. `catch_up` copies some of a tenant's changes to it, oldest first, and returns
    how many: 0 when it is up to date. `needs_filling` is true for a newly created index: `mark_all`
    must then mark everything as changed, tenant by tenant, and `note_filled` records that this is
    done. `erase_tenants` removes the vectors of deleted tenants. `on_pending` is called when
    changes of a tenant have to wait. `end` removes the whole index and stops recording changes;
    `clear` forgets the pending changes of a tenant."""

    on_pending: Callable[[Scope], Awaitable[None]]

    @property
    def needs_filling(self) -> bool: ...

    async def catch_up(self, scope: Scope) -> int: ...

    async def count(self, tx: Tx) -> IndexCounts: ...

    async def waiting(self, tx: Tx) -> int: ...

    async def mark_all(self, tx: Tx) -> None: ...

    async def note_filled(self) -> None: ...

    async def erase_tenants(self) -> None: ...

    async def clear(self, tx: Tx) -> None: ...

    async def end(self) -> None: ...
