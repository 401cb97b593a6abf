"""Serve the metrics: to clients with the key, or on a separate port."""

import asyncio
import hmac
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from http import HTTPStatus
from typing import TYPE_CHECKING

import structlog
from starlette.requests import Request
from starlette.responses import Response

from remem.core import telemetry
from remem.core.errors import CannotStart, Unauthenticated
from remem.core.ports import Ports
from remem.settings import Settings

if TYPE_CHECKING:
    from remem.surfaces.metrics.prometheus import PrometheusMetrics

PATH = "/metrics"
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
HEAD_BYTES, HEAD_S = 16_384, 5.0

log = structlog.get_logger()


@asynccontextmanager
async def collect_metrics(
    ports: Ports, settings: Settings
) -> AsyncIterator["PrometheusMetrics | None"]:
    """Collect metrics while open. Yields None, without any cost, if nobody can read them."""
    async with AsyncExitStack() as stack:
        if settings.traces:
            # Imported here because it is an optional extra.
            from remem.surfaces.metrics.traces import open_traces

            stack.enter_context(open_traces())
        yield await stack.enter_async_context(_metrics(ports, settings))


@asynccontextmanager
async def _metrics(ports: Ports, settings: Settings) -> AsyncIterator["PrometheusMetrics | None"]:
    if settings.metrics_key is None and settings.metrics_port is None:
        yield None
        return
    # Imported here because it is slow to load.
    from remem.surfaces.metrics.prometheus import PrometheusMetrics

    metrics = PrometheusMetrics(ports)
    stop = telemetry.listen(metrics)
    try:
        async with _serve_on_port(metrics, settings):
            yield metrics
    finally:
        stop()


async def metrics_route(request: Request) -> Response:
    """GET /metrics of the server itself. Refused unless REMEM_METRICS_KEY is set."""
    settings: Settings = request.app.state.settings
    metrics: PrometheusMetrics | None = getattr(request.app.state, "metrics", None)
    authorization = request.headers.get("authorization", "")
    if metrics is None or settings.metrics_key is None or not _is_allowed(settings, authorization):
        raise Unauthenticated(
            "Send the metrics key, REMEM_METRICS_KEY, as `Authorization: Bearer <key>`."
        )
    return Response(await metrics.render(), media_type=CONTENT_TYPE)


def _is_allowed(settings: Settings, authorization: str) -> bool:
    """Check the key. Without one in the settings, the separate port is open to everyone."""
    if settings.metrics_key is None:
        return True
    kind, _, sent = authorization.partition(" ")
    key = settings.metrics_key.get_secret_value()
    is_same = hmac.compare_digest(sent.strip().encode(), key.encode())
    return kind.lower() == "bearer" and is_same


@asynccontextmanager
async def _serve_on_port(metrics: "PrometheusMetrics", settings: Settings) -> AsyncIterator[None]:
    if settings.metrics_port is None:
        yield
        return

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(HEAD_S):
                head = await reader.readuntil(b"\r\n\r\n")
            status, body = await _reply(metrics, settings, head.decode("latin-1"))
            writer.write(_format_response(status, body))
            await writer.drain()
        except (TimeoutError, OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            log.debug("metrics_request_dropped")
        finally:
            writer.close()

    host, port = settings.metrics_host, settings.metrics_port
    try:
        server = await asyncio.start_server(handle, host, port, limit=HEAD_BYTES)
    except OSError as error:
        raise CannotStart(
            f"Cannot serve metrics on {host}:{port} ({error.strerror}); set REMEM_METRICS_PORT to "
            "a free port, one for each process."
        ) from error
    log.info("metrics_served", address=f"http://{host}:{server.sockets[0].getsockname()[1]}{PATH}")
    async with server:
        yield


async def _reply(
    metrics: "PrometheusMetrics", settings: Settings, head: str
) -> tuple[HTTPStatus, bytes]:
    request, *lines = head.split("\r\n")
    method, _, rest = request.partition(" ")
    headers = {
        name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)
    }
    if rest.partition(" ")[0].partition("?")[0] != PATH:
        return HTTPStatus.NOT_FOUND, b"Only /metrics is served here.\n"
    if method != "GET":
        return HTTPStatus.METHOD_NOT_ALLOWED, b"Use GET.\n"
    if not _is_allowed(settings, headers.get("authorization", "")):
        return HTTPStatus.UNAUTHORIZED, b"Send the key: Authorization: Bearer <key>\n"
    return HTTPStatus.OK, await metrics.render()


def _format_response(status: HTTPStatus, body: bytes) -> bytes:
    head = (
        f"HTTP/1.1 {status.value} {status.phrase}\r\nContent-Type: {CONTENT_TYPE}\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    return head.encode("latin-1") + body
