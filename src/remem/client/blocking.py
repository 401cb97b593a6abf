"""The blocking client: it runs the calls of the async client on an event loop of its own."""

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
    """An event loop in a thread, started on first use."""

    def __init__(self) -> None:
        self._starting = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def submit(self, work: Coroutine[Any, Any, T]) -> "asyncio.Future[T] | Any":
        if threading.current_thread() is self._thread:
            work.close()
            raise RuntimeError("This is the client's own loop; use AsyncRemem inside it.")
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
            self._shut_down(loop, thread)

    def _shut_down(self, loop: asyncio.AbstractEventLoop, thread: threading.Thread) -> None:
        for cleanup in (loop.shutdown_asyncgens(), loop.shutdown_default_executor()):
            asyncio.run_coroutine_threadsafe(cleanup, loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


class _Blocking:
    """A client, or a noun of it, whose calls block until the reply is there."""

    def __init__(self, loop: _Loop, async_object: Any) -> None:
        self._loop, self._async_object = loop, async_object


class _Call(Generic[P, T]):
    """A descriptor that turns an async method into a blocking one with the same signature."""

    def __init__(self, verb: Callable[Concatenate[A, P], Coroutine[Any, Any, T]]) -> None:
        self._name = verb.__name__
        self.__doc__ = verb.__doc__

    def __get__(self, instance: _Blocking, owner: type) -> Callable[P, T]:
        verb = getattr(instance._async_object, self._name)

        @wraps(verb)
        def blocking(*args: P.args, **fields: P.kwargs) -> T:
            return instance._loop.run(verb(*args, **fields))

        return blocking


class _Iterate(Generic[P, T]):
    """A descriptor that turns an async iterator method into a plain one."""

    def __init__(self, verb: Callable[Concatenate[A, P], AsyncIterator[T]]) -> None:
        self._name = verb.__name__
        self.__doc__ = verb.__doc__

    def __get__(self, instance: _Blocking, owner: type) -> Callable[P, Iterator[T]]:
        verb = getattr(instance._async_object, self._name)

        @wraps(verb)
        def iterator(*args: P.args, **fields: P.kwargs) -> Iterator[T]:
            return _iterate(instance._loop, verb(*args, **fields))

        return iterator


def _iterate(loop: _Loop, source: Any) -> Iterator[Any]:
    async def step() -> Any:
        return await anext(source, _END)

    try:
        while (item := loop.run(step())) is not _END:
            yield item
    finally:
        loop.run(source.aclose())


# Running embedded stores, kept so that those of dropped clients are stopped at exit.
_running: set["Remem"] = set()


def _close_at_exit() -> None:
    """Close stores that nobody closed when the interpreter exits. `atexit` is too late: closing
    needs threads, which cannot be started any more by then. Callbacks run in reverse order, so the
    import of `concurrent.futures.thread` has to come first."""
    importlib.import_module("concurrent.futures.thread")
    register = getattr(threading, "_register_atexit", atexit.register)
    register(lambda: [client.close() for client in list(_running)])


class Memories(_Blocking):
    """Atomic statements: a save finds what it updates, extends or repeats."""

    save = _Call(AsyncMemories.save)
    get = _Call(AsyncMemories.get)
    search = _Call(AsyncMemories.search)
    change = _Call(AsyncMemories.change)
    forget = _Call(AsyncMemories.forget)
    merge = _Call(AsyncMemories.merge)
    restore = _Call(AsyncMemories.restore)
    history = _Call(AsyncMemories.history)
    derive = _Call(AsyncMemories.derive)
    timeline = _Iterate(AsyncMemories.timeline)
    list = _Iterate(AsyncMemories.list)


class Documents(_Blocking):
    """Complete saved documents."""

    get = _Call(AsyncDocuments.get)
    upload = _Call(AsyncDocuments.upload)
    original = _Iterate(AsyncDocuments.original)
    change = _Call(AsyncDocuments.change)
    forget = _Call(AsyncDocuments.forget)
    related = _Call(AsyncDocuments.related)
    state = _Call(AsyncDocuments.state)
    wait = _Call(AsyncDocuments.wait)
    list = _Iterate(AsyncDocuments.list)


class Projects(_Blocking):
    """Projects; calling it lists them."""

    create = _Call(AsyncProjects.create)
    get = _Call(AsyncProjects.get)
    change = _Call(AsyncProjects.change)
    delete = _Call(AsyncProjects.delete)
    list = _Call(AsyncProjects.list)

    def __call__(self) -> builtins.list[Project]:
        return self.list()


class Jobs(_Blocking):
    """Queued work."""

    get = _Call(AsyncJobs.get)
    wait = _Call(AsyncJobs.wait)


class Sessions(_Blocking):
    """What was said, turn by turn, with what was recalled and used."""

    start = _Call(AsyncSessions.start)
    get = _Call(AsyncSessions.get)
    add = _Call(AsyncSessions.add)
    close = _Call(AsyncSessions.close)
    delete = _Call(AsyncSessions.delete)
    list = _Iterate(AsyncSessions.list)


class Evolution(_Blocking):
    """What remem learned and does automatically."""

    run = _Call(AsyncEvolution.run)
    policy = _Call(AsyncEvolution.policy)
    pin = _Call(AsyncEvolution.pin)
    signal = _Call(AsyncEvolution.signal)
    undo = _Call(AsyncEvolution.undo)
    actions = _Iterate(AsyncEvolution.actions)
    jobs = _Iterate(AsyncEvolution.jobs)


class Feeds(_Blocking):
    """Feeds that projects are subscribed to."""

    add = _Call(AsyncFeeds.add)
    list = _Call(AsyncFeeds.list)
    remove = _Call(AsyncFeeds.remove)
    collect = _Call(AsyncFeeds.collect)


class Remem(_Blocking):
    """`Remem(url, key)` connects to a server; `Remem()` runs on the embedded store. A request may
    take `timeout_s`. Requests that are safe to repeat are retried for 30 seconds, or for ten
    minutes when the server limits the request rate; `patience_s` overrides both."""

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
            self._loop.run(self._async_object.close())
        finally:
            self._loop.stop()
            _running.discard(self)

    def run(self, work: Callable[[AsyncRemem], Coroutine[Any, Any, T]]) -> T:
        """Run a coroutine with the async client and return its result."""
        return self._loop.run(work(self._async_object))

    async def aside(self, work: Callable[[AsyncRemem], Coroutine[Any, Any, T]]) -> T:
        """Run a coroutine with the async client from another event loop, without blocking it."""
        return await asyncio.wrap_future(self._loop.submit(work(self._async_object)))

    open = _Call(AsyncRemem.open)
    save = _Call(AsyncRemem.save)
    recall = _Call(AsyncRemem.recall)
    ask = _Call(AsyncRemem.ask)
    ask_stream = _Iterate(AsyncRemem.ask_stream)
    context = _Call(AsyncRemem.context)
    profile = _Call(AsyncRemem.profile)
    forget = _Call(AsyncRemem.forget)
    save_url = _Call(AsyncRemem.save_url)
    upload = _Call(AsyncRemem.upload)
    document = _Call(AsyncRemem.document)
    job = _Call(AsyncRemem.job)
    finished = _Call(AsyncRemem.finished)
    whoami = _Call(AsyncRemem.whoami)
    stats = _Call(AsyncRemem.stats)
    health = _Call(AsyncRemem.health)
    export = _Iterate(AsyncRemem.export)
    bring_in = _Call(AsyncRemem.bring_in)
    request = _Call(AsyncRemem.request)
