"""Socket Mode of Slack, against a fake on loopback: events are acknowledged and start a sync."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve

from remem.adapters.connectors.slack.connector import SlackConnector
from remem.core.connections.connect import connect
from remem.core.connections.listen import listen, listen_to_services
from remem.core.connections.manage import change_connection, get_connection
from remem.core.connections.model import ConnectionChange, NewConnection
from remem.core.connections.sync import sync_connection
from remem.core.connectors.errors import NeedsAuth
from remem.core.connectors.model import Access
from remem.core.errors import Unavailable
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.time import new_id
from tests.tools.idle_queue import IdleQueue
from tests.tools.vendor import Vendor
from tests.tools.waiting import until_async

pytestmark = pytest.mark.anyio

TOKEN = "xapp-xyzzy-never-to-be-seen"


@dataclass
class FakeSocketMode:
    """`sent` are the messages for the next connection, `acknowledged` the ids of its replies."""

    url: str = ""
    sent: list[str] = field(default_factory=list)
    acknowledged: list[str] = field(default_factory=list)
    opened: int = 0

    async def handle(self, socket: ServerConnection) -> None:
        self.opened += 1
        for message in self.sent:
            await socket.send(message)
        self.sent = []
        async for answer in socket:
            self.acknowledged.append(json.loads(answer)["envelope_id"])


def event(id: str) -> str:
    payload = {"event": {"type": "message", "channel": "C1", "text": "hello"}}
    return json.dumps({"type": "events_api", "envelope_id": id, "payload": payload})


@pytest.fixture
async def sockets() -> AsyncIterator[FakeSocketMode]:
    fake = FakeSocketMode()
    async with serve(fake.handle, "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        fake.url = f"ws://127.0.0.1:{port}/"
        yield fake


class FakeApi:
    """A fake of the single request apps.connections.open."""

    def __init__(self, answer: dict[str, Any]) -> None:
        self._answer = answer

    async def post(self, path: str, headers: dict[str, str], body: dict[str, Any]) -> Any:
        assert path == "/api/apps.connections.open"
        assert headers == {"Authorization": f"Bearer {TOKEN}"}
        return self._answer

    def json(self, reply: Any) -> Any:
        return reply


def slack(answer: dict[str, Any]) -> SlackConnector:
    connector = SlackConnector({"slack": "http://127.0.0.1:9"})
    connector._api = FakeApi(answer)  # type: ignore[assignment]
    return connector


def access() -> Access:
    return Access({}, ("C1",), {"token": "xoxp-1", "app_token": TOKEN})


async def test_events_are_acknowledged_and_a_disconnect_ends_it(sockets: FakeSocketMode) -> None:
    connector = slack({"ok": True, "url": sockets.url})
    hello = json.dumps({"type": "hello"})
    disconnect = json.dumps({"type": "disconnect", "reason": "refresh_requested"})
    sockets.sent = [hello, "no json", "[1]", event("e1"), event("e2"), disconnect]
    assert [notice async for notice in connector.listen(access())] == [None, None]
    assert sockets.acknowledged == ["e1", "e2"]


@pytest.mark.parametrize(
    "url", ["wss://slack.com.example.org/", "ws://wss.slack.com/", "wss://10.0.0.1/", "file:///x"]
)
async def test_only_urls_of_slack_are_connected_to(url: str) -> None:
    with pytest.raises(Unavailable, match="not its own"):
        [notice async for notice in slack({"ok": True, "url": url}).listen(access())]


async def test_a_refused_token_is_reported_and_without_one_nothing_is_opened() -> None:
    refusing = slack({"ok": False, "error": "invalid_auth"})
    with pytest.raises(NeedsAuth, match="connections:write"):
        [notice async for notice in refusing.listen(access())]
    without_app_token = Access({}, ("C1",), {"token": "xoxp-1"})
    assert [notice async for notice in refusing.listen(without_app_token)] == []


class NotifyingVendor(Vendor):
    """A service that notifies about changes."""

    def __init__(self) -> None:
        super().__init__()
        self.changed: asyncio.Queue[None] = asyncio.Queue()
        self.listeners: set[str] = set()

    async def listen(self, access: Access) -> AsyncIterator[None]:
        name = str(access.settings["name"])
        self.listeners.add(name)
        try:
            while True:
                yield await self.changed.get()
        finally:
            self.listeners.remove(name)


async def test_a_notification_schedules_an_earlier_sync(ports: Ports, scope: Scope) -> None:
    vendor = NotifyingVendor()
    store = replace(ports, connectors={"vendor": vendor}, queue=IdleQueue())  # type: ignore[arg-type]
    id = (await connect(store, scope, NewConnection("vendor", {"name": "me"})))[0].id
    await sync_connection(store, scope, id)
    planned = (await get_connection(store, scope, id))[0].next_at
    listening = asyncio.create_task(listen(store, scope, id))
    vendor.changed.put_nowait(None)

    async def is_sooner() -> bool:
        current = (await get_connection(store, scope, id))[0].next_at
        return bool(planned and current and current < planned)

    await until_async(is_sooner)
    listening.cancel()
    await asyncio.wait([listening])
    assert not vendor.listeners


async def test_a_paused_connection_is_no_longer_listened_to(ports: Ports, scope: Scope) -> None:
    vendor, name = NotifyingVendor(), str(new_id())
    store = replace(ports, connectors={"vendor": vendor}, queue=IdleQueue())  # type: ignore[arg-type]
    id = (await connect(store, scope, NewConnection("vendor", {"name": name})))[0].id
    listening = asyncio.create_task(listen_to_services(store, every_s=0.05))

    async def listens(expected: bool) -> bool:
        return (name in vendor.listeners) == expected

    await until_async(lambda: listens(True))
    await change_connection(store, scope, id, ConnectionChange(is_paused=True))
    await until_async(lambda: listens(False))
    listening.cancel()
    await asyncio.wait([listening])
    assert not vendor.listeners
