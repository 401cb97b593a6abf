"""`remem serve` and `remem worker`: the long-running programs."""

import asyncio
import errno
import logging
import os
import socket
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from remem.surfaces.cli.command import secret_setting, shell_command
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
    options: dict[str, Any] = {"host": host, "port": port, "worker": False if no_worker else None}
    settings = _configure(**{name: value for name, value in options.items() if value is not None})
    listener = _listen(settings)
    _run(context.obj, settings, listener)


def worker(context: typer.Context) -> None:
    """Run queued jobs until stopped; start as many workers as you like.

    Example: remem worker
    """
    asyncio.run(_work(context.obj, _configure()))


async def _work(programs: Programs, settings: "Settings") -> None:
    err.print("remem worker: Ctrl-C stops it.", highlight=False)
    await programs.run_worker(settings)


def _configure(**overrides: Any) -> "Settings":
    from remem.logs import configure
    from remem.settings import load

    settings = load(**overrides)
    configure(settings)
    return settings


def _listen(settings: "Settings") -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
    except OSError as error:
        fail(_cannot_listen(settings, error))
    return listener


def _cannot_listen(settings: "Settings", error: OSError) -> str:
    says = f"Cannot listen on {settings.host}:{settings.port} ({error.strerror}); "
    if error.errno == errno.EADDRINUSE:
        return says + (
            "is remem running already? Stop what uses the port, or choose another with --port."
        )
    if error.errno == errno.EACCES:
        return says + "choose a port above 1023 with --port."
    return says + "set --host or REMEM_HOST to an address of this machine."


def _run(programs: Programs, settings: "Settings", listener: socket.socket) -> None:
    from remem.client import local_server
    from remem.surfaces.cli.serving.server import make_server

    app: Any = programs.create_app(settings)
    # A failure that has a sentence of its own needs no traceback.
    logging.getLogger("uvicorn.error").addFilter(lambda _: not hasattr(app.state, "failure"))
    # Commands on the same data folder use a Unix socket, without a rate limit.
    unix_socket = local_server.listen(settings.data_dir)
    socket_path = unix_socket.getsockname() if unix_socket else None

    def announce() -> None:
        if unix_socket:
            _describe(settings, _address(listener), unix_socket)
        _announce(settings, _address(listener), getattr(app.state, "sign_in_path", None))

    def withdraw() -> None:
        if socket_path:
            local_server.withdraw(socket_path)
        if drain := getattr(app.state, "drain", None):
            drain.begin()
        if live := getattr(app.state, "live", None):
            live.close()

    server = make_server(app, settings, announce, withdraw)
    try:
        server.run(sockets=[sock for sock in (listener, unix_socket) if sock])
    except KeyboardInterrupt:
        # uvicorn raises this after it has stopped, because Ctrl-C is the normal way to stop it. A
        # second Ctrl-C that cut the shutdown short, or one before it served, is not.
        if server.force_exit or not server.started:
            raise
    except SystemExit:
        # uvicorn exits when the app could not start; the sentence below says why.
        if server.started:
            raise
    if not server.started:
        withdraw()
        failure = getattr(app.state, "failure", None)
        if server.is_port_taken:
            in_use = OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))
            failure = _cannot_listen(settings, in_use)
        fail(failure or "remem could not start; the lines above say why.")


def _address(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _web_app_lines(address: str, link: str | None) -> list[str]:
    """The sign-in link is for browsers on this computer, so show it only if they can reach the
    server."""
    from remem.surfaces.cli.browser import loopback_url, public_sign_in_page

    if sign_in_page := public_sign_in_page():
        return ["", f"Open the web app at {sign_in_page}", ""]
    base_url = loopback_url(address)
    if link is None or base_url is None:
        return []
    if not sys.stdout.isatty():
        # The output may be a log that others read.
        return ["", f"Open the web app with `{shell_command()} open`.", ""]
    return [
        "",
        "Open the web app; this link signs you in once, within ten minutes:",
        f"  {base_url}{link}",
        f"`{shell_command()} open` creates another.",
        "",
    ]


def _web_build_lines() -> list[str]:
    from remem.surfaces.cli.web_build import FIX, web_app_problem

    problem = web_app_problem()
    return [f"The web app is {problem}: {FIX}, then restart.", ""] if problem else []


def _unknown_setting_lines() -> list[str]:
    from remem.unknown_settings import describe_unknown

    unknown = describe_unknown(os.environ)
    return [f"{unknown} See docs/settings.md.", ""] if unknown else []


def _describe(settings: "Settings", address: str, unix_socket: socket.socket) -> None:
    from importlib.metadata import version

    from remem.client import local_server
    from remem.surfaces.cli.browser import loopback_url

    url = settings.database_url
    local_server.describe(
        unix_socket,
        # A wildcard address can be listened on, but a request to it is for an unknown host.
        url=loopback_url(address) or address,
        version=version("remem"),
        worker=settings.worker,
        database=local_server.database_id(url.get_secret_value() if url else None),
    )


def _announce(settings: "Settings", address: str, link: str | None) -> None:
    command, needed = shell_command(), secret_setting()
    key = settings.owner_key_path
    lines = [
        f"remem is ready at {address}  (API: {address}/docs)",
        *_web_app_lines(address, link),
        *_web_build_lines(),
        *_unknown_setting_lines(),
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
