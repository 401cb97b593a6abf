"""The ports of vectors: the index that finds the nearest, and one outside PostgreSQL."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeAlias
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from remem.core.db import Tx
from remem.core.filters import ALL, Filters
from remem.core.scope import Scope

Vector: TypeAlias = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Point:
    """One vector and what it belongs to."""

    kind: str
    id: UUID
    project_id: UUID
    vector: Vector


class Near(NamedTuple):
    """A neighbour and its cosine, from -1 to 1."""

    id: UUID
    cosine: float


class VectorIndex(Protocol):
    """Nearest neighbours among one tenant's vectors of one model.

    `put` replaces a point of the same kind and id. `search` gives at most `limit`
    neighbours, nearest first, and all of them when `filters` leave fewer: an index inside
    PostgreSQL runs them as SQL, another as conditions of its own. `cosines` measures what was
    found otherwise, and `read` gives what was put; what has no vector is left out. `near_each`
    gives for each of several points of a project its neighbours in it that are closer than
    `above`, the nearest first and itself not among them.
    `keep_only` removes the vectors of every other model. `build` makes PostgreSQL's own index of a
    width, while others write. An index inside PostgreSQL works in `tx`;
    another ignores it."""

    async def prepare(self, model: str, dimensions: int) -> None: ...

    async def put(self, tx: Tx, scope: Scope, model: str, points: Sequence[Point]) -> None: ...

    async def remove(self, tx: Tx, scope: Scope, kind: str, ids: Sequence[UUID]) -> None: ...

    async def remove_project(self, tx: Tx, scope: Scope, project_id: UUID) -> None: ...

    async def keep_only(self, tx: Tx, scope: Scope, model: str) -> None: ...

    async def move(
        self, tx: Tx, scope: Scope, kind: str, ids: Sequence[UUID], project_id: UUID
    ) -> None: ...

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
    ) -> list[Near]: ...

    async def cosines(
        self,
        tx: Tx,
        scope: Scope,
        model: str,
        kind: str,
        vector: Vector,
        ids: Sequence[UUID],
    ) -> list[Near]: ...

    async def read(
        self, tx: Tx, scope: Scope, model: str, kind: str, ids: Sequence[UUID]
    ) -> list[Point]: ...

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
    ) -> dict[UUID, list[Near]]: ...

    async def build(self, dimensions: int) -> None: ...

    async def close(self) -> None: ...


class IndexCounts(NamedTuple):
    """A tenant's vectors: those in PostgreSQL, those in the index, and changes that wait."""

    stored: int
    indexed: int
    waiting: int


class VectorCopy(Protocol):
    """An index outside PostgreSQL, which has to be kept up to date. Each raises Unavailable while
    it is down. `catch_up` carries some of the changes of a tenant there, the oldest first, and
    gives how many it were: 0 when it has everything. `needs_filling` says that it was made anew:
    everything is to be marked as changed, tenant by tenant, and `note_filled` says that it is done.
    `erase_tenants` removes what belongs to tenants that are gone. `when_behind` is called when
    changes of a tenant have to wait. `end` removes the whole index, and notes no more changes;
    `clear` forgets those of a tenant."""

    when_behind: Callable[[Scope], Awaitable[None]]

    @property
    def needs_filling(self) -> bool: ...

    async def catch_up(self, scope: Scope) -> int: ...

    async def count(self, tx: Tx, scope: Scope) -> IndexCounts: ...

    async def waiting(self, tx: Tx, scope: Scope) -> int: ...

    async def mark_all(self, tx: Tx, scope: Scope) -> None: ...

    async def note_filled(self) -> None: ...

    async def erase_tenants(self) -> None: ...

    async def clear(self, tx: Tx, scope: Scope) -> None: ...

    async def end(self) -> None: ...
