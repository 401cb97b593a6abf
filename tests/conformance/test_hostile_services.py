"""Services that answer as no service should: each is bounded, named, and harmless to others."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx2
import pytest

from remem.adapters.connectors.feed import FeedConnector
from remem.adapters.connectors.http import ServiceApi, pause_until
from remem.adapters.fetch.guarded import GuardedFetcher
from remem.core.connections import advance, connect, sync
from remem.core.connections.check import check_connection
from remem.core.connections.connect import connect as connect_vendor
from remem.core.connections.manage import list_items
from remem.core.connections.model import NewConnection
from remem.core.connectors import Access, AskedTooOften, ChangePage, SeenItem, WalkPage
from remem.core.errors import Conflict, Invalid, Unavailable
from remem.core.items import Item, LeftOut
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.time import now
from tests.core.test_connections import connected, synced, texts, with_vendor
from tests.tools.site import Site, page, serving
from tests.tools.vendor import Vendor

pytestmark = pytest.mark.anyio

HEADERS = (
    {},
    {"retry-after": "0"},
    {"retry-after": "-5"},
    {"retry-after": "²"},
    {"retry-after": "31536000"},
    {"retry-after": "9" * 5_000},
    {"retry-after": "Fri, 01 Jan 2100 00:00:00 GMT"},
    {"retry-after": "Thu, 01 Jan 1970 00:00:00 GMT"},
    {"retry-after": "Mon, 01 Jan 0001 00:00:00 +1400"},
    {"x-ratelimit-reset": "9" * 5_000},
    {"x-rate-limit-reset": "0"},
)


@pytest.mark.parametrize("headers", HEADERS, ids=range(len(HEADERS)))
def test_a_pause_is_a_second_at_least_and_a_day_at_most(headers: dict[str, str]) -> None:
    sent = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
    reply = httpx2.Response(429, headers=sent)
    until = pause_until(reply)
    assert until is not None
    assert timedelta(0) < until - now() <= timedelta(days=1)


@contextmanager
def answering(status: int, headers: dict[str, str], body: bytes = b"") -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response_only(status)
            for name, value in {**headers, "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """The test's own output is enough."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


