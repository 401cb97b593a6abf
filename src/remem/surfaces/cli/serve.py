"""`remem serve` and `remem worker`: the programs that stay."""

import asyncio
import socket
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from remem.surfaces.cli.command import spelled
from remem.surfaces.cli.context import Programs
from remem.surfaces.cli.output import err, fail, say

if TYPE_CHECKING:
    from remem.settings import Settings


def serve(
    context: typer.Context,
    host: Annotated[str | None, typer.Option(help="The address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="The port to listen on.")] = None,
    no_worker: Annotated[
        bool, typer.Option("--no-worker", help="Leave queued jobs to `remem worker`.")
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
    """Work on queued jobs until stopped; run as many as you like.

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
    import uvicorn

    app: Any = programs.create_app(settings)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=20,
        lifespan="on",
        # Only a proxy that is known to be there may say who asks, and by which scheme.
        proxy_headers=settings.trust_proxy,
        forwarded_allow_ips="*",
    )

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                _announce(settings, listening)

    server = Server(config)
    server.run(sockets=[listening])
    if not server.started:
        failure = getattr(app.state, "failure", None)
        fail(failure or "remem could not start; the lines above say why.")


def _announce(settings: "Settings", listening: socket.socket) -> None:
    host, port = listening.getsockname()[:2]
    host = f"[{host}]" if ":" in host else host
    command = spelled()
    key = settings.owner_key_path
    lines = [
        f"remem is ready at http://{host}:{port}  (API: http://{host}:{port}/docs)",
        f"Sign in with the key in {key}" if key.exists() else "Sign in with a key of yours.",
        "",
        "Try it, in another terminal:",
        f'  {command} save "The dentist moved my appointment to Friday at nine"',
        f'  {command} recall "when do I see the dentist?"',
        f"  {command} install claude-code",
        "",
        "Ctrl-C stops it.",
    ]
    say("\n".join(lines))
    sys.stdout.flush()
