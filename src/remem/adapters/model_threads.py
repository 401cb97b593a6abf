"""The threads of local models: their default number and their priority."""

import os
import sys
import threading

MAX_THREADS = 4
NICENESS = 5


def default_threads() -> int:
    """One for each CPU of this process, at most four: more would only wait for the database."""
    cpus = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(MAX_THREADS, cpus or 1)


def lower_thread_priority() -> None:
    """Let interactive requests go first, on systems where a thread can have its own priority."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
