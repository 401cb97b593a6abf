"""Hostile services: each is limited and reported, and does not affect others."""

import gzip
import json
import socket
import threading
import time
import tracemalloc
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta, timezone
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx2
import pytest

from remem.adapters.connectors.feed import FeedConnector
from remem.adapters.connectors.github import api as github_api
from remem.adapters.connectors.github import connector as github
from remem.adapters.connectors.http import ServiceApi, pause_until
from remem.adapters.fetch.guarded import GuardedFetcher
from remem.adapters.oauth.http import HttpOAuthClient
from remem.core.connections import advance, connect, sync
from remem.core.connections.check import check_connection
from remem.core.connections.connect import connect as connect_vendor
from remem.core.connections.consent.credential import credential_of
from remem.core.connections.manage import list_items
from remem.core.connections.model import NewConnection
from remem.core.connectors.errors import AskedTooOften, MarkExpired
from remem.core.connectors.model import (
    Access,
    ChangePage,
    SeenItem,
    WalkPage,
)
from remem.core.connectors.provider import OAuthApp
from remem.core.errors import Conflict, Invalid, TooLarge, Unavailable, Unreadable
from remem.core.items import Item, LeftOut
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.time import now
from tests.core.test_connections import connected, synced, texts, with_vendor
from tests.tools.http_server import QuietHandler, served
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
def test_a_pause_is_at_most_a_day(headers: dict[str, str]) -> None:
    sent = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
    reply = httpx2.Response(429, headers=sent)
    until = pause_until(reply)
    assert until is not None
    assert timedelta(0) < until - now() <= timedelta(days=1)


