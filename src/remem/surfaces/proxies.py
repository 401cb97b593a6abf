"""Whose request it is behind a proxy: its headers count only when a trusted proxy sent them."""

from ipaddress import ip_address, ip_network

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.types import Scope

from remem.settings import Settings
from remem.surfaces.address import HOST

# One household or one attacker has at least so much of IPv6.
_IPV6_PREFIX = 64


class TrustedProxies:
    def __init__(self, settings: Settings) -> None:
        self._networks = [ip_network(one, strict=False) for one in settings.trusted_proxies]
        self._every = settings.trust_proxy

    def resolve(self, scope: Scope) -> Scope:
        """The request as the client sent it to the proxy; unchanged when no proxy is trusted."""
        client = scope.get("client")
        if not client or not self._is_trusted(client[0]):
            return scope
        headers = Headers(scope=scope)
        found = dict(scope)
        if address := self._client_address(headers.getlist("x-forwarded-for")):
            found["client"] = (address, 0)
        if (scheme := _first(headers, "x-forwarded-proto").lower()) in ("http", "https"):
            found["scheme"] = scheme
        if HOST.fullmatch(host := _first(headers, "x-forwarded-host")):
            kept = [pair for pair in scope["headers"] if pair[0] != b"host"]
            found["headers"] = [(b"host", host.encode()), *kept]
        return found

    def _is_trusted(self, address: str) -> bool:
        return self._every or self._is_listed(address)

    def _is_listed(self, address: str) -> bool:
        try:
            found = ip_address(address)
        except ValueError:
            return False
        mapped = getattr(found, "ipv4_mapped", None)
        return any((mapped or found) in network for network in self._networks)

    def _client_address(self, values: list[str]) -> str | None:
        """Each proxy appends whom it saw, so the last that is no proxy of ours is the client.
        Entries before it come from the client and are ignored."""
        for written in reversed(",".join(values).split(",")):
            address = _without_port(written.strip())
            if address is None:
                return None
            if not self._is_listed(address):
                return address
        return None


def _without_port(written: str) -> str | None:
    if written.startswith("["):
        written = written[1:].partition("]")[0]
    elif written.count(":") == 1:
        written = written.partition(":")[0]
    try:
        return str(ip_address(written))
    except ValueError:
        return None


def _first(headers: Headers, name: str) -> str:
    return headers.get(name, "").split(",")[0].strip()


def client_address(request: HTTPConnection) -> str:
    """What limits by address count: an IPv4 address, or an IPv6 network of one customer."""
    host = request.client.host if request.client else ""
    try:
        found = ip_address(host)
    except ValueError:
        return host
    if found.version == 4:
        return host
    mapped = getattr(found, "ipv4_mapped", None)
    return str(mapped or ip_network(f"{found}/{_IPV6_PREFIX}", strict=False))
