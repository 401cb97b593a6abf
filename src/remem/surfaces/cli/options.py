"""Options that several groups of commands share."""

from enum import StrEnum
from typing import Annotated

import typer


class Mode(StrEnum):
    FAST = "fast"
    BALANCED = "balanced"
    DEEP = "deep"
    BEST = "best"


Category = Annotated[
    str | None, typer.Option("--category", help="`fact`, `decision`, `preference`, `task`, …")
]
Tags = Annotated[list[str] | None, typer.Option("--tag", help="A tag; repeat for more.")]
AsOf = Annotated[str | None, typer.Option("--as-of", help="What was valid at this time, ISO 8601.")]
