"""`remem serve` and `remem worker`: the programs that stay."""

import asyncio
import socket
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from remem.surfaces.cli.command import also_needed, pasted
from remem.surfaces.cli.context import Programs
from remem.surfaces.cli.output import err, fail, say

if TYPE_CHECKING:
    from remem.settings import Settings


def serve(
    context: typer.Context,
    host: Annotated[str | None, typer.Option(help="The address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="The port to listen on.")] = None,
    no_worker: Annotated[
        bool, typer.Option("--no-worker", help="Do not run jobs; `remem worker` does.")
    ] = False,
) -> None:
    """Start the API, the worker and everything they need.

    Example: remem serve --port 9000
    """
    given: dict[str, Any] = {"host": host, "port": port, "worker": False if no_worker else None}
    settings = _begin(**{name: value for name, value in given.items() if value is not None})
    listening = _listen(settings)
    _run(context.obj, settings, listening)


def worker(context: typer.Context) -> None:
    """Run queued jobs until stopped; start as many workers as you like.

    Example: remem worker
    """
    asyncio.run(_work(context.obj, _begin()))


async def _work(programs: Programs, settings: "Settings") -> None:
    err.print("remem worker: Ctrl-C stops it.", highlight=False)
    await programs.work(settings)


def _begin(**given: Any) -> "Settings":
    from remem.logs import configure
    from remem.settings import load

    settings = load(**given)
    configure(settings)
    return settings


def _listen(settings: "Settings") -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((settings.host, settings.port))
    except OSError as error:
        fail(
            f"Cannot listen on {settings.host}:{settings.port} ({error.strerror}); is remem running"
            " already? Stop what uses the port, or choose another with --port."
        )
    return listening


def _run(programs: Programs, settings: "Settings", listening: socket.socket) -> None:
    from remem.client import local_server
    from remem.surfaces.cli.serving.server import make_server

    app: Any = programs.create_app(settings)
    # Commands on the same data folder use a Unix socket, without a rate limit.
    by_socket = local_server.listen(settings.data_dir)
    path = by_socket.getsockname() if by_socket else None

    def announce() -> None:
        if by_socket:
            _describe(settings, _address(listening), by_socket)
        _announce(settings, _address(listening), getattr(app.state, "sign_in_path", None))

    def withdraw() -> None:
        if path:
            local_server.withdraw(path)
        if drain := getattr(app.state, "drain", None):
            drain.begin()
        if live := getattr(app.state, "live", None):
            live.close()

    server = make_server(app, settings, announce, withdraw)
    try:
        server.run(sockets=[one for one in (listening, by_socket) if one])
    except KeyboardInterrupt:
        # It has stopped when uvicorn raises this: Ctrl-C is how it is meant to end. Not so a second
        # one that cut the stop short, or one before it served.
        if server.force_exit or not server.started:
            raise
    if not server.started:
        withdraw()
        failure = getattr(app.state, "failure", None)
        fail(failure or "remem could not start; the lines above say why.")


def _address(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _web_app(address: str, link: str | None) -> list[str]:
    """The link is for browsers of this computer, so it is shown where they can reach the server."""
    from remem.surfaces.cli.browser import loopback_url

    at = loopback_url(address)
    if link is None or at is None:
        return []
    return [
        "",
        "Open the web app; this link signs you in once, within ten minutes:",
        f"  {at}{link}",
        f"`{pasted()} open` makes another.",
        "",
    ]


def _describe(settings: "Settings", address: str, by_socket: socket.socket) -> None:
    from importlib.metadata import version

    from remem.client import local_server

    url = settings.database_url
    local_server.describe(
        by_socket,
        url=address,
        version=version("remem"),
        worker=settings.worker,
        database=local_server.database_id(url.get_secret_value() if url else None),
    )


def _announce(settings: "Settings", address: str, link: str | None) -> None:
    command, needed = pasted(), also_needed()
    key = settings.owner_key_path
    lines = [
        f"remem is ready at {address}  (API: {address}/docs)",
        *_web_app(address, link),
        f"Sign in with the key in {key}" if key.exists() else "Sign in with a key of yours.",
        "",
        f"Try it, in another terminal{f' with the same {needed}' if needed else ''}:",
        f'  {command} save "The dentist moved my appointment to Friday at nine"',
        f'  {command} recall "when do I see the dentist?"',
        f"  {command} install claude-code",
        "",
        "Ctrl-C stops it.",
    ]
    say("\n".join(lines))
    sys.stdout.flush()
