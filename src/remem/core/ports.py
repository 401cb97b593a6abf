"""What the process can do: the sockets, and the plugs that are in them."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol, TypeAlias
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from remem.core.db import Database, Tx
from remem.core.scope import Scope

Vector: TypeAlias = NDArray[np.float32]


class DatabaseServer(Protocol):
    """Where PostgreSQL is. `start` gives the address of a server that accepts connections,
    waiting as long as recovery takes; it raises CannotStart with what to do. `revive` brings
    back a server that died since, where that is ours to do. `stop` never raises."""

    async def start(self) -> str: ...

    async def revive(self) -> None: ...

    async def stop(self) -> None: ...


class Embedder(Protocol):
    """Turns text into unit vectors of `dimensions` floats, one for each text, in order.

    `model` names the weights exactly: vectors of different models are never compared.
    Raises Unavailable when it cannot answer now."""

    @property
    def model(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    async def embed(self, texts: Sequence[str]) -> list[Vector]: ...

    async def embed_query(self, text: str) -> Vector: ...

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Point:
    """One vector and what it belongs to."""

    kind: str
    id: UUID
    project_id: UUID
    vector: Vector


@dataclass(frozen=True, slots=True)
class Near:
    """A neighbour and its cosine, from -1 to 1."""

    id: UUID
    cosine: float


class VectorIndex(Protocol):
    """Nearest neighbours among one tenant's vectors of one model.

    `put` replaces a point of the same kind and id. `search` gives at most `limit`
    neighbours, nearest first. An index inside PostgreSQL works in `tx`; another ignores it."""

    async def prepare(self, model: str, dimensions: int) -> None: ...

    async def put(self, tx: Tx, scope: Scope, model: str, points: Sequence[Point]) -> None: ...

    async def remove(self, tx: Tx, scope: Scope, kind: str, ids: Sequence[UUID]) -> None: ...

    async def remove_project(self, tx: Tx, scope: Scope, project_id: UUID) -> None: ...

    async def search(
        self,
        tx: Tx,
        scope: Scope,
        model: str,
        kind: str,
        vector: Vector,
        project_ids: Sequence[UUID] | None,
        limit: int,
    ) -> list[Near]: ...


@dataclass(frozen=True, slots=True)
class Job:
    """Queued work: a name from the worker's page, whom it is for, and its subject.

    `attempt` counts from 1; `last` says that a failure now is final."""

    id: UUID
    name: str
    tenant_id: UUID
    user_id: UUID
    subject_id: UUID
    attempt: int = 1
    last: bool = False


JobHandler: TypeAlias = Callable[[Job], Awaitable[None]]


class Queue(Protocol):
    """Carries jobs to a worker at least once, whatever dies in between.

    `enqueue` writes in the caller's transaction, so a job exists exactly when its cause
    does. A handler that raises is called again with backoff; after its last attempt the job
    is kept as failed. `work` runs until `drain` is called, then lets running jobs finish."""

    async def prepare(self) -> None: ...

    async def enqueue(self, tx: Tx, job: Job, *, delay: timedelta | None = None) -> None: ...

    async def work(self, handlers: Mapping[str, JobHandler], *, concurrency: int) -> None: ...

    def drain(self) -> None: ...

    async def depth(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Allowance:
    """What is left of a caller's requests in the current window."""

    limit: int
    remaining: int
    reset_s: int
    allowed: bool


class RateCounter(Protocol):
    """Counts hits in a moving window, shared by every process on the same store."""

    async def hit(self, caller: str, limit: int, window_s: int) -> Allowance: ...


@dataclass(frozen=True, slots=True)
class Ports:
    """Everything a verb may use. Opened once by bootstrap, closed once."""

    db: Database
    embedder: Embedder
    vectors: VectorIndex
    queue: Queue
    rate: RateCounter
