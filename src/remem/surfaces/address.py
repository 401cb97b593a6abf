"""The address this server is reached at, as its metadata, its tokens and its refusals name it."""

import re

from starlette.requests import HTTPConnection

from remem.settings import Settings

WELL_KNOWN = "/.well-known/oauth-protected-resource"
# What a token can be for, beside the whole server: an API, and one toolset of MCP.
_RESOURCE = re.compile(r"/(?:v3|v1|api|mcp(?:/[A-Za-z0-9_-]{1,64})?)")
_MCP = re.compile(r"/mcp(?:/[A-Za-z0-9_-]{1,64})?(?=/|$)")
HOST = re.compile(r"[A-Za-z0-9._-]+(:\d{1,5})?|\[[0-9A-Fa-f:.]+\](:\d{1,5})?")


def base_of(settings: Settings, request: HTTPConnection) -> str:
    """Scheme and host, without a slash at the end: the issuer, and the widest resource.

    The host was checked before (`hosts.py`), and is the one a trusted proxy was asked for."""
    if settings.public_url:
        return settings.public_url
    scheme, host = request.url.scheme, request.headers.get("host", "")
    if not HOST.fullmatch(host):
        host = _listening(request)
    return f"{'https' if scheme == 'https' else 'http'}://{host.lower()}"


def _listening(request: HTTPConnection) -> str:
    """Where the request came in: what a caller without a sane Host header gets to hear."""
    host, port = request.scope.get("server") or ("localhost", None)
    return f"{host}:{port}" if port else host


def came_by_local_socket(request: HTTPConnection) -> bool:
    """Whether the request came by the socket in the data folder, which only the user who runs the
    server can reach: like a command in a process of its own, it is not rate limited."""
    host, port = request.scope.get("server") or ("", None)
    return port is None and host.startswith("/")


def place_of(settings: Settings, request: HTTPConnection) -> str:
    """The address that is asked for, which a token must be for."""
    return base_of(settings, request) + request.url.path


def is_resource(path: str) -> bool:
    return path == "" or _RESOURCE.fullmatch(path) is not None


def resource_at(path: str) -> str:
    """What a client should ask a token for, to be let in at this path: MCP, or everything."""
    found = _MCP.match(path)
    return found.group() if found else ""
