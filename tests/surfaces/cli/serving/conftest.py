"""A server with our protocol class on a loopback port, with a clock that only the test moves."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import uvicorn
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from remem.surfaces.cli.serving.bounds import ConnectionLimits
from remem.surfaces.cli.serving.protocol import GuardedProtocol
from remem.surfaces.cli.serving.watch import ConnectionWatch


class Clock:
    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Site:
    """An application that reads request bodies and answers when the test tells it to."""

    watch: ConnectionWatch
    clock: Clock
    port: int = 0
    received: dict[str, int] = field(default_factory=dict)
    release: asyncio.Event = field(default_factory=asyncio.Event)
    arrived: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(0))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"]
        if path == "/slow":
            self.arrived.release()
            await self.release.wait()
        elif path != "/early":
            await self._read(path, receive)
        if path == "/stream":
            await self._stream(send)
            return
        body = b"x" * 30_000_000 if path == "/big" else b"done"
        await send({"type": "http.response.start", "status": 200, "headers": [_length(body)]})
        await send({"type": "http.response.body", "body": body})

    async def _read(self, path: str, receive: Receive) -> None:
        more = True
        while more:
            message = await receive()
            self.received[path] = self.received.get(path, 0) + len(message.get("body", b""))
            self.arrived.release()
            more = message.get("more_body", False)

    async def _stream(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"one", "more_body": True})
        await self.release.wait()
        await send({"type": "http.response.body", "body": b"two"})

    def pass_time(self, seconds: float) -> None:
        """Advance the clock, and check every connection each second as the server does."""
        for _ in range(int(seconds)):
            self.clock.now += 1
            self.watch.sweep()

    async def connect(self) -> "Wire":
        return Wire(*await asyncio.open_connection("127.0.0.1", self.port))


@dataclass
class Wire:
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def reply(self) -> tuple[int, bytes]:
        """Read one complete reply; return its status and body."""
        head = await self.reader.readuntil(b"\r\n\r\n")
        status = int(head.split()[1])
        length = next(
            int(line.split(b":")[1])
            for line in head.lower().split(b"\r\n")
            if line.startswith(b"content-length")
        )
        return status, await self.reader.readexactly(length)

    async def is_closed(self) -> bool:
        """Wait until the server closes the connection, without sending anything else."""
        try:
            return await self.reader.read(1) == b""
        except ConnectionError:
            return True

    async def get(self, path: str = "/") -> tuple[int, bytes]:
        await self.send(head("GET", path))
        return await self.reply()


def head(method: str, path: str, length: int | None = None) -> bytes:
    extra = f"Content-Length: {length}\r\n" if length is not None else ""
    return f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n{extra}\r\n".encode()


def _length(body: bytes) -> tuple[bytes, bytes]:
    return (b"content-length", str(len(body)).encode())


@asynccontextmanager
async def serve(**limits: Any) -> AsyncIterator[Site]:
    clock = Clock()
    site = Site(ConnectionWatch(ConnectionLimits(**limits), clock), clock)
    config = uvicorn.Config(site, log_config=None, access_log=False, ws="none", lifespan="off")
    state = ServerState()
    protocol = partial(GuardedProtocol, config, state, {}, watch=site.watch)
    server = await asyncio.get_running_loop().create_server(protocol, "127.0.0.1", 0)
    site.port = server.sockets[0].getsockname()[1]
    try:
        yield site
    finally:
        server.close()
        site.release.set()
        for connection in list(state.connections):
            connection.transport.abort()
        await asyncio.gather(*state.tasks, return_exceptions=True)
