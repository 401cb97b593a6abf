"""Progress of long work, on standard error and for people only."""

from typing import TYPE_CHECKING

from remem.surfaces.cli.output import err

if TYPE_CHECKING:
    from rich.progress import Progress


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
