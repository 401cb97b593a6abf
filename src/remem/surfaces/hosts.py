"""Check the host and origin of requests, as protection against DNS rebinding.

A web page can resolve its own host name to this machine and then call the server as its own origin.
The browser still sends that name in `Host`, so requests for unknown host names are refused.
"""

import socket
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import TypeAlias
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from remem.core.errors import Forbidden
from remem.settings import Settings, is_loopback
from remem.surfaces.address import AGENT_CARDS, HOST, came_by_local_socket, origin_of
from remem.surfaces.cookies import COOKIE
from remem.surfaces.proxies import TrustedProxies

Address: TypeAlias = IPv4Address | IPv6Address

# These do not depend on cookies, and programs inside web pages need them to connect.
_OPEN_PATHS = frozenset({"/oauth/register", "/oauth/token", "/oauth/revoke", *AGENT_CARDS})
_OPEN_PREFIX = "/.well-known/"
_SIGN_IN = "/v3/auth/"
_AUTHORIZE = "/oauth/authorize"
_SETTING = "REMEM_ALLOWED_HOSTS"


class HostCheck:
    """ASGI middleware: refuse requests for unknown hosts and requests from other web pages."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self._proxies = TrustedProxies(settings)
        self._allowed = AllowedHosts(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not _is_internal(scope):
            scope = self._proxies.resolve(scope)
            self._allowed.check(scope)
        await self.app(scope, receive, send)


def _is_internal(scope: Scope) -> bool:
    """Whether it came from this process, or through a socket that browsers cannot reach."""
    return "trusted_caller" in scope.get("state", {}) or came_by_local_socket(HTTPConnection(scope))


class AllowedHosts:
    """Allows loopback, the public URL and the hosts in the settings. Unless the server listens on
    loopback only, also the local address of the connection and the name of this machine."""

    def __init__(self, settings: Settings) -> None:
        listed = {name.lower().rstrip(".") for name in settings.all_allowed_hosts}
        self._allows_all = "*" in listed
        self._suffixes = tuple(name[1:] for name in listed if name.startswith("*."))
        self._listed = listed - {"", "*"}
        self._public_origin = origin_of(settings.public_url or "")
        own = {urlsplit(settings.public_url).hostname or ""} if settings.public_url else set()
        self._names = (listed | own | _listening_names(settings)) - {"", "*"}
        self._allows_local_address = not is_loopback(settings.host)

    def check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        host = hosts[0] if len(hosts) == 1 else ""
        if not self._allows_all and not self._is_own_host(_host_name(host), scope):
            raise Forbidden(
                f"This server does not answer to the host {host[:100]!r}; if that is its name, set"
                f" REMEM_PUBLIC_URL, or add it to {_SETTING}.",
                code="foreign_host",
            )
        self._check_origin(headers.get("origin"), host, scope)

    def _check_origin(self, origin: str | None, host: str, scope: Scope) -> None:
        if self._allows_all or not origin or not _is_web_page(origin) or _is_open(scope["path"]):
            return
        origin_host = origin.partition("://")[2].lower()
        if origin_host == host.lower() or self._may_call(origin.lower(), origin_host, host, scope):
            return
        raise Forbidden(
            f"Web pages of {origin[:100]} may not call this server; to allow them, add their host"
            f" to {_SETTING}.",
            code="foreign_origin",
        )

    def _may_call(self, origin: str, origin_host: str, host: str, scope: Scope) -> bool:
        """Whether it is a page of a host in the settings, of our own address or of this machine. A
        different port is another program: its pages may call with a key, but not sign in or send
        cookies, which browsers share between ports."""
        name = _host_name(origin_host)
        if (
            name in self._listed
            or name.endswith(self._suffixes or ("\0",))
            or origin == self._public_origin
        ):
            return True
        if not self._is_own_host(name, scope):
            return False
        return _port(origin_host) == _port(host) or not _uses_session(scope)

    def _is_own_host(self, name: str, scope: Scope) -> bool:
        if not name:
            return False
        if is_loopback(name) or name in self._names or name.endswith(self._suffixes or ("\0",)):
            return True
        address = _address(name)
        return (
            self._allows_local_address and address is not None and address == _local_address(scope)
        )


def _listening_names(settings: Settings) -> set[str]:
    if is_loopback(settings.host):
        return set()
    machine = socket.gethostname().lower().rstrip(".")
    names = {settings.host.lower(), machine, f"{machine.split('.')[0]}.local"}
    # A wildcard address is not a host name.
    return names - {"0.0.0.0", "::"}


def _local_address(scope: Scope) -> Address | None:
    server = scope.get("server")
    return _address(server[0]) if server else None


def _address(name: str) -> Address | None:
    try:
        address = ip_address(name)
    except ValueError:
        return None
    return (address.ipv4_mapped or address) if isinstance(address, IPv6Address) else address


def _host_name(host: str) -> str:
    """The host in lower case, without its port; an empty string if it is invalid."""
    if not HOST.fullmatch(host):
        return ""
    name = host[1 : host.index("]")] if host.startswith("[") else host.partition(":")[0]
    return name.lower().rstrip(".")


def _port(host: str) -> str:
    return host.rpartition("]")[2].rpartition(":")[2] if ":" in host.rpartition("]")[2] else ""


def _uses_session(scope: Scope) -> bool:
    """Whether the request signs in, or has a session cookie. The authorization page checks the
    origin itself and shows readable errors."""
    if scope["path"] == _AUTHORIZE:
        return False
    cookies = Headers(scope=scope).get("cookie") or ""
    return f"{COOKIE}=" in cookies or scope["path"].removeprefix("/api").startswith(_SIGN_IN)


def _is_web_page(origin: str) -> bool:
    """Extensions and installed applications have schemes that web pages cannot have."""
    return origin.lower().startswith(("http:", "https:")) or "://" not in origin


def _is_open(path: str) -> bool:
    return path in _OPEN_PATHS or path.startswith(_OPEN_PREFIX)
