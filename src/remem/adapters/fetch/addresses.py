"""Decide which addresses may be requested: public ones, and those that an operator allows."""

import re
from collections.abc import Iterable, Sequence
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)
from typing import TypeAlias

import httpx2

from remem.core.errors import Invalid

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network

# In addition to `is_global`, which differs between Python versions and counts multicast as global.
BLOCKED_NETWORKS = [
    ip_network(network)
    for network in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",  # carrier-grade NAT; some clouds have their metadata here
        "127.0.0.0/8",
        "168.63.129.16/32",  # Azure's metadata, in a public range
        "169.254.0.0/16",  # link-local, and most clouds' metadata
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
        "2001::/23",  # Teredo and others that embed another address
        "2001:db8::/32",
        "2002::/16",  # 6to4 embeds an IPv4 address
        "3fff::/20",
    )
]
# All IPv6 addresses assigned so far. Mapped, translated (NAT64), link and site-local ones are not
# among them.
IPV6_PUBLIC = ip_network("2000::/3")

NAME = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*")
# Hosts that some resolvers parse as numbers: 2130706433, 0x7f000001, 127.1, 0177.0.0.1.
NUMBER_AT_END = re.compile(r"(?:.*\.)?(?:[0-9]+|0x[0-9a-f]*)")


def validate_url(url: httpx2.URL | str) -> httpx2.URL:
    """Validate and normalize a URL, without resolving its host; raises Invalid."""
    try:
        parsed = httpx2.URL(url.strip() if isinstance(url, str) else url)
    except httpx2.InvalidURL as error:
        raise Invalid("url", "this is not an address; check it for typing errors") from error
    if parsed.scheme not in ("http", "https"):
        raise Invalid("url", "only addresses that begin with http:// or https:// are visited")
    if parsed.userinfo:
        raise Invalid("url", "has a name or password in it, which is never sent; leave it out")
    if parsed.port is not None and not 0 < parsed.port < 65_536:
        raise Invalid("url", "its port does not exist")
    return parsed.copy_with(host=_host(parsed), fragment=None)


def parse_ip(host: str) -> Address | None:
    """Parse a host as an IP address; None if it is a name."""
    try:
        return ip_address(host)
    except ValueError:
        return None


def _host(url: httpx2.URL) -> str:
    host = url.raw_host.decode("ascii").lower().removesuffix(".")
    if "%" not in host and parse_ip(host):
        return host
    if not NAME.fullmatch(host) or len(host) > 253:
        raise Invalid("url", "its host is not a name or an address")
    if NUMBER_AT_END.fullmatch(host):
        raise Invalid("url", "write a numeric host as four numbers from 0 to 255")
    return host


class Guard:
    """Allows public addresses, and those in `allow`.

    `allow` has host names, which may then resolve to any address, and networks or addresses."""

    def __init__(self, allow: Iterable[str] = ()) -> None:
        self._names: set[str] = set()
        self._networks: list[Network] = []
        for entry in allow:
            try:
                self._networks.append(ip_network(entry.strip(), strict=False))
            except ValueError:
                self._names.add(entry.strip().lower().removesuffix("."))

    def check(self, host: str, addresses: Sequence[str]) -> list[str]:
        """Return the addresses of a host if all of them are allowed; raises Invalid."""
        if host not in self._names and not all(map(self._is_allowed, addresses)):
            # The message omits the address, because the caller may be mapping our network.
            raise Invalid(
                "url",
                "this address is not on the public internet; an operator can allow its host",
                code="private_address",
            )
        return list(addresses)

    def _is_allowed(self, text: str) -> bool:
        address = parse_ip(text)
        if address is None:
            return False
        return is_public(address) or any(address in network for network in self._networks)


def is_public(address: Address) -> bool:
    if isinstance(address, IPv6Address) and (address.scope_id or address not in IPV6_PUBLIC):
        return False
    return address.is_global and not any(address in network for network in BLOCKED_NETWORKS)
