"""Whom a page in a browser may make us talk to: the guard against rebound names.

A server that listens on this machine only is called by this machine's names, or by those it was
told of. One that listens elsewhere may have any name; then a page may only call the server it came
from. Programs send no Origin, and are known by their credential alone.
"""

from urllib.parse import urlsplit

from remem.core.errors import Forbidden
from remem.settings import Settings

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


def check_origin(host: str, origin: str | None, settings: Settings) -> None:
    names = _LOOPBACK | {settings.host, *settings.mcp_hosts}
    if _listens_here(settings) and _name(f"//{host}") not in names:
        raise Forbidden(
            f"This server is not called {host!r}; if it is, name that in REMEM_MCP_HOSTS.",
            code="foreign_host",
        )
    if origin and _name(origin) not in names and urlsplit(origin).netloc != host:
        raise Forbidden(
            f"Pages of {origin} may not call this server; allow them by REMEM_MCP_HOSTS.",
            code="foreign_origin",
        )


def _listens_here(settings: Settings) -> bool:
    return settings.host in _LOOPBACK or bool(settings.mcp_hosts)


def _name(address: str) -> str | None:
    try:
        return urlsplit(address).hostname
    except ValueError:
        return None
