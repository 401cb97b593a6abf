"""How many threads a local model may have, and how such a thread lets others go first."""

import os
import sys
import threading

THREADS_MOST = 4
BEHIND = 5


def processors() -> int:
    """Those this process may run on; more than a few would only wait for the database."""
    here = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(THREADS_MOST, here or 1)


def give_way() -> None:
    """Let those who wait for an answer go first, where a thread can have a rank of its own."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), BEHIND)
