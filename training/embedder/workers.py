"""Work on all processors of a machine."""

import multiprocessing
from collections.abc import Callable, Iterable
from typing import Any

_task: Callable[[Any], Any] | None = None


def on_all_processors(task: Callable[[Any], Any], parts: Iterable[Any]) -> list[Any]:
    """The results of a task for each part, in order. Each process is a copy of this one, so the
    task may use what is in memory; only parts and results are sent."""
    global _task
    _task = task
    with multiprocessing.get_context("fork").Pool() as pool:
        return pool.map(_run, parts, chunksize=1)


def _run(part: Any) -> Any:
    assert _task
    return _task(part)
