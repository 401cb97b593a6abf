"""How long the database may take, for a request and for a job."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Deadlines:
    """How long the server may take for a statement, and how long a statement may wait for a lock
    that another transaction has."""

    statement_s: float
    lock_s: float


# A job has time. Somebody waits for a request; only deleting may take long, as it may be of much.
BACKGROUND = Deadlines(600, 300)
REQUEST = Deadlines(20, 15)
DELETION = Deadlines(80, 15)
_deadlines: ContextVar[Deadlines] = ContextVar("deadlines", default=BACKGROUND)


@contextmanager
def within_deadlines(deadlines: Deadlines) -> Iterator[None]:
    """The deadlines of the statements of this task, and of the tasks that it starts."""
    token = _deadlines.set(deadlines)
    try:
        yield
    finally:
        _deadlines.reset(token)


def current_deadlines() -> Deadlines:
    return _deadlines.get()
