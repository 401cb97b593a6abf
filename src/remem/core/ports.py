"""The ports: interfaces the core depends on, implemented by adapters."""

from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

from remem.core.access_log import AccessLog
from remem.core.access_version import AccessVersion
from remem.core.connectors.port import Connector
from remem.core.db import Database, Tx
from remem.core.extraction_ports import Asr as Asr
from remem.core.extraction_ports import Extracted as Extracted
from remem.core.extraction_ports import Extractor
from remem.core.extraction_ports import Ocr as Ocr
from remem.core.extraction_ports import Original as Original
from remem.core.extraction_ports import Spoken as Spoken
from remem.core.feed_entries import FeedParser
from remem.core.items import Importer
from remem.core.model_ports import Judge, Llm, Reader
from remem.core.oauth_client import OAuthClient
from remem.core.providers import ModelProvider
from remem.core.queued import Job, WaitingJobs
from remem.core.secrets import Secrets
from remem.core.vector_ports import IndexCounts as IndexCounts
from remem.core.vector_ports import Near as Near
from remem.core.vector_ports import Point as Point
from remem.core.vector_ports import Vector, VectorCopy, VectorIndex


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


JobHandler: TypeAlias = Callable[[Job], Awaitable[None]]


class Queue(Protocol):
    """Carries jobs to a worker at least once, whatever dies in between.

    `enqueue` writes in the caller's transaction, so a job exists exactly when its cause
    does. A handler that raises is called again with backoff; after its last attempt the job
    is kept as failed. A job whose worker died comes again with `lost` counted up, and a worker
    does such jobs by turns. Of those that wait, the one of the highest `priority` is done first,
    then the oldest. A job that failed because a service is down (`Unavailable.service`) waits for
    it: `wake` makes the jobs that wait for one due at once, or `limit` of them, those that were
    tried least first, and says how many. `work` runs until `drain` is called, then lets running
    jobs finish. Of the jobs named in `background`, it runs one at a time."""

    async def prepare(self) -> None: ...

    async def enqueue(
        self, tx: Tx, job: Job, *, delay: timedelta | None = None, priority: int = 0
    ) -> None: ...

    async def work(
        self,
        handlers: Mapping[str, JobHandler],
        *,
        concurrency: int,
        background: Collection[str] = (),
    ) -> None: ...

    def drain(self) -> None: ...

    async def wake(self, service: str, limit: int | None = None) -> int: ...

    async def depth(self) -> int: ...

    async def waiting(self) -> list[WaitingJobs]: ...


Answer = TypeVar("Answer")


class Analysis(Protocol):
    """Calls functions of `core` that are pure and read a user's text, away from the event loop.

    `run` gives what the function returns. Its arguments and result can be pickled, and the
    function is found by its module and name. Raises AnalysisStopped when it takes longer than its
    deadline, which grows with the text, or fails; Unavailable when too many calls wait."""

    async def run(self, function: Callable[..., Answer], *arguments: Any) -> Answer: ...

    async def close(self) -> None: ...


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


class OriginalSum(NamedTuple):
    """What the bytes of an original have to be, by the row that names it."""

    key: str
    name: str | None
    sha256: str

    def __str__(self) -> str:
        return f"{self.name or 'unnamed'} ({self.key})"


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

    async def close(self) -> None: ...


class Cache(Protocol):
    """Keeps small answers for `ttl_s` seconds, or less: what is not there is made again. Never
    raises; a cache that is down has nothing. `is_shared` says whether other processes see it."""

    @property
    def is_shared(self) -> bool: ...

    async def get(self, key: str) -> bytes | None: ...

    async def put(self, key: str, value: bytes, ttl_s: float) -> None: ...

    async def close(self) -> None: ...


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
    access_version: AccessVersion
    judge: Judge
    secrets: Secrets
    oauth: OAuthClient
    # By the name a caller may give; of those that recognise a file, the first reads it.
    importers: Mapping[str, Importer] = field(default_factory=dict)
    # Remote services that models are at, by what they are for.
    providers: Mapping[str, ModelProvider] = field(default_factory=dict)
    # By the name of the service.
    connectors: Mapping[str, Connector] = field(default_factory=dict)
    # None: the vectors in PostgreSQL are all there are.
    vector_copy: VectorCopy | None = None
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
    # The same for work that nobody waits for, which gets a processor when nobody else needs it.
    background: "Ports | None" = None
