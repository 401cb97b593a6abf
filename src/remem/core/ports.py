"""The ports: interfaces the core depends on, implemented by adapters."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from remem.core.access_log import AccessLog
from remem.core.chunking.model import Mark
from remem.core.connectors import Connector
from remem.core.db import Database, Tx
from remem.core.feed_entries import FeedParser
from remem.core.filters import ALL, Filters
from remem.core.items import Importer
from remem.core.model_ports import Judge, Llm, Reader
from remem.core.oauth_client import OAuthClient
from remem.core.queued import Job
from remem.core.scope import Scope
from remem.core.secrets import Secrets

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
    Raises Unavailable when it cannot answer now. `check` raises what keeps it from answering, as
    far as it is known here: it never calls a remote service, which may cost money."""

    @property
    def model(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    async def embed(self, texts: Sequence[str]) -> list[Vector]: ...

    async def embed_query(self, text: str) -> Vector: ...

    async def check(self) -> None: ...

    async def close(self) -> None: ...


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
    `keep_only` removes the vectors of every other model. An index inside PostgreSQL works in `tx`;
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


JobHandler: TypeAlias = Callable[[Job], Awaitable[None]]


class Queue(Protocol):
    """Carries jobs to a worker at least once, whatever dies in between.

    `enqueue` writes in the caller's transaction, so a job exists exactly when its cause
    does. A handler that raises is called again with backoff; after its last attempt the job
    is kept as failed. A job whose worker died comes again with `lost` counted up, and a worker
    does such jobs by turns. Of those that wait, the one of the highest `priority` is done first,
    then the oldest. `work` runs until `drain` is called, then lets running jobs finish."""

    async def prepare(self) -> None: ...

    async def enqueue(
        self, tx: Tx, job: Job, *, delay: timedelta | None = None, priority: int = 0
    ) -> None: ...

    async def work(self, handlers: Mapping[str, JobHandler], *, concurrency: int) -> None: ...

    def drain(self) -> None: ...

    async def depth(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Original:
    """A file as it was handed in. `name` and `claim` (a media type, or one of our content types)
    are what the sender says it is, which is not believed."""

    path: Path
    name: str | None = None
    claim: str | None = None
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Extracted:
    """The text of an original, clean, with its joints and what the file says about itself.

    `content` is what is kept and searched; `marks` point into it. `found` holds only what stands
    in the file: title, author, published_at (ISO 8601), language, code_language, page_count,
    duration_s, … `cut` says which limit was hit, when one was.
    """

    content: str
    content_type: str
    marks: tuple[Mark, ...] = ()
    found: Mapping[str, Any] = field(default_factory=dict)
    cut: str | None = None


Answer = TypeVar("Answer")


class Analysis(Protocol):
    """Calls functions of `core` that are pure and read a user's text, away from the event loop.

    `run` gives what the function returns. Its arguments and result can be pickled, and the
    function is found by its module and name. Raises AnalysisStopped when it takes longer than its
    deadline, which grows with the text, or fails; Unavailable when too many calls wait."""

    async def run(self, function: Callable[..., Answer], *arguments: Any) -> Answer: ...

    async def close(self) -> None: ...


class Extractor(Protocol):
    """Makes text of an original of any kind, within limits of time and memory that hold whatever
    the file contains. Raises Unreadable with a message a person understands; its code is
    `too_slow` when the time was over. Each `owner` gets a share of the processes. While somebody
    `waits` for the reply, a text has a few seconds."""

    async def extract(
        self, original: Original, *, owner: str = "", waits: bool = False
    ) -> Extracted: ...

    async def close(self) -> None: ...


class Ocr(Protocol):
    """AccessLog the text of one picture (PNG or JPEG bytes), lines in reading order; "" when there
    is none. Blocking: it runs beside the extractor, not in the server."""

    def read(self, image: bytes) -> str: ...


@dataclass(frozen=True, slots=True)
class Spoken:
    start_s: float
    end_s: float
    text: str


class Asr(Protocol):
    """Writes down what is said in a sound or video file, in order. Blocking, like Ocr."""

    def transcribe(self, path: Path) -> list[Spoken]: ...


@dataclass(frozen=True, slots=True)
class PageVersion:
    """What a server says of the version of a page that it gave, to be asked for a newer one."""

    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True)
class Fetched:
    """A web page at a user's URL: `url` is the final URL after redirects."""

    url: str
    data: bytes
    media_type: str | None
    name: str | None
    version: PageVersion = PageVersion()


class Fetcher(Protocol):
    """The only way to a user's URL. Never reaches a private address, by name, number, redirect
    or a name that changes its mind. Ends within a deadline of its own, retries included. Raises
    Invalid (an address we do not visit) or Unreadable (no page, or one that is no use); the
    message says why and what to do."""

    def check(self, url: str) -> None:
        """Raise Invalid for an address that is never visited, as far as that can be said without
        looking its name up."""
        ...

    async def fetch(self, url: str) -> Fetched: ...

    async def fetch_newer(self, url: str, known: PageVersion) -> Fetched | None:
        """None where the server says that the page is still the version that is known. What is
        known is sent to the host of the URL alone, and to none that it redirects to."""
        ...

    async def close(self) -> None: ...


class Blobs(Protocol):
    """Keeps originals by key, byte for byte. `put` of the same key replaces; `delete` of a
    missing key is no error; `open` raises NotFound. Keys are of our making: `a-z0-9/-`."""

    async def put(self, key: str, source: Path) -> None: ...

    async def open(self, key: str) -> AsyncIterator[bytes]: ...

    async def delete(self, key: str) -> None: ...

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Allowance:
    """What is left of a caller's requests in the current window."""

    limit: int
    remaining: int
    reset_s: int
    allowed: bool


class RateCounter(Protocol):
    """Counts hits in a moving window, shared by every process on the same store. `hit_within`
    counts a hit of a member of a group, and of the group only when the member is allowed one;
    it gives the allowance that is used up first. `sweep` forgets counts that no longer matter."""

    async def hit(self, caller: str, limit: int, window_s: int) -> Allowance: ...

    async def hit_within(
        self, member: str, limit: int, group: str, group_limit: int, window_s: int
    ) -> Allowance: ...

    async def sweep(self, window_s: int) -> None: ...


class Cache(Protocol):
    """Keeps small answers for `ttl_s` seconds, or less: what is not there is made again. Never
    raises; a cache that is down has nothing."""

    async def get(self, key: str) -> bytes | None: ...

    async def put(self, key: str, value: bytes, ttl_s: float) -> None: ...

    async def close(self) -> None: ...


class Dump(Protocol):
    """The whole database, every tenant's rows, for who runs the machine. `write` makes a file of
    one moment, while others work; `load` puts such a file in the place of everything, or changes
    nothing. `originals` are the keys of blobs that rows name; `others` counts who else is
    connected."""

    async def write(self, target: Path) -> None: ...

    async def load(self, source: Path) -> None: ...

    async def originals(self) -> list[str]: ...

    async def schema(self) -> int: ...

    async def holds_anything(self) -> bool: ...

    async def others(self) -> int: ...


@dataclass(frozen=True, slots=True)
class BackupPorts:
    """The store as a thing that is kept safe: its rows, its originals, and the newest schema that
    this version knows."""

    dump: Dump
    blobs: Blobs
    knows: int


@dataclass(frozen=True, slots=True)
class Ports:
    """Everything a verb may use. Opened once by bootstrap, closed once."""

    db: Database
    embedder: Embedder
    vectors: VectorIndex
    queue: Queue
    rate: RateCounter
    extractor: Extractor
    analysis: Analysis
    fetcher: Fetcher
    feeds: FeedParser
    blobs: Blobs
    cache: Cache
    access_log: AccessLog
    judge: Judge
    secrets: Secrets
    oauth: OAuthClient
    # By the name a caller may give; of those that recognise a file, the first reads it.
    importers: Mapping[str, Importer] = field(default_factory=dict)
    # By the name of the service.
    connectors: Mapping[str, Connector] = field(default_factory=dict)
    # None: everything is done by rules.
    llm: Llm | None = None
    # None: nothing is ranked or judged by reading.
    reader: Reader | None = None
    # Whether memories are distilled from documents.
    distils: bool = True
    # Whether questions are recorded as sessions without being asked to.
    records_sessions: bool = True
    # For how many silent days those are kept; 0 is for ever.
    session_days: int = 180
