"""What commands are given: the programs they start, and the memory they speak to."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from os import environ
from typing import Annotated, TypeAlias

import typer

from remem.client import AsyncRemem
from remem.core.ports import Ports
from remem.settings import Settings

App: TypeAlias = Callable[..., Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Programs:
    """What the command can start, handed in from the top so that doors stay below it."""

    create_app: Callable[[Settings], App]
    open_ports: Callable[[Settings], AbstractAsyncContextManager[Ports]]


Url = Annotated[
    str | None,
    typer.Option("--url", help="A server's address; without one, remem works in this process."),
]
Key = Annotated[str | None, typer.Option("--key", help="A key for that server.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


@asynccontextmanager
async def memory(url: str | None, key: str | None) -> AsyncIterator[AsyncRemem]:
    """The memory a command works on: by option, by environment, or the embedded one."""
    url = url or environ.get("REMEM_URL") or environ.get("MEMORY_API_URL")
    key = key or environ.get("REMEM_KEY") or environ.get("MEMORY_API_KEY")
    async with AsyncRemem(url, key) as client:
        yield client
