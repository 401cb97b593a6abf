"""`remem serve` that records outgoing connections instead of opening them; only loopback works."""

import ipaddress
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import httpcore2

from remem.__main__ import main
from remem.adapters.fetch import dial
from tests.tools.quick_passwords import use_quick_passwords

RECORD = Path(os.environ["REMEM_FUZZ_RECORD"])
# Names are never looked up: all resolve to one public address, so that saving a URL gets as far
# as connecting.
PUBLIC_ADDRESS = "93.184.216.34"


def record(line: str) -> None:
    with RECORD.open("a") as file:
        file.write(f"{line}\n")


class RecordingBackend(httpcore2.AsyncNetworkBackend):
    """Replaces the fetcher's network backend, since uvloop connects without an audit event."""

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        record(f"fetch {host}")
        raise httpcore2.ConnectError("recorded, not dialled")


async def look_up(host: str, port: int) -> list[str]:
    return [PUBLIC_ADDRESS]


def refuse_outward(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "socket.connect" and isinstance(arguments[1], tuple):
        host = str(arguments[1][0])
        if not ipaddress.ip_address(host).is_loopback:
            record(f"socket {host}")
            raise OSError("only loopback is dialled in tests")


if __name__ == "__main__":
    use_quick_passwords()
    sys.addaudithook(refuse_outward)
    dial.look_up = look_up
    httpcore2.AnyIOBackend = RecordingBackend
    main()
