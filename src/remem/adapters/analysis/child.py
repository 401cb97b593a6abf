"""The process that analyses text: one call after the other, each within its time on a processor."""

import argparse
import contextlib
import ctypes
import importlib
import os
import pickle
import resource
import signal
import sys
from typing import Any

from remem.adapters.pipes import private_pipes, read_message, write_message

_DIES_WITH_PARENT = 1
OPEN_FILES = 64


def main() -> None:
    arguments = _arguments()
    questions, answers = private_pipes()
    _limit(arguments.memory_bytes)
    if arguments.niceness:
        os.nice(arguments.niceness)
    _die_with_parent(arguments.parent)
    sys.setrecursionlimit(5_000)
    while (question := read_message(questions)) is not None:
        write_message(answers, _answer(question, arguments.package))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--memory-bytes", type=int, required=True)
    parser.add_argument("--parent", type=int, required=True)
    parser.add_argument("--package", required=True)
    parser.add_argument("--niceness", type=int, default=0)
    return parser.parse_args()


def _limit(memory_bytes: int) -> None:
    for limit, most in (
        (resource.RLIMIT_DATA, memory_bytes),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_CORE, 0),
    ):
        # Some systems do not know some limits; the deadline still applies.
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(limit, (most, most))


def _die_with_parent(parent: int) -> None:
    """At once on Linux, even in the middle of a call; elsewhere when the pipe ends, or when the
    call runs out of its time."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_DIES_WITH_PARENT, signal.SIGKILL)
    if os.getppid() != parent:
        sys.exit(0)


def _answer(question: bytes, package: str) -> bytes:
    try:
        module, name, arguments, cpu_s = pickle.loads(question)
        function = _function(module, name, package)
        result = _within(cpu_s, function, arguments)
        return pickle.dumps((True, result), pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        return pickle.dumps((False, f"{type(error).__name__}"), pickle.HIGHEST_PROTOCOL)


def _function(module: str, name: str, package: str) -> Any:
    if not module.startswith(f"{package}."):
        raise ImportError(module)
    return getattr(importlib.import_module(module), name)


def _within(cpu_s: float, function: Any, arguments: tuple[Any, ...]) -> Any:
    """The kernel ends us when the time is over: a regex that is stuck hears of nothing else. It
    is time on a processor, so that a busy machine does not make a text look bad."""
    signal.setitimer(signal.ITIMER_PROF, cpu_s)
    try:
        return function(*arguments)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


if __name__ == "__main__":
    main()
