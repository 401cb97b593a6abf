"""The client behind a proxy: headers are used only if a trusted proxy sent them."""

from ipaddress import ip_address, ip_network

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.types import Scope

from remem.settings import Settings
from remem.surfaces.address import HOST

# One household or one attacker has at least an IPv6 network of this size.
_IPV6_PREFIX = 64


class TrustedProxies:
    def __init__(self, settings: Settings) -> None:
        self._networks = [ip_network(network, strict=False) for network in settings.trusted_proxies]
        self._trusts_all = settings.trust_proxy

    def resolve(self, scope: Scope) -> Scope:
        """The request as the client sent it to the proxy; unchanged when no proxy is trusted."""
        client = scope.get("client")
        if not client or not self._is_trusted(client[0]):
            return scope
        headers = Headers(scope=scope)
        resolved = dict(scope)
        if address := self._client_address(headers.getlist("x-forwarded-for")):
            resolved["client"] = (address, 0)
        if (scheme := _first(headers, "x-forwarded-proto").lower()) in ("http", "https"):
            resolved["scheme"] = scheme
        if HOST.fullmatch(host := _first(headers, "x-forwarded-host")):
            other_headers = [pair for pair in scope["headers"] if pair[0] != b"host"]
            resolved["headers"] = [(b"host", host.encode()), *other_headers]
        return resolved

    def _is_trusted(self, address: str) -> bool:
        return self._trusts_all or self._is_listed(address)

    def _is_listed(self, address: str) -> bool:
        try:
            parsed = ip_address(address)
        except ValueError:
            return False
        mapped = getattr(parsed, "ipv4_mapped", None)
        return any((mapped or parsed) in network for network in self._networks)

    def _client_address(self, values: list[str]) -> str | None:
        """Each proxy appends the address it saw, so the last one that is not a proxy of ours is the
        client. Earlier entries come from the client and are ignored."""
        for entry in reversed(",".join(values).split(",")):
            address = _without_port(entry.strip())
            if address is None:
                return None
            if not self._is_listed(address):
                return address
        return None


def _without_port(entry: str) -> str | None:
    if entry.startswith("["):
        entry = entry[1:].partition("]")[0]
    elif entry.count(":") == 1:
        entry = entry.partition(":")[0]
    try:
        return str(ip_address(entry))
    except ValueError:
        return None


def _first(headers: Headers, name: str) -> str:
    return headers.get(name, "").split(",")[0].strip()


def client_address(request: HTTPConnection) -> str:
    """The address to count for limits: an IPv4 address, or an IPv6 network of one customer."""
    host = request.client.host if request.client else ""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if address.version == 4:
        return host
    mapped = getattr(address, "ipv4_mapped", None)
    return str(mapped or ip_network(f"{address}/{_IPV6_PREFIX}", strict=False))
