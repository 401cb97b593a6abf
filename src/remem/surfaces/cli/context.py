"""What commands are given: the programs they start, and the memory they speak to."""

import asyncio
import gc
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from os import environ
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from remem.surfaces.cli.ids import full_path
from remem.surfaces.cli.output import print_note

if TYPE_CHECKING:
    from remem.client import AsyncRemem
    from remem.core.ports import Ports
    from remem.settings import Settings

T = TypeVar("T")
# Says how far work has come: what is done, and of how much.
Progress = Callable[[int, int | None], None]
# The address that means this machine's own store, also while signed in elsewhere.
HERE = "local"
# The parts that the tools for assistants come in.
TOOLSETS = ("assistant", "coding", "platform")


@dataclass(frozen=True, slots=True)
class Programs:
    """What the command can start, passed in so that surfaces do not import the app."""

    create_app: Callable[["Settings"], Any]
    work: Callable[["Settings"], Awaitable[None]]
    assist: Callable[[str | None, "AsyncRemem"], Awaitable[None]]
    back_up: Callable[["Settings", Path, Progress], Awaitable[dict[str, Any]]]
    put_back: Callable[["Settings", Path, bool, Progress], Awaitable[dict[str, Any]]]
    reembed: Callable[["Settings", bool, bool, Progress], Awaitable[dict[str, Any]]]
    with_ports: Callable[["Settings", Callable[["Ports"], Awaitable[T]]], Awaitable[T]]
    rotate_secrets: Callable[["Settings", bool], Awaitable[dict[str, Any]]]


Url = Annotated[
    str | None,
    typer.Option(
        "--url", help="The server's URL; `local` is this machine's store.", show_default=False
    ),
]
Key = Annotated[str | None, typer.Option("--key", help="A key for that server.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")]
InProject = Annotated[
    str | None, typer.Option("--project", help="A project by id, slug, path or name.")
]
Limit = Annotated[
    int, typer.Option("--limit", min=1, max=100, help="The maximum number of results.")
]
Cursor = Annotated[
    str | None, typer.Option("--cursor", help="The `next_cursor` of the previous page.")
]


def address(url: str | None, key: str | None) -> tuple[str | None, str | None]:
    """A server and its key: by option, by environment, or by `remem login`; else this process."""
    url = url or environ.get("REMEM_URL") or environ.get("MEMORY_API_URL")
    if url == HERE:
        return None, key
    key = key or environ.get("REMEM_KEY") or environ.get("MEMORY_API_KEY")
    if key:
        return url, key
    from remem.surfaces.cli.signing.session import signed_in

    return signed_in(url) or (url, None)


def connect(url: str | None, key: str | None) -> "AsyncRemem":
    """The memory that is meant, not yet opened. A sign-in is renewed as long as it is used."""
    from remem.client import AsyncRemem
    from remem.surfaces.cli.signing.session import renewed, renews

    at, shown = address(url, key)
    return AsyncRemem(at, renewed(at) if at and renews(at, shown) else shown)


@asynccontextmanager
async def memory(url: str | None, key: str | None) -> AsyncIterator["AsyncRemem"]:
    """The memory a command works on."""
    async with connect(url, key) as client:
        # All is imported by now, and stays; `main` put off the search for garbage until here.
        gc.freeze()
        gc.enable()
        yield client


def ask(url: str | None, key: str | None, work: Callable[["AsyncRemem"], Awaitable[T]]) -> T:
    """Do one thing with that memory, from open to close."""

    async def opened() -> T:
        async with memory(url, key) as client:
            return await work(client)

    answer = asyncio.run(opened())
    for one in answer.get("unreadable", ()) if isinstance(answer, dict) else ():
        print_note(f"{one['id']}: {one['error']}")
    return answer


def request(url: str | None, key: str | None, method: str, path: str, **options: Any) -> Any:
    """One request; parameters that were not given are not sent."""
    for part in ("params", "json"):
        if part in options:
            options[part] = given(options[part])

    async def send(remem: "AsyncRemem") -> Any:
        return await remem.request(method, await full_path(remem, path), **options)

    return ask(url, key, send)


def given(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value not in (None, [])}
