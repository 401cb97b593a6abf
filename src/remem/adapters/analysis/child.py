"""The process that analyses text: one call after the other, each with a limit of CPU time."""

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

from remem.adapters.pipes import read_message, take_over_stdio, write_message

_PR_SET_PDEATHSIG = 1
OPEN_FILES = 64


def main() -> None:
    arguments = _arguments()
    questions, answers = take_over_stdio()
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
    for limit, value in (
        (resource.RLIMIT_DATA, memory_bytes),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_CORE, 0),
    ):
        # Not all systems support all limits; the deadline still applies.
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(limit, (value, value))


def _die_with_parent(parent: int) -> None:
    """End with the parent process: immediately on Linux, even during a call; elsewhere when the
    pipe closes or the call times out."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        sys.exit(0)


def _answer(question: bytes, package: str) -> bytes:
    try:
        module, name, arguments, cpu_s = pickle.loads(question)
        function = _find_function(module, name, package)
        result = _run_within(cpu_s, function, arguments)
        return pickle.dumps((True, result), pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        return pickle.dumps((False, f"{type(error).__name__}"), pickle.HIGHEST_PROTOCOL)


def _find_function(module: str, name: str, package: str) -> Any:
    if not module.startswith(f"{package}."):
        raise ImportError(module)
    return getattr(importlib.import_module(module), name)


def _run_within(cpu_s: float, function: Any, arguments: tuple[Any, ...]) -> Any:
    """Run a function within a limit of CPU time. The kernel kills this process at the limit,
    because a slow regex cannot be interrupted. CPU time does not depend on the machine's load."""
    signal.setitimer(signal.ITIMER_PROF, cpu_s)
    try:
        return function(*arguments)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


if __name__ == "__main__":
    main()