@contextmanager
def serving_reply(status: int, headers: dict[str, str], body: bytes = b"") -> Iterator[str]:
    class Handler(QuietHandler):
        def do_GET(self) -> None:
            self.send_response_only(status)
            for name, value in {**headers, "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

    with served(Handler) as url:
        yield url


async def test_a_redirect_to_a_private_address_is_refused(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as private_server:
        private_server.setblocking(False)
        location = f"https://127.0.0.1:{private_server.getsockname()[1]}/secret"
        with serving_reply(302, {"Location": location}) as url:
            api = ServiceApi(url, "The service", "Connect again.")
            with pytest.raises(Invalid, match="public internet"):
                await api.download("/file", {}, None, tmp_path / "file", 1_000)
            # API requests do not follow redirects at all.
            with pytest.raises(Unavailable, match="302"):
                api.json(await api.get("/", {}))
            await api.close()
        with pytest.raises(BlockingIOError):
            private_server.accept()


async def test_deeply_nested_json_is_reported() -> None:
    with serving_reply(200, {}, b"[" * 100_000) as url:
        api = ServiceApi(url, "The service", "Connect again.")
        with pytest.raises(Unavailable, match="not JSON"):
            api.json(await api.get("/", {}))
        await api.close()


@dataclass
class HostileVendor(Vendor):
    """A service that misbehaves in the way that `trick` names."""

    trick: str = ""
    walks: int = 0
    usage_from_meter: list[int] = field(default_factory=list)

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
        self.usage_from_meter.append(access.meter.on("2026-01-01"))
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
def hostile() -> HostileVendor:
    vendor = HostileVendor()
    vendor.write("note", "The kettle is blue.")
    return vendor


@pytest.fixture
def store(ports: Ports, hostile: HostileVendor) -> Ports:
    return with_vendor(ports, hostile)


@pytest.mark.parametrize("trick", ["endless", "same", "endless changes"])
async def test_an_endless_list_is_abandoned(
    store: Ports, scope: Scope, hostile: HostileVendor, trick: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(advance, "PAGES_LIMIT", 20)
    hostile.trick = trick
    id = await connected(store, scope)
    connection, run = await synced(store, scope, id)
    assert run.outcome == "failed" and "endlessly" in str(run.error)
    assert connection.next_at and hostile.walks <= 21
    hostile.trick = ""
    _, run = await synced(store, scope, id)
    assert run.outcome == "done" and list(await texts(store, scope)) == ["The kettle is blue."]


async def test_unknown_formats_are_reported_and_do_not_stop_other_items(
    store: Ports, scope: Scope, hostile: HostileVendor
) -> None:
    hostile.trick = "shape"
    id = await connected(store, scope)
    _, run = await synced(store, scope, id)
    assert run.outcome == "failed" and "unknown format" in str(run.error)
    with pytest.raises(Unavailable, match="unknown format"):
        await check_connection(store, scope, id)
    hostile.trick = ""
    hostile.write("odd", "Never read.")
    _, run = await synced(store, scope, id)
    assert (run.outcome, run.added, run.skipped) == ("done", 1, 1)
    items, _ = await list_items(store, scope, id, True, None, 10)
    assert [item.reference for item in items] == ["odd"]


async def test_repeated_short_pauses_end_the_job(
    store: Ports, scope: Scope, hostile: HostileVendor
) -> None:
    hostile.trick = "hammer"
    id = await connected(store, scope)
    connection, run = await synced(store, scope, id)
    assert run.outcome == "rate_limited" and hostile.walks == sync.SHORT_WAITS
    assert connection.next_at and connection.next_at > now() + timedelta(seconds=30)


async def test_reads_of_a_day_are_counted_over_all_syncs(
    store: Ports, scope: Scope, hostile: HostileVendor
) -> None:
    id = await connected(store, scope)
    await synced(store, scope, id)
    connection, _ = await synced(store, scope, id)
    assert connection.cursor["meter"]["reads"] == 7
    await sync.request_sync(store, scope, id, full=True)
    connection, _ = await synced(store, scope, id)
    assert hostile.usage_from_meter == [0, 7] and connection.cursor["meter"]["reads"] == 14


async def test_the_number_of_connections_is_limited(
    store: Ports, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connect, "CONNECTIONS_LIMIT", 2)
    await connected(store, scope, "one")
    await connected(store, scope, "two")
    with pytest.raises(Conflict, match="remove one first"):
        await connected(store, scope, "three")
    # An existing one can be connected again.
    connection, is_new = await connect_vendor(
        store, scope, NewConnection("vendor", {"name": "two"})
    )
    assert not is_new and connection.status == "active"


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


# Bodies


@contextmanager
def serving_endlessly(head: bytes, part: bytes) -> Iterator[tuple[str, list[int]]]:
    """A server that sends `part` until the client leaves; yields its URL and the bytes sent."""
    sent = [0]

    def serve(listener: socket.socket) -> None:
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            with suppress(OSError), client:
                client.recv(65_536)
                client.sendall(head)
                while sent[0] < 3_000_000_000:
                    client.sendall(part)
                    sent[0] += len(part)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=serve, args=(listener,), daemon=True).start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", sent


LARGE = (
    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2147483648\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n",
)


@pytest.mark.parametrize("head", LARGE, ids=["2 GB", "without an end"])
async def test_a_large_body_is_refused_at_a_limit(head: bytes, tmp_path: Path) -> None:
    with serving_endlessly(head, bytes(1_000_000)) as (url, sent):
        api = ServiceApi(url, "The service", "Connect again.", waits_s=())
        with pytest.raises(TooLarge, match="more than 20 MB"):
            await api.get("/", {})
        with pytest.raises(TooLarge, match="larger than 5 MB"):
            await api.download("/file", {}, None, tmp_path / "file", 5_000_000)
        await api.close()
    # The limit leaves room for the buffers of the system.
    assert sent[0] < 100_000_000
    assert (tmp_path / "file").stat().st_size <= 5_000_000


@cache
def compressed_zeros(times: int) -> bytes:
    """200 MB of zeros, compressed so many times: to less than 1 MB, then to a few kilobytes."""
    if times > 1:
        return gzip.compress(compressed_zeros(times - 1))
    compressor = zlib.compressobj(1, wbits=zlib.MAX_WBITS | 16)
    return b"".join(compressor.compress(bytes(1_000_000)) for _ in range(200)) + compressor.flush()


@pytest.mark.parametrize("times", [1, 2, 5])
async def test_a_compressed_body_is_limited_while_it_is_decompressed(
    times: int, tmp_path: Path
) -> None:
    headers = {"Content-Encoding": ", ".join(["gzip"] * times)}
    tracemalloc.start()
    try:
        with serving_reply(200, headers, compressed_zeros(times)) as url:
            api = ServiceApi(url, "The service", "Connect again.", waits_s=())
            with pytest.raises(TooLarge):
                await api.get("/", {})
            with pytest.raises(TooLarge):
                await api.download("/file", {}, None, tmp_path / "file", 5_000_000)
            await api.close()
        assert tracemalloc.get_traced_memory()[1] < 100_000_000
    finally:
        tracemalloc.stop()


async def test_a_wrongly_compressed_body_is_reported(tmp_path: Path) -> None:
    for headers in ({"Content-Encoding": "gzip"}, {"Content-Encoding": ", ".join(["gzip"] * 9)}):
        with serving_reply(200, headers, b"not packed at all") as url:
            api = ServiceApi(url, "The service", "Connect again.", waits_s=())
            with pytest.raises(Unavailable, match="cannot be reached"):
                await api.get("/", {})
            with pytest.raises(Unavailable, match="cannot be reached"):
                await api.download("/file", {}, None, tmp_path / "file", 1_000)
            await api.close()


# Redirects


async def test_a_credential_is_sent_to_one_host_only(tmp_path: Path) -> None:
    with recording_server() as (elsewhere, received):
        for location in (
            elsewhere,
            elsewhere.replace("http:", "https:"),
            "https://[",
            "//x",
            "",
            "é",
        ):
            with serving_reply(302, {"Location": quote(location, safe=":/[]")}) as url:
                api = ServiceApi(url, "The service", "Connect again.", waits_s=())
                token = {"Authorization": "Bearer xyzzy-never-sent-elsewhere"}
                assert (await api.get("/", token)).status_code == 302
                with pytest.raises((Invalid, Unavailable)):
                    await api.download("/file", token, None, tmp_path / "file", 1_000)
                await api.close()
        assert received == []


async def test_a_host_that_starts_like_the_services_own_is_another_host(tmp_path: Path) -> None:
    """`https://api.example` is not `https://api.example.attacker`."""
    with serving_reply(302, {"Location": "http://127.0.0.1.attacker.invalid/"}) as url:
        location = f"{url}.attacker.invalid/file"
        with serving_reply(302, {"Location": location}) as own:
            api = ServiceApi(own, "The service", "Connect again.", waits_s=())
            with pytest.raises((Invalid, Unavailable)):
                await api.download("/file", {}, None, tmp_path / "file", 1_000)
            await api.close()


async def test_a_redirect_to_the_service_itself_has_no_credential(tmp_path: Path) -> None:
    credentials: list[str | None] = []

    class Handler(QuietHandler):
        def do_GET(self) -> None:
            credentials.append(self.headers.get("Authorization"))
            body = b"words" if self.path == "/there" else b""
            self.send_response_only(200 if body else 302)
            self.send_header("Location", f"{url}/there")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    with served(Handler) as url:
        api = ServiceApi(url, "The service", "Again.", waits_s=())
        await api.download("/file", {"Authorization": "Bearer x"}, None, tmp_path / "file", 1_000)
        assert credentials == ["Bearer x", None] and (tmp_path / "file").read_bytes() == b"words"
        await api.close()


@contextmanager
def recording_server() -> Iterator[tuple[str, list[bytes]]]:
    """A server that records everything it receives; yields its URL and the record."""
    received: list[bytes] = []

    def listen(listener: socket.socket) -> None:
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            with suppress(OSError), client:
                received.append(client.recv(65_536))

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=listen, args=(listener,), daemon=True).start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/", received


# Names and dates

NAMES = {
    "100 KB": "x" * 100_000,
    "a zero": "no\x00te",
    "half a character": "no\ud800te",
    "upwards": "../../../etc/passwd",
    "from the root": "/etc/passwd",
    "of another system": "C:\\Windows\\system.ini",
    "a device": "CON",
    "lines": "note\r\nSet-Cookie: x",
    "turned around": "note\u202egpj.exe",
    "empty": "",
}


@pytest.mark.parametrize("name", NAMES.values(), ids=list(NAMES))
async def test_odd_names_do_not_stop_other_items(
    store: Ports, scope: Scope, hostile: HostileVendor, name: str
) -> None:
    hostile.files[name] = "The odd one."
    hostile.log.append(name)
    id = await connected(store, scope)
    _, run = await synced(store, scope, id)
    assert run.outcome == "done" and run.added + run.skipped == 2, run.error
    assert "The kettle is blue." in await texts(store, scope)
    hostile.remove(name)
    _, run = await synced(store, scope, id)
    assert run.outcome == "done"
    assert list(await texts(store, scope)) == ["The kettle is blue."]


@dataclass
class OddVendor(Vendor):
    """Items whose fields are all odd except for the reference."""

    async def read(self, access: Access, seen: SeenItem, folder: Path) -> Item | LeftOut | None:
        item = await super().read(access, seen, folder)
        assert isinstance(item, Item)
        return replace(
            item,
            title="\x00" + "t" * 1_000_000 + "\ud800",
            url="javascript:" + "x" * 100_000,
            note="n\x00",
            tags=("\x00", "#" * 10_000, ""),
            folders=("..", "/", ""),
            created_at=datetime(9999, 12, 31, 23, 59, 59, tzinfo=timezone(timedelta(hours=-14))),
            valid_until=datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=14))),
            metadata={"path": "../../x\x00", "deep": {"a": ["\ud800"] * 1_000}, "n": float("nan")},
        )

    def _seen(self, name: str) -> SeenItem:
        seen = super()._seen(name)
        return replace(seen, path="p" * 100_000 + "\x00\ud800", revision=seen.revision + "\x00")


