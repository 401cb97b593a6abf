"""The same client for programs that wait: its verbs are the awaited ones, on a loop of its own."""

import asyncio
import atexit
import builtins
import importlib
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from functools import wraps
from types import TracebackType
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar

from remem.client.answers import Project
from remem.client.asynchronous import TIMEOUT_S, AsyncRemem
from remem.client.conversations import AsyncSessions
from remem.client.evolution import AsyncEvolution, AsyncFeeds
from remem.client.nouns import AsyncDocuments, AsyncJobs, AsyncMemories, AsyncProjects

P = ParamSpec("P")
T = TypeVar("T")
A = TypeVar("A")
_END = object()


class _Loop:
    """An event loop in a thread, started by the first who needs it."""

    def __init__(self) -> None:
        self._starting = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def submit(self, work: Coroutine[Any, Any, T]) -> "asyncio.Future[T] | Any":
        if threading.current_thread() is self._thread:
            work.close()
            raise RuntimeError("This is the client's own loop; use AsyncRemem inside of it.")
        return asyncio.run_coroutine_threadsafe(work, self._running())

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        future = self.submit(work)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._starting:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(
                    target=self._loop.run_forever, name="remem", daemon=True
                )
                self._thread.start()
            return self._loop

    def stop(self) -> None:
        with self._starting:
            loop, thread = self._loop, self._thread
            self._loop = self._thread = None
        if loop and thread:
            self._wind_up(loop, thread)

    def _wind_up(self, loop: asyncio.AbstractEventLoop, thread: threading.Thread) -> None:
        for last in (loop.shutdown_asyncgens(), loop.shutdown_default_executor()):
            asyncio.run_coroutine_threadsafe(last, loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


class _Waiting:
    """A client, or a noun of one, whose verbs wait for their answer."""

    def __init__(self, loop: _Loop, meant: Any) -> None:
        self._loop, self._meant = loop, meant


class _Now(Generic[P, T]):
    """A verb that is awaited, as one that is waited for, with the same signature."""

    def __init__(self, verb: Callable[Concatenate[A, P], Coroutine[Any, Any, T]]) -> None:
        self._name = verb.__name__
        self.__doc__ = verb.__doc__

    def __get__(self, instance: _Waiting, owner: type) -> Callable[P, T]:
        verb = getattr(instance._meant, self._name)

        @wraps(verb)
        def now(*args: P.args, **fields: P.kwargs) -> T:
            return instance._loop.run(verb(*args, **fields))

        return now


class _Each(Generic[P, T]):
    """What is iterated over by `async for`, for a plain `for`."""

    def __init__(self, verb: Callable[Concatenate[A, P], AsyncIterator[T]]) -> None:
        self._name = verb.__name__
        self.__doc__ = verb.__doc__

    def __get__(self, instance: _Waiting, owner: type) -> Callable[P, Iterator[T]]:
        verb = getattr(instance._meant, self._name)

        @wraps(verb)
        def each(*args: P.args, **fields: P.kwargs) -> Iterator[T]:
            return _stepped(instance._loop, verb(*args, **fields))

        return each


def _stepped(loop: _Loop, source: Any) -> Iterator[Any]:
    async def step() -> Any:
        return await anext(source, _END)

    try:
        while (one := loop.run(step())) is not _END:
            yield one
    finally:
        loop.run(source.aclose())


# Embedded stores that run; kept here, so that one whose client is dropped is stopped at the end.
_running: set["Remem"] = set()


def _close_at_exit() -> None:
    """A store that nobody closed would be left running. `atexit` comes too late for it: threads,
    which it needs to stop, cannot be started any more by then. What is loaded last ends first."""
    importlib.import_module("concurrent.futures.thread")
    register = getattr(threading, "_register_atexit", atexit.register)
    register(lambda: [client.close() for client in list(_running)])


class Memories(_Waiting):
    """Atomic statements: a save finds what it updates, extends or repeats."""

    save = _Now(AsyncMemories.save)
    get = _Now(AsyncMemories.get)
    search = _Now(AsyncMemories.search)
    change = _Now(AsyncMemories.change)
    forget = _Now(AsyncMemories.forget)
    merge = _Now(AsyncMemories.merge)
    restore = _Now(AsyncMemories.restore)
    history = _Now(AsyncMemories.history)
    derive = _Now(AsyncMemories.derive)
    timeline = _Each(AsyncMemories.timeline)
    list = _Each(AsyncMemories.list)


class Documents(_Waiting):
    """Saved things, whole."""

    get = _Now(AsyncDocuments.get)
    upload = _Now(AsyncDocuments.upload)
    original = _Each(AsyncDocuments.original)
    change = _Now(AsyncDocuments.change)
    forget = _Now(AsyncDocuments.forget)
    related = _Now(AsyncDocuments.related)
    state = _Now(AsyncDocuments.state)
    wait = _Now(AsyncDocuments.wait)
    list = _Each(AsyncDocuments.list)


class Projects(_Waiting):
    """Where things live. Called, it lists them."""

    create = _Now(AsyncProjects.create)
    get = _Now(AsyncProjects.get)
    change = _Now(AsyncProjects.change)
    delete = _Now(AsyncProjects.delete)
    list = _Now(AsyncProjects.list)

    def __call__(self) -> builtins.list[Project]:
        return self.list()


class Jobs(_Waiting):
    """Queued work."""

    get = _Now(AsyncJobs.get)
    wait = _Now(AsyncJobs.wait)


class Sessions(_Waiting):
    """What was asked, turn by turn, with what was recalled and used."""

    start = _Now(AsyncSessions.start)
    get = _Now(AsyncSessions.get)
    add = _Now(AsyncSessions.add)
    close = _Now(AsyncSessions.close)
    delete = _Now(AsyncSessions.delete)
    list = _Each(AsyncSessions.list)


class Evolution(_Waiting):
    """What remem learned and does by itself."""

    run = _Now(AsyncEvolution.run)
    policy = _Now(AsyncEvolution.policy)
    pin = _Now(AsyncEvolution.pin)
    signal = _Now(AsyncEvolution.signal)
    undo = _Now(AsyncEvolution.undo)
    actions = _Each(AsyncEvolution.actions)
    jobs = _Each(AsyncEvolution.jobs)


class Feeds(_Waiting):
    """Feeds that projects are subscribed to."""

    add = _Now(AsyncFeeds.add)
    list = _Now(AsyncFeeds.list)
    remove = _Now(AsyncFeeds.remove)
    collect = _Now(AsyncFeeds.collect)


class Remem(_Waiting):
    """`Remem(url, key)` speaks to a server; `Remem()` is one, on the embedded store.
    A request may take `timeout_s`; what can be sent again is, for 30 seconds, or ten minutes where
    the server limits how often you may ask; or for as long as `patience_s`."""

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        *,
        timeout_s: float = TIMEOUT_S,
        patience_s: float | None = None,
    ) -> None:
        client = AsyncRemem(url, key, timeout_s=timeout_s, patience_s=patience_s)
        super().__init__(_Loop(), client)
        self.memories = Memories(self._loop, client.memories)
        self.documents = Documents(self._loop, client.documents)
        self.projects = Projects(self._loop, client.projects)
        self.jobs = Jobs(self._loop, client.jobs)
        self.sessions = Sessions(self._loop, client.sessions)
        self.evolution = Evolution(self._loop, client.evolution)
        self.feeds = Feeds(self._loop, client.feeds)
        if url is None:
            if not _running:
                _close_at_exit()
            _running.add(self)

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection and, embedded, the store. Closing twice is harmless."""
        try:
            self._loop.run(self._meant.close())
        finally:
            self._loop.stop()
            _running.discard(self)

    def run(self, work: Callable[[AsyncRemem], Coroutine[Any, Any, T]]) -> T:
        """Work on the awaited client, as one step."""
        return self._loop.run(work(self._meant))

    async def aside(self, work: Callable[[AsyncRemem], Coroutine[Any, Any, T]]) -> T:
        """The same from a coroutine, whose own loop goes on meanwhile."""
        return await asyncio.wrap_future(self._loop.submit(work(self._meant)))

    open = _Now(AsyncRemem.open)
    save = _Now(AsyncRemem.save)
    recall = _Now(AsyncRemem.recall)
    ask = _Now(AsyncRemem.ask)
    ask_stream = _Each(AsyncRemem.ask_stream)
    context = _Now(AsyncRemem.context)
    profile = _Now(AsyncRemem.profile)
    forget = _Now(AsyncRemem.forget)
    save_url = _Now(AsyncRemem.save_url)
    upload = _Now(AsyncRemem.upload)
    document = _Now(AsyncRemem.document)
    job = _Now(AsyncRemem.job)
    finished = _Now(AsyncRemem.finished)
    whoami = _Now(AsyncRemem.whoami)
    stats = _Now(AsyncRemem.stats)
    health = _Now(AsyncRemem.health)
    export = _Each(AsyncRemem.export)
    bring_in = _Now(AsyncRemem.bring_in)
    request = _Now(AsyncRemem.request)
