"""Slack's Socket Mode: a connection opened by remem, over which Slack sends events."""

import json
from collections.abc import AsyncGenerator
from typing import Any
from urllib.parse import urlsplit

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from remem.adapters.connectors.http import ServiceApi
from remem.core.connectors.errors import NeedsAuth
from remem.core.errors import Unavailable

MESSAGE_BYTES = 1_000_000
OPEN_S = 10
REFUSED = (
    "Slack does not accept the app-level token; open api.slack.com/apps, choose your app, Basic"
    " Information, App-Level Tokens, and make one with connections:write."
)


async def socket_events(api: ServiceApi, base_url: str, token: str) -> AsyncGenerator[None, None]:
    """Yield once per event. Every message is acknowledged, or Slack would send it again."""
    address = await _address(api, base_url, token)
    try:
        async with connect(
            address, max_size=MESSAGE_BYTES, open_timeout=OPEN_S, proxy=None
        ) as socket:
            async for message in socket:
                envelope = _envelope(message)
                if envelope.get("type") == "disconnect":
                    return
                if id := envelope.get("envelope_id"):
                    await socket.send(json.dumps({"envelope_id": str(id)}))
                if envelope.get("type") == "events_api":
                    yield
    except (OSError, WebSocketException) as error:
        raise Unavailable("Slack ended the connection; it is opened again.") from error


async def _address(api: ServiceApi, base_url: str, token: str) -> str:
    """Request a one-time address from Slack, and refuse any host that is not Slack's own."""
    headers = {"Authorization": f"Bearer {token}"}
    body = api.json(await api.post("/api/apps.connections.open", headers, {}))
    if not body.get("ok"):
        raise NeedsAuth(REFUSED)
    address = str(body.get("url"))
    parts, service = urlsplit(address), urlsplit(base_url)
    is_slack = parts.scheme == "wss" and f".{parts.hostname}".endswith(".slack.com")
    # A fake Slack on loopback has no certificate.
    is_same = service.scheme == "http" and parts.hostname == service.hostname
    if not (is_slack or is_same):
        raise Unavailable("Slack names an address that is not its own; it is tried again.")
    return address


def _envelope(message: str | bytes) -> dict[str, Any]:
    try:
        envelope = json.loads(message)
    except (ValueError, RecursionError):
        return {}
    return envelope if isinstance(envelope, dict) else {}
