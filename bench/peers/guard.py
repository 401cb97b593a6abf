"""Refuses connections that would leave this machine, and records their targets."""

import ipaddress
import sys

WATCHED = frozenset({"socket.connect", "socket.sendto", "socket.sendmsg"})
LOOKED_UP = frozenset({"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"})


class Refused(OSError):
    """A peer tried to connect to another machine."""


def stay_here() -> list[str]:
    """Allow only loopback from now on; the returned list collects the refused hosts."""
    refused: list[str] = []

    def watch(event: str, arguments: tuple[object, ...]) -> None:
        place = _place(event, arguments)
        if place and not _is_here(place):
            refused.append(place)
            raise Refused(f"{place} is not on this machine.")

    sys.addaudithook(watch)
    return refused


def _place(event: str, arguments: tuple[object, ...]) -> str:
    """The host that is connected to or looked up; empty for Unix sockets."""
    if event in LOOKED_UP:
        target = arguments[0]
        return target.decode() if isinstance(target, bytes) else str(target or "")
    address = arguments[1] if event in WATCHED else None
    return str(address[0]) if isinstance(address, tuple) else ""


def _is_here(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.split("%")[0]).is_loopback
    except ValueError:
        return host == "localhost"
