"""Long-running work: progress on standard error, and how long to wait for its end."""

import asyncio
import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from remem.surfaces.cli.command import shell_command
from remem.surfaces.cli.output import err

if TYPE_CHECKING:
    from rich.progress import Progress

    from remem.client import AsyncRemem

NoWait = Annotated[
    bool, typer.Option("--no-wait", help="Do not wait until everything can be found.")
]
CHECK_S = 0.5
CHECK_S_MAX = 5.0
_FINISHED = ("done", "failed")
STATE_S, STATE_S_MAX = 0.2, 1.0
# Stop waiting for a job that no worker has started after this time; it runs later.
QUEUED_LIMIT_S = 60.0


async def wait_until_processed(
    remem: "AsyncRemem", id: str, queued_limit_s: float = QUEUED_LIMIT_S
) -> Any:
    """Return the state of a document when it is done or failed, or when waiting is no use: an
    attempt failed and will be retried later, or no worker takes the job."""
    started, pause_s = time.monotonic(), STATE_S
    while True:
        state = await remem.documents.state(id)
        if state["status"] in ("done", "failed") or state["error_message"]:
            return state
        if state["status"] == "queued" and time.monotonic() - started > queued_limit_s:
            return state
        await asyncio.sleep(pause_s)
        pause_s = min(pause_s * 1.5, STATE_S_MAX)


def why_not_done(state: dict[str, Any]) -> str:
    """Explain a state that is neither done nor failed."""
    reason = state["error_message"] or "No worker has started on it."
    return f"{reason} It is stored and retried automatically; see `{shell_command()} jobs`."


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
    """Wait until all documents are done or failed and have vectors, or until no job works on them
    any more. Return the last counts."""
    pause_s = CHECK_S
    with progress_bar() as progress:
        task = progress.add_task("Indexing", total=None)
        total = 0
        while (remaining := unfinished_count(stats := await remem.stats())) and _has_active_jobs(
            stats
        ):
            total = max(total, remaining)
            progress.update(task, completed=total - remaining, total=total)
            await asyncio.sleep(pause_s)
            pause_s = min(CHECK_S_MAX, 1.2 * pause_s)
    return stats


def unfinished_count(stats: dict[str, Any]) -> int:
    """Return the number of unfinished documents, or 1 if only vectors are missing."""
    unfinished = sum(
        n for status, n in stats["documents_by_status"].items() if status not in _FINISHED
    )
    return unfinished or (1 if stats["embedding_coverage"] < 1 else 0)


def still_queued(stats: dict[str, Any]) -> str | None:
    """Describe documents that cannot be found yet, or return None."""
    remaining = unfinished_count(stats)
    if not remaining:
        return None
    if _has_active_jobs(stats):
        return f"{remaining} still queued; `{shell_command()} status` shows them."
    percent = 100 * stats["embedding_coverage"]
    return (
        f"Only {percent:.0f} % is found by meaning; `{shell_command()} status` shows what failed."
    )


def _has_active_jobs(stats: dict[str, Any]) -> bool:
    return any(stats["jobs_by_status"].get(name) for name in ("pending", "processing"))
