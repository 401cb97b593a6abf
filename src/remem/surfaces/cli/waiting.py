"""Long work: progress for people on standard error, and how long to wait for its end."""

import asyncio
import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from remem.surfaces.cli.command import pasted
from remem.surfaces.cli.output import err

if TYPE_CHECKING:
    from rich.progress import Progress

    from remem.client import AsyncRemem

NoWait = Annotated[
    bool, typer.Option("--no-wait", help="Do not wait until everything can be found.")
]
CHECK_S = 0.5
CHECK_S_MAX = 5.0
_OVER = ("done", "failed")
STATE_S, STATE_S_MAX = 0.2, 1.0
# After this, jobs that no worker has started continue without a waiting command.
QUEUED_LIMIT_S = 60.0


async def settled(remem: "AsyncRemem", id: str, queued_limit_s: float = QUEUED_LIMIT_S) -> Any:
    """The state of a document when it is done or failed, or when waiting helps nobody: an attempt
    failed and another follows later, or no worker takes it up."""
    began, pause_s = time.monotonic(), STATE_S
    while True:
        state = await remem.documents.state(id)
        if state["status"] in ("done", "failed") or state["error_message"]:
            return state
        if state["status"] == "queued" and time.monotonic() - began > queued_limit_s:
            return state
        await asyncio.sleep(pause_s)
        pause_s = min(pause_s * 1.5, STATE_S_MAX)


def why_not_done(state: dict[str, Any]) -> str:
    """Of a state that is neither done nor failed."""
    reason = state["error_message"] or "No worker has taken it up."
    return f"{reason} It is kept and tried again by itself; see `{pasted()} jobs`."


def progress_bar() -> "Progress":
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=err,
        transient=True,
        disable=not err.is_terminal,
    )


async def wait_until_indexed(remem: "AsyncRemem") -> dict[str, Any]:
    """Wait until all documents are done or failed and all is found by meaning, or until nothing
    works on it any more; give the last counts."""
    every_s = CHECK_S
    with progress_bar() as progress:
        task = progress.add_task("Indexing", total=None)
        most = 0
        while (left := waiting_in(stats := await remem.stats())) and _is_worked_on(stats):
            most = max(most, left)
            progress.update(task, completed=most - left, total=most)
            await asyncio.sleep(every_s)
            every_s = min(CHECK_S_MAX, 1.2 * every_s)
    return stats


def waiting_in(stats: dict[str, Any]) -> int:
    """How many documents are not done yet, or at least one when something has no vector."""
    unfinished = sum(n for status, n in stats["documents_by_status"].items() if status not in _OVER)
    return unfinished or (1 if stats["embedding_coverage"] < 1 else 0)


def still_queued(stats: dict[str, Any]) -> str | None:
    """What to say of documents that cannot all be found yet."""
    left = waiting_in(stats)
    if not left:
        return None
    if _is_worked_on(stats):
        return f"{left} still queued; `{pasted()} status` shows them."
    share = 100 * stats["embedding_coverage"]
    return f"Only {share:.0f} % is found by meaning; `{pasted()} status` shows what failed."


def _is_worked_on(stats: dict[str, Any]) -> bool:
    return any(stats["jobs_by_status"].get(name) for name in ("pending", "processing"))
