"""Refuses whatever would leave this machine, and remembers who tried."""

import ipaddress
import sys

WATCHED = frozenset({"socket.connect", "socket.sendto", "socket.sendmsg"})
LOOKED_UP = frozenset({"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"})


class Refused(OSError):
    """A peer dialled out during a bench that goes nowhere."""


def stay_here() -> list[str]:
    """From now on nothing but loopback can be reached; the list fills with what was refused."""
    refused: list[str] = []

    def watch(event: str, arguments: tuple[object, ...]) -> None:
        place = _place(event, arguments)
        if place and not _is_here(place):
            refused.append(place)
            raise Refused(f"{place} is not on this machine.")

    sys.addaudithook(watch)
    return refused


def _place(event: str, arguments: tuple[object, ...]) -> str:
    """The host that is called or looked up; nothing for files that serve as sockets."""
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
