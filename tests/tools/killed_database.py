"""Run `remem` so that its database is killed after any statement of a save.

`arm` writes into a file how many statements of requests and their jobs to let pass. Then every
process of PostgreSQL is killed at once, so that what it has not written yet is lost, and `remem`
goes on. By default only commits are counted, because whatever is killed inside a transaction leaves
the same; with EVERY_STATEMENT in the environment, all are.
"""

import os
import signal
from collections.abc import Callable
from contextvars import ContextVar
from datetime import timedelta
from pathlib import Path
from typing import Any

import asyncpg

from remem.adapters.queue import pgqueuer
from remem.core.connections import sync, syncing
from remem.surfaces.rest.limits import Limits
from remem.surfaces.worker import clock, jobs

ARMED, KILLED = "kill-after", "killed-after"
STATEMENTS = ("execute", "executemany", "fetch", "fetchrow", "fetchval", "fetchmany")
HEARTBEAT = timedelta(seconds=0.2)
EVERY_STATEMENT = "EVERY_STATEMENT" in os.environ
# The jobs that end what a save began; others may still be at work for an earlier save.
JOBS = {jobs.PROCESS_DOCUMENT, jobs.IMPORT_STORE, jobs.SYNC_CONNECTION}

is_counted: ContextVar[bool] = ContextVar("is_counted", default=False)


def arm(data_dir: Path, statements: int) -> None:
    (data_dir / KILLED).unlink(missing_ok=True)
    (data_dir / ARMED).write_text(str(statements))


def remaining(data_dir: Path) -> int:
    """How many statements are still let pass."""
    return int((data_dir / ARMED).read_text())


def disarm(data_dir: Path) -> bool:
    """Whether the database was killed; if not, it will not be."""
    (data_dir / ARMED).unlink(missing_ok=True)
    return (data_dir / KILLED).exists()


def kill_postgres(data_dir: Path) -> None:
    postmaster = int((data_dir / "postgres/postmaster.pid").read_text().split()[0])
    pids = [postmaster, *_children(postmaster)]
    for signal_number in (signal.SIGSTOP, signal.SIGKILL):
        for pid in pids:
            os.kill(pid, signal_number)


def _children(parent: int) -> list[int]:
    tasks = Path(f"/proc/{parent}/task/{parent}/children")
    return [int(pid) for pid in tasks.read_text().split()]


def _note_statement(query: object) -> None:
    if not is_counted.get() or not (EVERY_STATEMENT or query == "COMMIT"):
        return
    folder = Path(os.environ["REMEM_DATA_DIR"])
    armed = folder / ARMED
    if not armed.exists():
        return
    remaining = int(armed.read_text()) - 1
    if remaining:
        armed.write_text(str(remaining))
        return
    kill_postgres(folder)
    armed.rename(folder / KILLED)


def _counted_statement(name: str) -> Callable[..., Any]:
    run = getattr(asyncpg.Connection, name)

    async def counted(self: asyncpg.Connection, query: str, *args: Any, **options: Any) -> Any:
        result = await run(self, query, *args, **options)
        _note_statement(query)
        return result

    return counted


def _counting(handle: Callable[..., Any], is_of_a_save: Callable[..., bool]) -> Callable[..., Any]:
    async def counted(*args: Any) -> Any:
        token = is_counted.set(is_of_a_save(*args))
        try:
            return await handle(*args)
        finally:
            is_counted.reset(token)

    return counted


def _posts(limits: Limits, scope: Any, *_: Any) -> bool:
    return scope["type"] == "http" and scope["method"] == "POST"


def install() -> None:
    for name in STATEMENTS:
        setattr(asyncpg.Connection, name, _counted_statement(name))
    Limits.__call__ = _counting(Limits.__call__, _posts)
    jobs._handle = _counting(jobs._handle, lambda ports, kind, job: job.name in JOBS)
    # Otherwise the job of each killed attempt would be taken up seconds or minutes later.
    pgqueuer.PgQueuerQueue.__init__.__defaults__ = (HEARTBEAT,)
    pgqueuer.RECONNECT_S = pgqueuer.FIRST_DELAY_S = 0.05
    sync.LOCK_S = syncing.LOCK_S = sync.BACKOFF_S = 1
    clock.schedule_connections.__defaults__ = (0.5,)


if __name__ == "__main__":
    from remem.__main__ import main

    install()
    main()
