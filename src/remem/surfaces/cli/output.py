"""How commands speak: tables for people, JSON for programs, exit codes that mean something."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import typer
from rich.console import Console

from remem.core.errors import RememError

FAILED, MISUSED, NOTHING_FOUND = 1, 2, 3

out = Console()
err = Console(stderr=True)


def print_json(value: Any) -> None:
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2, default=str) + "\n")


def fail(message: str, code: int = FAILED) -> NoReturn:
    err.print(f"[red]error[/red] {message}", highlight=False, soft_wrap=True)
    raise typer.Exit(code)


@contextmanager
def plain_errors() -> Iterator[None]:
    """A failure is one sentence that names the mend, never a trace."""
    try:
        yield
    except RememError as error:
        fail(error.message)
