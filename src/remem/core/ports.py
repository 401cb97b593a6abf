"""The ports: interfaces the core depends on, implemented by adapters."""

from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar, runtime_checkable

from remem.core.access_log import AccessLog
from remem.core.access_version import AccessVersion
from remem.core.connectors.port import Connector
from remem.core.db import Database
from remem.core.delivery_ports import Channel
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
from remem.core.question_file import QuestionGuard
from remem.core.queued import Job, WaitingJobs
from remem.core.secrets import Secrets
from remem.core.transaction import AnyTx
from remem.core.vector_ports import IndexCounts as IndexCounts
from remem.core.vector_ports import ModelVector as ModelVector
from remem.core.vector_ports import Near as Near
from remem.core.vector_ports import Point as Point
from remem.core.vector_ports import Vector, VectorCopy, VectorIndex


class DatabaseServer(Protocol):
    """Provides a PostgreSQL server. `start` returns the address of a server that accepts
    connections, however long recovery takes; it raises CannotStart with what to do. `revive`
    restarts a server that died, if remem manages it. `stop` never raises."""

    async def start(self) -> str: ...

    async def revive(self) -> None: ...

    async def stop(self) -> None: ...


class Embedder(Protocol):
    """Turns texts into unit vectors of `dimensions` floats, one per text, in order.

    `model` identifies the exact weights: vectors of different models are never compared. Raises
    Unavailable when it cannot answer now. `check` raises the error that a call would raise, as far
    as it is known here: it never calls a remote service, which may cost money."""

    @property
    def model(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    async def embed(self, texts: Sequence[str]) -> list[Vector]: ...

    async def embed_query(self, text: str) -> Vector: ...

    async def check(self) -> None: ...

    async def close(self) -> None: ...


@runtime_checkable
class LocalModels(Embedder, Protocol):
    """An embedder of this machine that opens the other models of this machine too.

    They cost nothing and share a space. `open_model` returns None if the files of the model are
    missing; `stand_in` then embeds with this one in its name. `in_background` is the same embedder
    for work that nobody waits for: it never delays queries and short texts. `release_others` frees
    the memory of the other models until they are used again. `languages_of` are the languages that
    a model reads, by ISO 639; None if that is not known."""

    @property
    def local_models(self) -> Collection[str]: ...

    def languages_of(self, model: str) -> Collection[str] | None: ...

    def open_model(self, model: str) -> Embedder | None: ...

    def stand_in(self, model: str) -> Embedder: ...

    def in_background(self) -> Embedder: ...

    def release_others(self) -> None: ...


JobHandler: TypeAlias = Callable[[Job], Awaitable[None]]


class Queue(Protocol):
    """Delivers jobs to a worker at least once, even when processes die.

    `enqueue` writes in the caller's transaction, so a job exists exactly when its cause does. A
    handler that raises is retried with backoff; after its last attempt the job is stored as failed.
    A job whose worker died is delivered again with `lost` incremented, and a worker runs such jobs
    one at a time. Of the waiting jobs, the one with the highest `priority` runs first, then the
    oldest. A job that failed because a service is down (`Unavailable.service`) waits for it: `wake`
    makes the jobs that wait for a service due at once, or `limit` of them, those with the fewest
    attempts first, and returns how many. `work` runs until `drain` is called, then lets running
    jobs finish. It runs the jobs named in `background` one at a time, and so few of the `large`
    ones that another one can begin."""

    async def prepare(self) -> None: ...

    async def enqueue(
        self,
        tx: AnyTx,
        job: Job,
        *,
        delay: timedelta | None = None,
        priority: int = 0,
        large: bool = False,
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
    """Runs pure functions of `core` over a user's text, off the event loop.

    `run` returns the function's result. Arguments and result must be picklable, and the function is
    looked up by its module and name. Raises AnalysisStopped when it fails or exceeds its deadline,
    which grows with the text; Unavailable when too many calls wait."""

    async def run(self, function: Callable[..., Answer], *arguments: Any) -> Answer: ...

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class PageVersion:
    """The validators of a fetched page, for a conditional request."""

    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True)
class TableSum:
    """The number of rows, and a checksum that does not depend on their order."""

    rows: int
    checksum: int


@dataclass(frozen=True, slots=True)
class Fetched:
    """A web page at a user's URL: `url` is the final URL after redirects."""

    url: str
    data: bytes
    media_type: str | None
    name: str | None
    version: PageVersion = PageVersion()


class Fetcher(Protocol):
    """The only way to fetch a user's URL. Never reaches a private address, whether by name, IP
    address, redirect or DNS rebinding. Has its own deadline, retries included. Raises Invalid (a
    forbidden address) or Unreadable (no page, or an unusable one); the message says why and what
    to do."""

    def check(self, url: str) -> None:
        """Raise Invalid for a forbidden address, as far as that is known without resolving its
        name."""
        ...

    async def fetch(self, url: str) -> Fetched: ...

    async def fetch_newer(self, url: str, known: PageVersion) -> Fetched | None:
        """Return None if the server says that the page is still the known version. The validators
        are sent only to the host of the URL, and not to hosts it redirects to."""
        ...

    async def close(self) -> None: ...


class OriginalSum(NamedTuple):
    """The expected checksum of an original, from the row that refers to it."""

    key: str
    name: str | None
    sha256: str

    def __str__(self) -> str:
        return f"{self.name or 'unnamed'} ({self.key})"


class StoreCounts(NamedTuple):
    """The numbers of documents and memories of all users, without older versions."""

    documents: int = 0
    memories: int = 0


@dataclass(frozen=True, slots=True)
class DumpedStore:
    """What a dump has, all of one moment; `originals` are the blobs that its rows refer to."""

    made_at: datetime
    schema: int
    counts: StoreCounts
    originals: list[OriginalSum]


class Blobs(Protocol):
    """Stores originals by key, byte for byte. `put` replaces an existing key; `delete` of a missing
    key is no error; `open` raises NotFound. Keys are generated by remem: `a-z0-9/-`."""

    async def put(self, key: str, source: Path) -> None: ...

    async def open(self, key: str) -> AsyncIterator[bytes]: ...

    async def delete(self, key: str) -> None: ...

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Allowance:
    """The requests a caller has left in the current window."""

    limit: int
    remaining: int
    reset_s: int
    allowed: bool


class RateCounter(Protocol):
    """Counts hits in a sliding window, shared by every process on the same store. `hit_within`
    counts a hit of a member of a group, and one of the group only if the member is allowed it; it
    returns the allowance that is used up first. `sweep` deletes counts that no longer matter."""

    async def hit(self, caller: str, limit: int, window_s: int) -> Allowance: ...

    async def hit_within(
        self, member: str, limit: int, group: str, group_limit: int, window_s: int
    ) -> Allowance: ...

    async def sweep(self, window_s: int) -> None: ...

    async def close(self) -> None: ...


class Cache(Protocol):
    """Caches small answers for at most `ttl_s` seconds; a missing one is computed again. Never
    raises: a cache that is down is empty. `is_shared` says whether other processes use it too."""

    @property
    def is_shared(self) -> bool: ...

    async def get(self, key: str) -> bytes | None: ...

    async def put(self, key: str, value: bytes, ttl_s: float) -> None: ...

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Ports:
    """Everything a verb may use. Opened and closed once, by bootstrap."""

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
    # Keyed by the name that a caller may give. The first that recognises a file reads it.
    importers: Mapping[str, Importer] = field(default_factory=dict)
    # Remote services of models, keyed by their purpose.
    providers: Mapping[str, ModelProvider] = field(default_factory=dict)
    # Keyed by the name of the service.
    connectors: Mapping[str, Connector] = field(default_factory=dict)
    # Keyed by the name of the channel; without mail if no mail server is configured.
    channels: Mapping[str, Channel] = field(default_factory=dict)
    # None: there are no vectors outside PostgreSQL.
    vector_copy: VectorCopy | None = None
    # None: everything is done by rules.
    llm: Llm | None = None
    # None: nothing is ranked or judged by the reader model.
    reader: Reader | None = None
    # Whether memories are distilled from documents.
    distils: bool = True
    # Whether questions are recorded as sessions automatically.
    records_sessions: bool = True
    # Days without activity after which those are erased; 0 keeps them forever.
    session_days: int = 180
    # Makes the nightly backup. None: there is none.
    back_up: Callable[[], Awaitable[None]] | None = None
    # The operator's questions. None: there are none.
    question_guard: QuestionGuard | None = None
    # The same ports for background work, which yields the processors to requests.
    background: "Ports | None" = None
