"""What is measured while the server works. Nothing is, until somebody listens."""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Protocol

# Labels have few values each: names of routes, jobs, stages and providers, never ids or texts.


class Listener(Protocol):
    """`record` is given seconds, or how many of something there were; `span` is around the work."""

    def record(self, name: str, value: float, labels: dict[str, str]) -> None: ...

    def span(self, name: str, labels: dict[str, str]) -> AbstractContextManager[object]: ...


_listeners: list[Listener] = []


def listen(listener: Listener) -> Callable[[], None]:
    """Give what happens to the listener from now on; returns what ends that."""
    _listeners.append(listener)
    return lambda: _listeners.remove(listener)


def record(name: str, value: float = 1.0, **labels: str) -> None:
    for listener in _listeners:
        listener.record(name, value, labels)


@contextmanager
def timed(name: str, **labels: str) -> Iterator[dict[str, str]]:
    """Record how long the work took, however it ended. The labels are given out, so that the work
    can say in one of them how it ended."""
    if not _listeners:
        yield labels
        return
    began = time.perf_counter()
    with ExitStack() as spans:
        for listener in _listeners:
            spans.enter_context(listener.span(name, labels))
        try:
            yield labels
        finally:
            record(name, time.perf_counter() - began, **labels)
