"""uvicorn with our protocol, limits and signal handling."""

import logging
import socket
from collections.abc import Callable
from functools import partial
from time import monotonic
from typing import Any

import uvicorn

from remem.settings import Settings
from remem.surfaces.cli.serving.bounds import BACKLOG, limits_of, raise_descriptor_limit
from remem.surfaces.cli.serving.protocol import GuardedProtocol
from remem.surfaces.cli.serving.watch import ConnectionWatch

_TICKS_A_SECOND = 10
_GRACE_S = 20


class Server(uvicorn.Server):
    """Calls `announce` when it is ready, and `withdraw` before it stops accepting requests."""

    def __init__(
        self,
        config: uvicorn.Config,
        watch: ConnectionWatch,
        announce: Callable[[], None],
        withdraw: Callable[[], None],
        warn: Callable[[], None],
        stop_delay_s: float = 0.0,
    ) -> None:
        super().__init__(config)
        self._watch, self._announce, self._withdraw = watch, announce, withdraw
        self._warn, self._stop_delay_s = warn, stop_delay_s
        self._stops_at: float | None = None
        self.is_port_taken = False

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        # uvloop closes the socket, but reports no error, if another process listens there by now.
        self.is_port_taken = any(sock.fileno() < 0 for sock in sockets or ())
        if self.is_port_taken:
            await self.shutdown(sockets)
            self.started, self.should_exit = False, True
        elif self.started:
            self._announce()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._withdraw()
        await super().shutdown(sockets)

    async def on_tick(self, counter: int) -> bool:
        if counter % _TICKS_A_SECOND == 0:
            self._watch.sweep()
        return await super().on_tick(counter) and self._stop_delay_is_over()

    def _stop_delay_is_over(self) -> bool:
        """On the first signal, report unready and serve on for a while, so that load balancers
        notice. A second signal ends that wait."""
        if self._stops_at is None:
            self._stops_at = monotonic() + self._stop_delay_s
            self._warn()
        return self.force_exit or monotonic() >= self._stops_at


def make_server(
    app: Any, settings: Settings, announce: Callable[[], None], withdraw: Callable[[], None]
) -> Server:
    # The command prints why it could not start, in one sentence instead of a traceback.
    logger = logging.getLogger("uvicorn.error")
    logger.addFilter(lambda _: getattr(app.state, "failure", None) is None)
    limits = limits_of(settings, raise_descriptor_limit())
    watch = ConnectionWatch(limits)
    protocol: Any = partial(GuardedProtocol, watch=watch)
    config = uvicorn.Config(
        app,
        http=protocol,
        ws="none",
        log_config=None,
        access_log=False,
        backlog=BACKLOG,
        timeout_keep_alive=int(limits.idle_s),
        timeout_graceful_shutdown=_GRACE_S,
        lifespan="on",
        # Proxy headers are handled in `surfaces/proxies.py`, by stricter rules.
        proxy_headers=False,
    )
    return Server(config, watch, announce, withdraw, partial(_warn, app), settings.stop_delay_s)


def _warn(app: Any) -> None:
    """Make the readiness check report that the server is stopping."""
    if readiness := getattr(app.state, "readiness", None):
        readiness.is_stopping = True
