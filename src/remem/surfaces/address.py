"""The public address of this server, for its metadata, tokens and error messages."""

import re

from starlette.requests import HTTPConnection

from remem.settings import Settings

ISSUER = "/.well-known/oauth-authorization-server"
WELL_KNOWN = "/.well-known/oauth-protected-resource"
AGENT_CARDS = ("/.well-known/agent.json", "/agent.json")
# The resources of tokens, besides the whole server: an API, or one toolset of MCP.
_RESOURCE = re.compile(r"/(?:v3|v1|api|mcp(?:/[A-Za-z0-9_-]{1,64})?)")
_MCP = re.compile(r"/mcp(?:/[A-Za-z0-9_-]{1,64})?(?=/|$)")
HOST = re.compile(r"[A-Za-z0-9._-]+(:\d{1,5})?|\[[0-9A-Fa-f:.]+\](:\d{1,5})?")


def base_url(settings: Settings, request: HTTPConnection) -> str:
    """Scheme, host and path, without a trailing slash: the issuer, and the resource of the whole
    server.

    `hosts.py` has already checked the host and applied the headers of trusted proxies."""
    if settings.public_url:
        return settings.public_url
    scheme, host = request.url.scheme, request.headers.get("host", "")
    if not HOST.fullmatch(host):
        host = _listening_address(request)
    return f"{'https' if scheme == 'https' else 'http'}://{host.lower()}"


def _listening_address(request: HTTPConnection) -> str:
    """The address that received the request, used if the Host header is invalid."""
    host, port = request.scope.get("server") or ("localhost", None)
    return f"{host}:{port}" if port else host


def came_by_local_socket(request: HTTPConnection) -> bool:
    """Whether the request came through the socket in the data folder, which only the user who runs
    the server can reach. Such requests are not rate limited, like commands without a server."""
    host, port = request.scope.get("server") or ("", None)
    return port is None and host.startswith("/")


def origin_of(url: str) -> str:
    """Scheme and host, as browsers send them in `Origin`."""
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.partition('/')[0]}"


def request_url(settings: Settings, request: HTTPConnection) -> str:
    """The URL of the request, which must be the resource of its token."""
    return base_url(settings, request) + request.url.path


def is_resource(path: str) -> bool:
    return path == "" or _RESOURCE.fullmatch(path) is not None


def resource_for_path(path: str) -> str:
    """The resource of a token that gives access to this path: MCP, or the whole server."""
    match = _MCP.match(path)
    return match.group() if match else ""
