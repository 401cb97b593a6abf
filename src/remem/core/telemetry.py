"""Measurements of the running server. Without listeners, nothing is measured."""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Protocol

# Each label has few values: names of routes, jobs, stages and providers, never ids or texts.


class Listener(Protocol):
    """`record` gets seconds or a count; `span` returns a context manager around the work."""

    def record(self, name: str, value: float, labels: dict[str, str]) -> None: ...

    def span(self, name: str, labels: dict[str, str]) -> AbstractContextManager[object]: ...


_listeners: list[Listener] = []


def listen(listener: Listener) -> Callable[[], None]:
    """Register the listener; returns a function that removes it."""
    _listeners.append(listener)
    return lambda: _listeners.remove(listener)


def record(name: str, value: float = 1.0, **labels: str) -> None:
    for listener in _listeners:
        listener.record(name, value, labels)


@contextmanager
def timed(name: str, **labels: str) -> Iterator[dict[str, str]]:
    """Record how long the work took, even if it fails. Yields the labels, so that the work can set
    one to its outcome."""
    if not _listeners:
        yield labels
        return
    started = time.perf_counter()
    with ExitStack() as spans:
        for listener in _listeners:
            spans.enter_context(listener.span(name, labels))
        try:
            yield labels
        finally:
            record(name, time.perf_counter() - started, **labels)
