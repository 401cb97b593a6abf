"""Redirect URIs: which ones a client may register, and which it may then use."""

import re
from ipaddress import ip_address
from urllib.parse import SplitResult, parse_qsl, urlencode, urlsplit, urlunsplit

from remem.surfaces.address import HOST

LENGTH_LIMIT = 2_000
_PLAIN = re.compile(r"[!-~]+")
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*")
# Schemes that browsers handle themselves, which cannot open a program of the client.
_FORBIDDEN = frozenset(
    "javascript data vbscript file blob about filesystem view-source ftp ftps ws wss mailto tel sms"
    " intent content chrome chrome-extension moz-extension jar resource ldap gopher urn".split()
)


def redirect_uri_problem(uri: str) -> str | None:
    """Why a client may not register this address, or None when it may."""
    parts = _split(uri)
    if parts is None:
        return "is not an address; use plain characters, at most 2,000"
    if "#" in uri:
        return "has a fragment; leave it out"
    if parts.username is not None or parts.password is not None:
        return "has a user name in it; leave it out"
    match parts.scheme:
        case "https" | "http" if not HOST.fullmatch(parts.netloc):
            return "does not name a host; write it in plain letters"
        case "https":
            return None
        case "http":
            return None if is_loopback(parts) else "uses http beyond this machine; use https"
        case scheme if scheme in _FORBIDDEN or not _SCHEME.fullmatch(scheme):
            return "uses a scheme that is not allowed; use https, or one of the client's own"
        case _:
            return None


def is_registered(requested: str, registered: str) -> bool:
    """Compare exactly; a program on the user's own machine may use any port."""
    if requested == registered:
        return True
    requested_parts, registered_parts = _split(requested), _split(registered)
    if requested_parts is None or registered_parts is None or redirect_uri_problem(requested):
        return False
    return is_local(registered) and _without_port(requested_parts) == _without_port(
        registered_parts
    )


def is_local(uri: str) -> bool:
    """Whether it leads to a program on the user's own machine."""
    parts = _split(uri)
    return parts is not None and parts.scheme == "http" and is_loopback(parts)


def is_loopback(parts: SplitResult) -> bool:
    if parts.hostname == "localhost":
        return True
    try:
        return ip_address(parts.hostname or "").is_loopback
    except ValueError:
        return False


def with_query(uri: str, **values: str | None) -> str:
    parts = urlsplit(uri)
    added = [(name, value) for name, value in values.items() if value is not None]
    query = urlencode(parse_qsl(parts.query, keep_blank_values=True) + added)
    return urlunsplit(parts._replace(query=query))


def display_target(uri: str) -> str:
    """A readable name of where it leads."""
    parts = urlsplit(uri)
    if is_local(uri):
        return "a program on this computer"
    return (
        parts.netloc if parts.scheme == "https" else f"the program that opens {parts.scheme}: links"
    )


def csp_source(uri: str) -> str:
    """The source of a Content-Security-Policy, which cannot express IPv6 addresses."""
    parts = urlsplit(uri)
    if parts.scheme not in ("http", "https") or "[" in parts.netloc:
        return f"{parts.scheme}:"
    return f"{parts.scheme}://{parts.netloc}"


def _split(uri: str) -> SplitResult | None:
    if len(uri) > LENGTH_LIMIT or not _PLAIN.fullmatch(uri) or "\\" in uri:
        return None
    try:
        parts = urlsplit(uri)
        return parts if parts.scheme and parts.port != 0 else None
    except ValueError:
        return None


def _without_port(parts: SplitResult) -> tuple[str, str | None, str, str]:
    return parts.scheme, parts.hostname, parts.path, parts.query
