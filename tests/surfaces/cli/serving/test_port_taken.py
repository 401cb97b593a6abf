"""Another process may listen on the port while the server starts."""

import socket
from typing import Any

import pytest

from remem.settings import Settings
from remem.surfaces.cli.serving.server import make_server


def bound(port: int = 0) -> socket.socket:
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    sock.bind(("127.0.0.1", port))
    return sock


class App:
    """Answers the lifespan only, and takes the port while it starts."""

    def __init__(self, other: socket.socket) -> None:
        self.other, self.events, self.state = other, list[str](), object()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        while len(self.events) < 2:
            event = (await receive())["type"]
            self.events.append(event)
            self.other.listen()
            await send({"type": f"{event}.complete"})


@pytest.mark.parametrize("is_taken", [True, False])
def test_a_server_whose_port_was_taken_meanwhile_stops(is_taken: bool) -> None:
    with bound() as first, bound(first.getsockname()[1]) as own, bound() as elsewhere:
        app = App(first if is_taken else elsewhere)
        calls: list[str] = []

        def announce() -> None:
            calls.append("announced")
            server.should_exit = True

        server = make_server(app, Settings(), announce, lambda: calls.append("withdrawn"))
        server.run(sockets=[own])
    assert server.is_port_taken is is_taken
    assert server.started is not is_taken
    assert calls == (["withdrawn"] if is_taken else ["announced", "withdrawn"])
    assert app.events[0] == "lifespan.startup"
    assert not is_taken or app.events[1] == "lifespan.shutdown"
