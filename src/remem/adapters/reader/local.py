"""Reads on this machine, with the weights that are in our own package."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from copy import copy
from pathlib import Path
from typing import TypeVar

import structlog

from remem.adapters.processors import give_way, processors
from remem.adapters.reader.network import Network, load
from remem.core.errors import ReaderBusy, Unavailable
from remem.core.readings import Span, Verdict

# What a person who asked for the best answer waits for it, before they get the one without.
DEADLINE_S = 2.0
MOST_CALLS = 8
# Of those who take turns because they cannot do without it.
TURN_DEADLINE_S = 30.0
MOST_WAITING = 100

log = structlog.get_logger()
Said = TypeVar("Said")


class LocalReader:
    """Threads of its own, one pair of texts each, that let searches without a reader go first. The
    model is loaded by the first call."""

    def __init__(
        self,
        *,
        threads: int | None = None,
        folder: Path | None = None,
        deadline_s: float = DEADLINE_S,
        most_calls: int = MOST_CALLS,
    ) -> None:
        self._deadline_s, self._most_calls = deadline_s, most_calls
        self._threads = ThreadPoolExecutor(threads or processors(), "reader", give_way)
        self._model = _Model(folder)
        self._calls = 0
        self._turns = asyncio.Semaphore(threads or processors())
        self._waiting = 0

    async def rank(self, query: str, texts: Sequence[str]) -> list[float]:
        return await self._all(lambda text: self._loaded().relevance(query, text), texts)

    async def read(self, question: str, texts: Sequence[str]) -> list[Span]:
        found = await self._all(lambda text: self._loaded().answers(question, text), texts)
        spans = [Span(number, *place) for number, each in enumerate(found) for place in each]
        return sorted(spans, key=lambda span: -span.confidence)

    async def judge(self, olds: Sequence[str], new: str) -> list[Verdict]:
        return await self._all(lambda old: self._loaded().verdict(old, new), olds)

    @asynccontextmanager
    async def in_turn(self) -> AsyncIterator["LocalReader"]:
        if self._waiting >= MOST_WAITING:
            raise ReaderBusy
        self._waiting += 1
        try:
            async with self._turns:
                yield self._with_more_time()
        finally:
            self._waiting -= 1

    def _with_more_time(self) -> "LocalReader":
        """The same threads and the same model."""
        reader = copy(self)
        reader._deadline_s = max(TURN_DEADLINE_S, self._deadline_s)
        reader._calls = 0
        return reader

    async def close(self) -> None:
        """Give the threads back. What is running finishes, what waits is dropped."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _all(self, say: Callable[[str], Said], texts: Sequence[str]) -> list[Said]:
        """Of each text by itself, in their order; the longest first, so that no thread is left
        with one at the end."""
        if self._calls >= self._most_calls:
            raise ReaderBusy
        self._calls += 1
        longest = sorted(range(len(texts)), key=lambda n: -len(texts[n]))
        pending: list[asyncio.Future[Said]] = []
        try:
            pending += (self._on_thread(say, texts[n]) for n in longest)
            async with asyncio.timeout(self._deadline_s):
                said = dict(zip(longest, await asyncio.gather(*pending), strict=True))
        except TimeoutError:
            raise ReaderBusy from None
        except Exception as failed:
            raise self._failure(failed) from failed
        finally:
            self._calls -= 1
            for one in pending:
                one.cancel()
        return [said[n] for n in range(len(texts))]

    def _on_thread(self, say: Callable[[str], Said], text: str) -> "asyncio.Future[Said]":
        return asyncio.get_running_loop().run_in_executor(self._threads, say, text)

    def _failure(self, failed: Exception) -> Unavailable:
        if isinstance(failed, Unavailable):
            return failed
        log.error("reader_failed", error=type(failed).__name__)
        return Unavailable("The reader failed.")

    def _loaded(self) -> Network:
        return self._model.loaded()


class _Model:
    """The network, loaded by the first who needs it."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._loading = threading.Lock()
        self._network: Network | None = None
        self._broken: Unavailable | None = None

    def loaded(self) -> Network:
        with self._loading:
            if self._broken:
                raise self._broken
            if self._network is None:
                self._network = self._load()
            return self._network

    def _load(self) -> Network:
        try:
            return load(self._folder)
        except Unavailable as error:
            self._broken = error
            log.error("reader_not_loaded", error=str(error))
            raise
