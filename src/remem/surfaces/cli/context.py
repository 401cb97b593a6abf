"""What commands share: the programs they start, common options, the connection to a memory."""

import asyncio
import gc
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import wraps
from os import environ
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from remem.surfaces.cli.ids import full_path
from remem.surfaces.cli.output import print_fields, print_json, print_note, print_table, say

if TYPE_CHECKING:
    from remem.client import AsyncRemem
    from remem.core.ports import Ports
    from remem.settings import Settings

T = TypeVar("T")
# Reports progress: how much is done, and of how much.
Progress = Callable[[int, int | None], None]
# The value of --url that means this machine's own store, even while signed in elsewhere.
LOCAL = "local"


@dataclass(frozen=True, slots=True)
class Programs:
    """What the command can start, passed in so that surfaces do not import the app."""

    create_app: Callable[["Settings"], Any]
    run_worker: Callable[["Settings"], Awaitable[None]]
    serve_mcp: Callable[[str | None, Callable[[], "AsyncRemem"]], None]
    back_up: Callable[["Settings", Path, Progress], Awaitable[dict[str, Any]]]
    restore_backup: Callable[["Settings", Path, bool, Progress], Awaitable[dict[str, Any]]]
    compare_backup: Callable[[Path, Path, Progress], Awaitable[dict[str, Any]]]
    reembed: Callable[["Settings", bool, bool, Progress], Awaitable[dict[str, Any]]]
    with_ports: Callable[["Settings", Callable[["Ports"], Awaitable[T]]], Awaitable[T]]
    pending_migrations: Callable[["Settings"], Awaitable[list[dict[str, Any]]]]
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
    """Return the server and key from the options, the environment or `remem login`; no server means
    this process."""
    url = url or environ.get("REMEM_URL") or environ.get("MEMORY_API_URL")
    if url == LOCAL:
        return None, key
    key = key or environ.get("REMEM_KEY") or environ.get("MEMORY_API_KEY")
    if key:
        return url, key
    from remem.surfaces.cli.signing.session import find_credential

    return find_credential(url) or (url, None)


def connect(url: str | None, key: str | None) -> "AsyncRemem":
    """Create a client, not yet opened. A sign-in is renewed for as long as the client lives."""
    from remem.client import AsyncRemem
    from remem.surfaces.cli.signing.session import current_secret, is_renewable

    server, credential = address(url, key)
    return AsyncRemem(
        server,
        current_secret(server) if server and is_renewable(server, credential) else credential,
    )


@asynccontextmanager
async def open_client(url: str | None, key: str | None) -> AsyncIterator["AsyncRemem"]:
    """Open a client for the memory that a command works on."""
    async with connect(url, key) as client:
        # Everything is imported by now and stays; `main` disabled the garbage collector until here.
        gc.freeze()
        gc.enable()
        yield client


def run_with_client(
    url: str | None, key: str | None, work: Callable[["AsyncRemem"], Awaitable[T]]
) -> T:
    """Run `work` with an open client and return its result."""

    async def run() -> T:
        async with open_client(url, key) as client:
            return await work(client)

    answer = asyncio.run(run())
    for item in answer.get("unreadable", ()) if isinstance(answer, dict) else ():
        print_note(f"{item['id']}: {item['error']}")
    return answer


def request(url: str | None, key: str | None, method: str, path: str, **options: Any) -> Any:
    """Send one request, leaving out parameters that were not given."""
    for part in ("params", "json"):
        if part in options:
            options[part] = drop_unset(options[part])

    async def send(remem: "AsyncRemem") -> Any:
        return await remem.request(method, await full_path(remem, path), **options)

    return run_with_client(url, key, send)


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a command: which memory it works on, and how it answers. As a command's first
    parameter it stands for --url, --key and --json."""

    url: str | None
    key: str | None
    as_json: bool

    def request(self, method: str, path: str, **options: Any) -> Any:
        return request(self.url, self.key, method, path, **options)

    def run(self, work: Callable[["AsyncRemem"], Awaitable[T]]) -> T:
        return run_with_client(self.url, self.key, work)

    def print_table(
        self, reply: Any, columns: Sequence[str], rows: Iterable[Sequence[object]], empty: str
    ) -> None:
        """Print a table for people, or the whole reply for programs."""
        if self.as_json:
            print_json(reply)
        else:
            print_table(columns, list(rows), empty)

    def print_fields(self, reply: Any, fields: dict[str, object]) -> None:
        if self.as_json:
            print_json(reply)
        else:
            print_fields(fields)

    def say(self, reply: Any, text: str) -> None:
        if self.as_json:
            print_json(reply)
        else:
            say(text)


def _options(url: Url = None, key: Key = None, as_json: Json = False) -> None: ...


def with_call_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command with --url, --key and --json, if its first parameter is a `Call`."""
    signature = inspect.signature(command)
    first, *others = signature.parameters.values() if signature.parameters else (None,)
    if first is None or first.annotation is not Call:
        return command

    @wraps(command)
    def called(url: str | None, key: str | None, as_json: bool, **arguments: Any) -> Any:
        return command(Call(url, key, as_json), **arguments)

    options = inspect.signature(_options).parameters.values()
    setattr(called, "__signature__", signature.replace(parameters=[*others, *options]))  # noqa: B010
    return called


def drop_unset(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value not in (None, [])}
