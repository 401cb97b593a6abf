"""A reader on this machine, with the weights that are part of our package."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from copy import copy
from pathlib import Path
from typing import TypeVar

import structlog

from remem.adapters.model_threads import default_threads, lower_thread_priority
from remem.adapters.reader.network import Network, load
from remem.core.errors import ReaderBusy, Unavailable
from remem.core.readings import NoteReading, Span, Verdict

# How long a request for the best results waits before it gets results without the reader.
DEADLINE_S = 2.0
MAX_CALLS = 8
# For callers that wait for their turn because they need the reader.
TURN_DEADLINE_S = 30.0
MAX_WAITING = 100

log = structlog.get_logger()
Output = TypeVar("Output")


class LocalReader:
    """Has threads of its own, which read one pair of texts each. Their priority is low, so that
    searches without the reader go first. The first call loads the model."""

    def __init__(
        self,
        *,
        threads: int | None = None,
        folder: Path | None = None,
        deadline_s: float = DEADLINE_S,
        max_calls: int = MAX_CALLS,
    ) -> None:
        self._deadline_s, self._max_calls = deadline_s, max_calls
        self._threads = ThreadPoolExecutor(
            threads or default_threads(), "reader", lower_thread_priority
        )
        self._model = _Model(folder)
        self._calls = 0
        self._turns = asyncio.Semaphore(threads or default_threads())
        self._waiting = 0

    async def rank(self, query: str, texts: Sequence[str]) -> list[float]:
        return await self._run_all(lambda text: self._load_network().relevance(query, text), texts)

    async def read(self, question: str, texts: Sequence[str]) -> list[Span]:
        answers = await self._run_all(
            lambda text: self._load_network().answers(question, text), texts
        )
        spans = [Span(number, *place) for number, places in enumerate(answers) for place in places]
        return sorted(spans, key=lambda span: -span.confidence)

    async def judge(self, olds: Sequence[str], new: str) -> list[Verdict]:
        return await self._run_all(lambda old: self._load_network().verdict(old, new), olds)

    async def note(self, text: str, lines: Sequence[tuple[int, int]]) -> NoteReading:
        [reading] = await self._run_all(lambda note: self._load_network().note(note, lines), [text])
        return reading

    @asynccontextmanager
    async def in_turn(self) -> AsyncIterator["LocalReader"]:
        if self._waiting >= MAX_WAITING:
            raise ReaderBusy
        self._waiting += 1
        try:
            async with self._turns:
                yield self._with_more_time()
        finally:
            self._waiting -= 1

    def _with_more_time(self) -> "LocalReader":
        """A copy with a longer deadline that shares threads and model."""
        reader = copy(self)
        reader._deadline_s = max(TURN_DEADLINE_S, self._deadline_s)
        reader._calls = 0
        return reader

    async def close(self) -> None:
        """Shut down the threads. Running calls finish, waiting ones are cancelled."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _run_all(
        self, function: Callable[[str], Output], texts: Sequence[str]
    ) -> list[Output]:
        """Call a function for each text, the longest first, so that none runs alone at the end.
        Results are in the order of `texts`."""
        if self._calls >= self._max_calls:
            raise ReaderBusy
        self._calls += 1
        by_length = sorted(range(len(texts)), key=lambda n: -len(texts[n]))
        pending: list[asyncio.Future[Output]] = []
        try:
            pending += (self._on_thread(function, texts[n]) for n in by_length)
            async with asyncio.timeout(self._deadline_s):
                outputs = dict(zip(by_length, await asyncio.gather(*pending), strict=True))
        except TimeoutError:
            raise ReaderBusy from None
        except Exception as error:
            raise self._to_unavailable(error) from error
        finally:
            self._calls -= 1
            for future in pending:
                future.cancel()
        return [outputs[n] for n in range(len(texts))]

    def _on_thread(self, function: Callable[[str], Output], text: str) -> "asyncio.Future[Output]":
        return asyncio.get_running_loop().run_in_executor(self._threads, function, text)

    def _to_unavailable(self, error: Exception) -> Unavailable:
        if isinstance(error, Unavailable):
            return error
        log.error("reader_failed", error=type(error).__name__)
        return Unavailable("The reader failed.")

    def _load_network(self) -> Network:
        return self._model.get()


class _Model:
    """The network, loaded when it is first needed."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._loading = threading.Lock()
        self._network: Network | None = None
        self._load_error: Unavailable | None = None

    def get(self) -> Network:
        with self._loading:
            if self._load_error:
                raise self._load_error
            if self._network is None:
                self._network = self._load()
            return self._network

    def _load(self) -> Network:
        try:
            return load(self._folder)
        except Unavailable as error:
            self._load_error = error
            log.error("reader_not_loaded", error=str(error))
            raise