async def test_an_item_with_odd_fields_is_saved_or_skipped(ports: Ports, scope: Scope) -> None:
    vendor = OddVendor()
    vendor.write("note", "The kettle is blue.")
    store = with_vendor(ports, vendor)
    id = await connected(store, scope)
    connection, run = await synced(store, scope, id)
    assert run.outcome == "done", connection.error
    assert run.added + run.skipped == 1
    _, run = await synced(store, scope, id)
    assert run.outcome == "done"


@pytest.mark.parametrize("seconds", ["9" * 400, 10**18, "²", -1, True, "1e9", None, [], 3.5])
async def test_odd_expiry_times_of_tokens(seconds: Any) -> None:
    body = json.dumps({"access_token": "a", "expires_in": seconds, "interval": seconds}).encode()
    code = {"user_code": "A", "verification_uri": "https://x", "device_code": "d"}
    device = json.dumps({**json.loads(body), **code}).encode()
    client = HttpOAuthClient()
    with serving_post_reply(body) as url, serving_post_reply(device) as device_url:
        app = OAuthApp(url, url, client_id="c", device_url=device_url)
        tokens = await client.exchange(app, "code", "verifier", url)
        assert "expires_at" not in credential_of(tokens, {}) or tokens.expires_in_s
        consent = await client.begin_device(app)
        assert 1 <= consent.interval_s <= 60 and 1 <= consent.expires_in_s <= 86_400
    await client.close()


