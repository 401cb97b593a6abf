"""How commands speak: tables for people, JSON for programs, exit codes that mean something."""

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, NoReturn

import typer

from remem.core.errors import NotFound, RememError

FAILED, MISUSED, NOTHING_FOUND, UNREACHABLE, NOT_DONE = 1, 2, 3, 4, 5
STOPPED, CUT_OFF = 130, 141
WIDE = 40
# The server is unreachable, or the caller is not authenticated.
_NOT_THERE = frozenset({0, 401, 502, 503, 504})

# What a terminal would act on: bell, backspace, vertical tab, form feed, carriage return.
_CONTROLS = dict.fromkeys((7, 8, 11, 12, 13))
# Settings of rich that make a terminal of a pipe, or the reverse.
_RICH_SETTINGS = ("FORCE_COLOR", "TTY_COMPATIBLE")

if TYPE_CHECKING:
    from rich.console import Console

    out: Console
    err: Console


def __getattr__(name: str) -> Any:
    """`out` and `err`, made when they are needed: what goes into a pipe needs no rich."""
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
    """A line as it is: what people saved may look like markup."""
    if is_terminal():
        console = _console(False)
        console.print(text, style=style, highlight=False, markup=False, soft_wrap=True)
    else:
        sys.stdout.write(text.translate(_CONTROLS) + "\n")


def print_table(columns: Sequence[str], rows: Sequence[Sequence[object]], empty: str) -> None:
    """For people a table; into a pipe one line a row, whole, with tabs between. That there is
    nothing is said beside the pipe."""
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
    for place, name in enumerate(columns):
        widest = max(len(row[place]) for row in rows)
        # Where there is no room, the last column gives way: ids and names are there to be copied.
        least = None if place == len(columns) - 1 else min(widest, WIDE)
        table.add_column(name, overflow="ellipsis", no_wrap=True, min_width=least)
    for row in rows:
        table.add_row(*(Text(value) for value in row))
    _console(False).print(table)


def print_fields(fields: dict[str, object]) -> None:
    """One thing, a line for each of its parts that is there."""
    filled = {name: value for name, value in fields.items() if value not in (None, "", [], {})}
    width = max((len(name) for name in filled), default=0)
    for name, value in filled.items():
        say(f"{name:<{width}}  {_cell(value)}")


def print_item(item: dict[str, Any], as_json: bool) -> None:
    """All that the API says of one thing."""
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
        return ", ".join(str(one) for one in value)
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False, default=str)
    return " ".join(str(value).split())


def short(moment: str | None) -> str:
    """A moment of the API to the minute."""
    return moment[:16].replace("T", " ") if moment else ""


def print_note(text: str) -> None:
    """A line beside the answer, on standard error."""
    sys.stderr.write(text.translate(_CONTROLS) + "\n")


def fail(message: str, code: int = FAILED) -> NoReturn:
    from rich.text import Text

    line = Text.assemble(("error ", "red"), message)
    _console(True).print(line, highlight=False, soft_wrap=True)
    raise typer.Exit(code)


def confirm(question: str, yes: bool, *, undoable: bool = False) -> None:
    """Ask before what cannot be undone, or concerns more than was named; where nobody can be asked,
    --yes has to be said."""
    if yes:
        return
    if not sys.stdin.isatty():
        why = (
            "Nobody is there to ask"
            if undoable
            else "This cannot be undone, nobody is there to ask"
        )
        fail(f"{why}; nothing was done. Pass --yes.", MISUSED)
    if not typer.confirm(question, err=True):
        fail("Nothing was changed.")


@contextmanager
def plain_errors() -> Iterator[None]:
    """A failure is one sentence that says how to fix it, never a trace."""
    try:
        yield
    except RememError as error:
        fail(_sentence(error), _code(error))
    except KeyboardInterrupt:
        raise typer.Exit(STOPPED) from None
    except BrokenPipeError:
        _hush()
        raise typer.Exit(CUT_OFF) from None


def _code(error: RememError) -> int:
    status = getattr(error, "status", None)
    if status == 404 or isinstance(error, NotFound):
        return NOTHING_FOUND
    return UNREACHABLE if status in _NOT_THERE else FAILED


def _sentence(error: RememError) -> str:
    if getattr(error, "status", None) == 401:
        return f"{error.message} Sign in with `remem login`, or give a key with --key."
    return error.message


def _hush() -> None:
    """The reader has closed the pipe; suppress Python's error about unflushed output."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, sys.stdout.fileno())
