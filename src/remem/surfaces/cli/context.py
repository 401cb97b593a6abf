"""What commands are given: the programs they start, and the memory they speak to."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from os import environ
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from remem.client import AsyncRemem
    from remem.settings import Settings


@dataclass(frozen=True, slots=True)
class Programs:
    """What the command can start, handed in from the top so that doors stay below it."""

    create_app: "Callable[[Settings], Any]"
    work: "Callable[[Settings], Awaitable[None]]"
    assist: Callable[[str | None, str | None, str | None], Awaitable[None]]


Url = Annotated[
    str | None,
    typer.Option("--url", help="A server's address; without one, remem works in this process."),
]
Key = Annotated[str | None, typer.Option("--key", help="A key for that server.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


def address(url: str | None, key: str | None) -> tuple[str | None, str | None]:
    """A server and its key: by option, or by environment; neither means this process."""
    url = url or environ.get("REMEM_URL") or environ.get("MEMORY_API_URL")
    key = key or environ.get("REMEM_KEY") or environ.get("MEMORY_API_KEY")
    return url, key


@asynccontextmanager
async def memory(url: str | None, key: str | None) -> "AsyncIterator[AsyncRemem]":
    """The memory a command works on. A command speaks for itself, so it logs only trouble."""
    # Imported when they are needed: `remem mcp` answers its assistant without them.
    from remem.client import AsyncRemem
    from remem.logs import configure
    from remem.settings import load

    configure(load(), quiet=True)
    async with AsyncRemem(*address(url, key)) as client:
        yield client