@contextmanager
def serving_post_reply(body: bytes) -> Iterator[str]:
    class Handler(QuietHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.send_response_only(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    with served(Handler) as url:
        yield url


async def test_an_endless_list_of_issues_is_listed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(github, "CHANGED_PAGES", 3)
    pages: list[int] = []

    async def issues(self: Any, access: Access, repository: str, since: str, page: int) -> Any:
        pages.append(page)
        issue = {"number": page, "updated_at": "9999-12-31T23:59:59Z", "comments": 0, "title": "x"}
        return [issue] * github_api.PAGE

    monkeypatch.setattr(github_api.GitHubApi, "issues", issues)
    connector = github.GitHubConnector("http://127.0.0.1:1")
    with pytest.raises(MarkExpired):
        await connector._changed_issues(Access({}), "octo/notes", "2026-01-01T00:00:00Z")
    assert len(pages) == 3
    await connector.close()


# Feeds


async def test_a_feed_with_100_000_entries_and_a_list_of_bombs(ports: Ports, scope: Scope) -> None:
    with serving(Site()) as site:
        fetcher = GuardedFetcher(allow_private=["127.0.0.1"], waits_s=())
        feeds = FeedConnector(fetcher, ports.feeds)
        store = replace(with_vendor(ports, Vendor()), connectors={"feed": feeds})  # type: ignore[dict-item]
        entry = "<item><guid>{0}</guid><title>Entry {0}</title></item>"
        dated_entry = entry.format("of 9999").replace("</title>", f"</title>{DATE}")
        entries = "".join(entry.format(number) for number in range(100_000))
        feed = f"<rss version='2.0'><channel>{dated_entry}{entries}</channel></rss>"
        site.pages["/feed.xml"] = page(feed.encode())
        new = NewConnection("feed", {"url": f"{site.url}/feed.xml"})
        id = (await connect_vendor(store, scope, new))[0].id
        started_s = time.monotonic()
        connection, run = await synced(store, scope, id)
        assert run.outcome == "done" and connection.item_count == 200
        assert time.monotonic() - started_s < 120
        for doctype in BOMBS:
            outlines = f'<outline xmlUrl="{site.url}/feed.xml" text="&a;"/>'
            bomb = f"<?xml version='1.0'?>{doctype}<opml><body>{outlines}</body></opml>"
            site.pages["/list.opml"] = page(bomb.encode(), content_type="text/x-opml")
            with pytest.raises(Unreadable, match="declares"):
                new = NewConnection("feed", {"url": f"{site.url}/list.opml"})
                await connect_vendor(store, scope, new)
        await fetcher.close()


DATE = "<pubDate>Fri, 31 Dec 9999 23:59:59 GMT</pubDate>"
BOMBS = (
    "<!DOCTYPE x [<!ENTITY a '"
    + "lol" * 100
    + "'><!ENTITY b '"
    + "&a;" * 100
    + "'><!ENTITY c '"
    + "&b;" * 100
    + "'>]>",
    "<!DOCTYPE x [<!ENTITY a SYSTEM 'file:///etc/passwd'>]>",
    "<!DOCTYPE x SYSTEM 'http://127.0.0.1:1/x.dtd'>",
    "<!DOCTYPE x [<!ENTITY % p SYSTEM 'http://127.0.0.1:1/p'> %p;]>",
)
