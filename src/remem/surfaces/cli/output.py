"""Output of commands: tables for people, JSON for programs, and meaningful exit codes."""

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, NoReturn

import typer

from remem.core.errors import NO_ROOM, NotFound, RememError, no_room

FAILED, MISUSED, NOTHING_FOUND, UNREACHABLE, NOT_DONE = 1, 2, 3, 4, 5
INTERRUPTED, BROKEN_PIPE = 130, 141
MAX_MIN_WIDTH = 40
# Statuses that mean the server is unreachable, or the caller is not authenticated.
_UNREACHABLE_STATUSES = frozenset({0, 401, 502, 503, 504})

# Characters that a terminal acts on: all controls except tab and newline.
_CONTROLS = dict.fromkeys((*range(9), *range(11, 32), *range(127, 160)))
# Variables by which rich treats a pipe as a terminal, or the reverse.
_RICH_SETTINGS = ("FORCE_COLOR", "TTY_COMPATIBLE")

if TYPE_CHECKING:
    from rich.console import Console

    out: Console
    err: Console


def __getattr__(name: str) -> Any:
    """Create `out` and `err` on demand: writing to a pipe does not need rich."""
    if name not in ("out", "err"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _console(name == "err")


@cache
def _console(stderr: bool) -> "Console":
    from rich.console import Console

    return Console(stderr=stderr)


def is_terminal() -> bool:
    if any(name in os.environ for name in _RICH_SETTINGS):
        return _console(False).is_terminal
    return sys.stdout.isatty()


def print_json(value: Any) -> None:
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2, default=str) + "\n")


def say(text: str, style: str | None = None) -> None:
    """Print a line without markup, because saved text may look like markup."""
    if is_terminal():
        console = _console(False)
        console.print(text, style=style, highlight=False, markup=False, soft_wrap=True)
    else:
        sys.stdout.write(text.translate(_CONTROLS) + "\n")


def print_table(columns: Sequence[str], rows: Sequence[Sequence[object]], empty: str) -> None:
    """Print a table for people, or tab-separated rows into a pipe. Into a pipe, the note that there
    is nothing goes to standard error."""
    cells = [[_cell(value) for value in row] for row in rows]
    if not is_terminal():
        for row in cells:
            sys.stdout.write("\t".join(row) + "\n")
        if not rows and empty:
            print_note(empty)
    elif not rows:
        say(empty)
    else:
        _draw(columns, cells)


def _draw(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for index, name in enumerate(columns):
        width = max(len(row[index]) for row in rows)
        # If space is short, the last column is truncated: ids and names must stay complete to be
        # copied.
        minimum = None if index == len(columns) - 1 else min(width, MAX_MIN_WIDTH)
        table.add_column(name, overflow="ellipsis", no_wrap=True, min_width=minimum)
    for row in rows:
        table.add_row(*(Text(value) for value in row))
    _console(False).print(table)


def print_fields(fields: dict[str, object]) -> None:
    """Print one item, a line per field that has a value."""
    present = {name: value for name, value in fields.items() if value not in (None, "", [], {})}
    width = max((len(name) for name in present), default=0)
    for name, value in present.items():
        say(f"{name:<{width}}  {_cell(value)}")


def print_item(item: dict[str, Any], as_json: bool) -> None:
    """Print all fields of one item."""
    if as_json:
        print_json(item)
    else:
        print_fields(item)


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(str(item) for item in value)
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False, default=str)
    return " ".join(str(value).split())


def to_minute(moment: str | None) -> str:
    """Shorten a timestamp of the API to the minute."""
    return moment[:16].replace("T", " ") if moment else ""


def print_note(text: str) -> None:
    """Print a line on standard error, next to the answer."""
    sys.stderr.write(text.translate(_CONTROLS) + "\n")


def warn(text: str) -> None:
    """Print a red line on standard error."""
    from rich.text import Text

    _console(True).print(Text(text, "red"), highlight=False, soft_wrap=True)


def fail(message: str, code: int = FAILED) -> NoReturn:
    from rich.text import Text

    line = Text.assemble(("error ", "red"), message)
    _console(True).print(line, highlight=False, soft_wrap=True)
    raise typer.Exit(code)


def confirm(question: str, yes: bool, *, undoable: bool = False) -> None:
    """Ask before a command that cannot be undone, or that affects more than was named. Without a
    terminal, --yes is required."""
    if yes:
        return
    if not sys.stdin.isatty():
        reason = (
            "There is no terminal to ask in"
            if undoable
            else "This cannot be undone, and there is no terminal to ask in"
        )
        fail(f"{reason}; nothing was done. Pass --yes.", MISUSED)
    if not typer.confirm(question, err=True):
        fail("Nothing was changed.")


@contextmanager
def plain_errors() -> Iterator[None]:
    """Turn every failure into one sentence that says how to fix it, never a traceback."""
    try:
        yield
    except RememError as error:
        fail(_sentence(error), _exit_code(error))
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
    except BrokenPipeError:
        _silence_stdout()
        raise typer.Exit(BROKEN_PIPE) from None
    except OSError as error:
        if error.errno in NO_ROOM:
            fail(no_room(error))
        if error.filename is None:
            raise
        fail(_unusable_path(error))


def _unusable_path(error: OSError) -> str:
    return (
        f"{error.filename} cannot be used ({error.strerror}); check its path and permissions "
        "(REMEM_CONFIG_DIR and REMEM_DATA_DIR choose other folders)."
    )


def _exit_code(error: RememError) -> int:
    status = getattr(error, "status", None)
    if status == 404 or isinstance(error, NotFound):
        return NOTHING_FOUND
    return UNREACHABLE if status in _UNREACHABLE_STATUSES else FAILED


def _sentence(error: RememError) -> str:
    if getattr(error, "status", None) == 401:
        return f"{error.message} Sign in with `remem login`, or give a key with --key."
    return error.message


def _silence_stdout() -> None:
    """The reader has closed the pipe; suppress Python's error about unflushed output."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
