"""Which host names and web pages the server answers: the protection against DNS rebinding.

A web page can point a name of its own at this machine and then call the server as its own origin.
The browser still sends that name in `Host`, so a request for a name that is not ours is refused.
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
from remem.surfaces.address import HOST, came_by_local_socket
from remem.surfaces.cookies import COOKIE
from remem.surfaces.proxies import TrustedProxies

Address: TypeAlias = IPv4Address | IPv6Address

# Answers of these depend on no cookie, and programs inside web pages need them to connect.
_OPEN_PATHS = frozenset({"/oauth/register", "/oauth/token", "/oauth/revoke"})
_OPEN_PREFIX = "/.well-known/"
_SIGN_IN = "/v3/auth/"
_AUTHORIZE = "/oauth/authorize"
_SETTING = "REMEM_ALLOWED_HOSTS"


class HostCheck:
    """ASGI middleware: every request names a host of ours, and comes from no foreign web page."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self._proxies = TrustedProxies(settings)
        self._allowed = AllowedHosts(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not _is_from_inside(scope):
            scope = self._proxies.resolve(scope)
            self._allowed.check(scope)
        await self.app(scope, receive, send)


def _is_from_inside(scope: Scope) -> bool:
    """Whether it came from this process, or by a socket that no browser can reach."""
    return "trusted_caller" in scope.get("state", {}) or came_by_local_socket(HTTPConnection(scope))


class AllowedHosts:
    """Loopback always; the public URL and what the settings list; beyond loopback also the
    address a connection arrived at, and the name of this machine."""

    def __init__(self, settings: Settings) -> None:
        listed = {name.lower().rstrip(".") for name in settings.every_allowed_host}
        self._any = "*" in listed
        self._below = tuple(name[1:] for name in listed if name.startswith("*."))
        self._listed = listed - {"", "*"}
        self._public = (settings.public_url or "").lower()
        own = {urlsplit(settings.public_url).hostname or ""} if settings.public_url else set()
        self._names = (listed | own | _listening_names(settings)) - {"", "*"}
        self._takes_arrival = not is_loopback(settings.host)

    def check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        host = hosts[0] if len(hosts) == 1 else ""
        if not self._any and not self._is_ours(_name(host), scope):
            raise Forbidden(
                f"This server does not answer to the host {host[:100]!r}; if that is its name, set"
                f" REMEM_PUBLIC_URL, or add it to {_SETTING}.",
                code="foreign_host",
            )
        self._check_origin(headers.get("origin"), host, scope)

    def _check_origin(self, origin: str | None, host: str, scope: Scope) -> None:
        if self._any or not origin or not _is_web_page(origin) or _is_open(scope["path"]):
            return
        place = origin.partition("://")[2].lower()
        if place == host.lower() or self._may_call(origin.lower(), place, host, scope):
            return
        raise Forbidden(
            f"Web pages of {origin[:100]} may not call this server; to allow them, add their host"
            f" to {_SETTING}.",
            code="foreign_origin",
        )

    def _may_call(self, origin: str, place: str, host: str, scope: Scope) -> bool:
        """A page of a host that the settings list, of our own address, or of this machine. Another
        port is another program's: its pages may call with a key, but not sign in or send cookies,
        which browsers share between ports."""
        name = _name(place)
        if name in self._listed or name.endswith(self._below or ("\0",)) or origin == self._public:
            return True
        if not self._is_ours(name, scope):
            return False
        return _port(place) == _port(host) or not _uses_session(scope)

    def _is_ours(self, name: str, scope: Scope) -> bool:
        if not name:
            return False
        if is_loopback(name) or name in self._names or name.endswith(self._below or ("\0",)):
            return True
        address = _address(name)
        return self._takes_arrival and address is not None and address == _arrival(scope)


def _listening_names(settings: Settings) -> set[str]:
    if is_loopback(settings.host):
        return set()
    machine = socket.gethostname().lower().rstrip(".")
    names = {settings.host.lower(), machine, f"{machine.split('.')[0]}.local"}
    # A wildcard address is not a host name.
    return names - {"0.0.0.0", "::"}


def _arrival(scope: Scope) -> Address | None:
    server = scope.get("server")
    return _address(server[0]) if server else None


def _address(name: str) -> Address | None:
    try:
        found = ip_address(name)
    except ValueError:
        return None
    return (found.ipv4_mapped or found) if isinstance(found, IPv6Address) else found


def _name(host: str) -> str:
    """The host without its port, in small letters; "" when it is none."""
    if not HOST.fullmatch(host):
        return ""
    name = host[1 : host.index("]")] if host.startswith("[") else host.partition(":")[0]
    return name.lower().rstrip(".")


def _port(host: str) -> str:
    return host.rpartition("]")[2].rpartition(":")[2] if ":" in host.rpartition("]")[2] else ""


def _uses_session(scope: Scope) -> bool:
    """Whether the request signs somebody in, or comes with the cookie of a sign-in. The page of
    authorization looks at the origin itself, and answers in words for people."""
    if scope["path"] == _AUTHORIZE:
        return False
    cookies = Headers(scope=scope).get("cookie") or ""
    return f"{COOKIE}=" in cookies or scope["path"].removeprefix("/api").startswith(_SIGN_IN)


def _is_web_page(origin: str) -> bool:
    """Extensions and installed applications have schemes that no web page can take."""
    return origin.lower().startswith(("http:", "https:")) or "://" not in origin


def _is_open(path: str) -> bool:
    return path in _OPEN_PATHS or path.startswith(_OPEN_PREFIX)