async def test_a_redirect_leads_to_no_private_address(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as inside:
        inside.setblocking(False)
        there = f"https://127.0.0.1:{inside.getsockname()[1]}/secret"
        with answering(302, {"Location": there}) as url:
            api = ServiceApi(url, "The service", "Connect again.")
            with pytest.raises(Invalid, match="public internet"):
                await api.download("/file", {}, None, tmp_path / "file", 1_000)
            # What is no file is not followed at all.
            with pytest.raises(Unavailable, match="302"):
                api.json(await api.get("/", {}))
            await api.close()
        with pytest.raises(BlockingIOError):
            inside.accept()


async def test_json_without_an_end_is_a_failure_in_words() -> None:
    with answering(200, {}, b"[" * 100_000) as url:
        api = ServiceApi(url, "The service", "Connect again.")
        with pytest.raises(Unavailable, match="not JSON"):
            api.json(await api.get("/", {}))
        await api.close()


@dataclass
class Hostile(Vendor):
    """Answers by what `trick` says."""

    trick: str = ""
    walks: int = 0
    metered: list[int] = field(default_factory=list)

    async def walk(self, access: Access, at: Any) -> WalkPage:
        self.walks += 1
        if self.trick == "endless":
            return WalkPage((), {"page": (at or {"page": 0})["page"] + 1})
        if self.trick == "same":
            return WalkPage((), {"page": 1})
        if self.trick == "shape":
            raise KeyError("results")
        if self.trick == "hammer":
            raise AskedTooOften(now() + timedelta(milliseconds=1))
        self.metered.append(access.meter.on("2026-01-01"))
        access.meter.add("2026-01-01", 7)
        return await super().walk(access, at)

    async def changes(self, access: Access, mark: Any) -> ChangePage:
        if self.trick == "endless changes":
            return ChangePage((), mark + 1, is_last=False)
        return await super().changes(access, mark)

    async def read(self, access: Access, seen: SeenItem, folder: Path) -> Item | LeftOut | None:
        if seen.reference == "odd":
            return {}["content"]
        return await super().read(access, seen, folder)


@pytest.fixture
def hostile() -> Hostile:
    vendor = Hostile()
    vendor.write("note", "The kettle is blue.")
    return vendor


@pytest.fixture
def store(ports: Ports, hostile: Hostile) -> Ports:
    return with_vendor(ports, hostile)


@pytest.mark.parametrize("trick", ["endless", "same", "endless changes"])
async def test_a_list_without_an_end_is_given_up(
    store: Ports, scope: Scope, hostile: Hostile, trick: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(advance, "PAGES_LIMIT", 20)
    hostile.trick = trick
    id = await connected(store, scope)
    connection, run = await synced(store, scope, id)
    assert run.outcome == "failed" and "without an end" in str(run.error)
    assert connection.next_at and hostile.walks <= 21
    hostile.trick = ""
    _, run = await synced(store, scope, id)
    assert run.outcome == "done" and list(await texts(store, scope)) == ["The kettle is blue."]


async def test_an_answer_of_another_form_is_said_and_an_odd_item_stops_no_other(
    store: Ports, scope: Scope, hostile: Hostile
) -> None:
    hostile.trick = "shape"
    id = await connected(store, scope)
    _, run = await synced(store, scope, id)
    assert run.outcome == "failed" and "form that is not known" in str(run.error)
    with pytest.raises(Unavailable, match="form that is not known"):
        await check_connection(store, scope, id)
    hostile.trick = ""
    hostile.write("odd", "Never read.")
    _, run = await synced(store, scope, id)
    assert (run.outcome, run.added, run.skipped) == ("done", 1, 1)
    items, _ = await list_items(store, scope, id, True, None, 10)
    assert [one.reference for one in items] == ["odd"]


async def test_short_pauses_again_and_again_end_the_job(
    store: Ports, scope: Scope, hostile: Hostile
) -> None:
    hostile.trick = "hammer"
    id = await connected(store, scope)
    connection, run = await synced(store, scope, id)
    assert run.outcome == "rate_limited" and hostile.walks == sync.SHORT_WAITS
    assert connection.next_at and connection.next_at > now() + timedelta(seconds=30)


async def test_what_was_read_in_a_day_is_counted_over_all_syncs(
    store: Ports, scope: Scope, hostile: Hostile
) -> None:
    id = await connected(store, scope)
    await synced(store, scope, id)
    connection, _ = await synced(store, scope, id)
    assert connection.cursor["meter"]["reads"] == 7
    await sync.request_sync(store, scope, id, full=True)
    connection, _ = await synced(store, scope, id)
    assert hostile.metered == [0, 7] and connection.cursor["meter"]["reads"] == 14


async def test_a_space_has_only_so_many_connections(
    store: Ports, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connect, "CONNECTIONS_LIMIT", 2)
    await connected(store, scope, "one")
    await connected(store, scope, "two")
    with pytest.raises(Conflict, match="remove one first"):
        await connected(store, scope, "three")
    # One that is there is connected again.
    made, is_new = await connect_vendor(store, scope, NewConnection("vendor", {"name": "two"}))
    assert not is_new and made.status == "active"


async def test_a_feed_that_is_gone_for_good_is_paused_with_the_reason(
    ports: Ports, scope: Scope
) -> None:
    with serving(Site()) as site:
        fetcher = GuardedFetcher(allow_private=["127.0.0.1"], waits_s=())
        feeds = FeedConnector(fetcher, ports.feeds)
        store = replace(with_vendor(ports, Vendor()), connectors={"feed": feeds})  # type: ignore[dict-item]
        entry = b"<item><guid>1</guid><title>The bridge opens</title></item>"
        site.pages["/feed.xml"] = page(
            b"<rss version='2.0'><channel>" + entry + b"</channel></rss>"
        )
        new = NewConnection("feed", {"url": f"{site.url}/feed.xml"})
        id = (await connect_vendor(store, scope, new))[0].id
        await synced(store, scope, id)
        site.pages["/feed.xml"] = page(b"", 404)
        connection, _ = await synced(store, scope, id)
        assert connection.status == "active" and "404" in str(connection.error)
        site.pages["/feed.xml"] = page(b"", 410)
        connection, run = await synced(store, scope, id)
        assert connection.status == "paused" and connection.next_at is None
        assert "gone for good" in str(connection.error) and run.outcome == "failed"
        assert connection.item_count == 1
        await fetcher.close()
