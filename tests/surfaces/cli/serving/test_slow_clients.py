"""Clients that send or read too slowly are disconnected; slow but steady ones are not."""

import asyncio
import json

import pytest

from tests.surfaces.cli.serving.conftest import Site, Wire, head, serve

pytestmark = pytest.mark.anyio


async def wait_until_received(site: Site, count: int, path: str) -> None:
    while site.received.get(path, 0) < count:
        await site.arrived.acquire()


async def settle(site: Site) -> None:
    """Let the server read what was sent, by a request on another connection that comes later."""
    wire = await site.connect()
    assert (await wire.get())[0] == 200
    wire.writer.close()


async def assert_refused(wire: Wire, status: int, code: str) -> None:
    actual, body = await wire.reply()
    assert (actual, json.loads(body)["code"]) == (status, code)
    assert await wire.is_closed()


async def test_slowly_dripping_headers_are_cut_off() -> None:
    async with serve(head_s=10) as site:
        wire = await site.connect()
        await wire.send(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        for _ in range(9):
            await wire.send(b"X-A: b\r\n")
            await settle(site)
            site.pass_time(1)
        assert len(site.watch) >= 1
        site.pass_time(2)
        await assert_refused(wire, 408, "request_timeout")


async def test_a_silent_connection_is_closed() -> None:
    async with serve(head_s=10) as site:
        wire = await site.connect()
        await settle(site)
        site.pass_time(11)
        assert await wire.is_closed()


async def test_a_connection_may_be_idle_between_requests_for_a_limited_time() -> None:
    async with serve(head_s=10, idle_s=30) as site:
        wire = await site.connect()
        assert (await wire.get())[0] == 200
        site.pass_time(29)
        assert (await wire.get())[0] == 200
        site.pass_time(31)
        assert await wire.is_closed()


async def test_endless_headers_do_not_fill_the_memory() -> None:
    async with serve(head_bytes=10_000) as site:
        wire = await site.connect()
        await wire.send(b"GET / HTTP/1.1\r\nX-Long: ")
        for _ in range(10):
            await wire.send(b"a" * 1_000)
            await settle(site)
        await assert_refused(wire, 431, "headers_too_large")


@pytest.mark.parametrize("drip", [0, 1, 50])
async def test_a_body_that_comes_too_slowly_is_cut_off(drip: int) -> None:
    async with serve(stall_s=30, bytes_per_s=100) as site:
        wire = await site.connect()
        await wire.send(head("POST", "/body", 1_000_000) + b"a")
        await wait_until_received(site, 1, "/body")
        for second in range(31):
            await wire.send(b"a" * drip)
            await wait_until_received(site, 1 + drip * (second + 1), "/body")
            site.pass_time(1)
        await assert_refused(wire, 408, "request_timeout")


async def test_a_long_steady_upload_is_accepted() -> None:
    size = 150 * 600
    async with serve(stall_s=30, bytes_per_s=100) as site:
        wire = await site.connect()
        await wire.send(head("POST", "/body", size))
        for second in range(600):
            await wire.send(b"a" * 150)
            await wait_until_received(site, 150 * (second + 1), "/body")
            site.pass_time(1)
        assert await wire.reply() == (200, b"done")


async def test_an_upload_may_pause_within_the_limit() -> None:
    async with serve(stall_s=30, bytes_per_s=100) as site:
        wire = await site.connect()
        await wire.send(head("POST", "/body", 20_000) + b"a" * 10_000)
        await wait_until_received(site, 10_000, "/body")
        site.pass_time(29)
        await wire.send(b"a" * 10_000)
        assert await wire.reply() == (200, b"done")


async def test_a_slow_handler_does_not_disconnect_the_client() -> None:
    async with serve() as site:
        wire = await site.connect()
        await wire.send(head("GET", "/slow"))
        await site.arrived.acquire()
        site.pass_time(3_600)
        site.release.set()
        assert await wire.reply() == (200, b"done")


async def test_a_silent_stream_is_not_cut_off() -> None:
    async with serve() as site:
        wire = await site.connect()
        await wire.send(head("GET", "/stream"))
        await wire.reader.readuntil(b"one")
        site.pass_time(3_600)
        site.release.set()
        assert b"two" in await wire.reader.readuntil(b"0\r\n\r\n")


async def test_a_client_that_does_not_read_its_reply_is_disconnected() -> None:
    async with serve(stall_s=30) as site:
        wire = await site.connect()
        wire.writer.transport.pause_reading()
        await wire.send(head("GET", "/big"))
        while not len(site.watch):
            await asyncio.sleep(0)
        await settle(site)
        site.pass_time(40)
        await settle(site)
        # Only the connection of `settle` remains, which closes itself.
        while len(site.watch) > 1:
            await asyncio.sleep(0)
        wire.writer.transport.abort()


async def test_the_rest_of_a_body_answered_early_is_awaited_for_a_limited_time() -> None:
    async with serve(idle_s=15) as site:
        wire = await site.connect()
        await wire.send(head("POST", "/early", 1_000_000) + b"a")
        assert await wire.reply() == (200, b"done")
        for _ in range(16):
            await wire.send(b"a")
            await settle(site)
            site.pass_time(1)
        assert await wire.is_closed()
