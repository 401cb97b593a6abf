"""The resources of tokens (RFC 8707): this server, or one of its APIs."""

from fastapi import Request

from remem.settings import Settings
from remem.surfaces.address import base_url, is_resource
from remem.surfaces.oauth.answers import OAuthError


def read_resource(settings: Settings, request: Request, resource: str | None) -> str | None:
    """Normalize a resource: no trailing slash. Returns None if none was requested."""
    if resource is None:
        return None
    base = base_url(settings, request)
    scheme, _, rest = resource.partition("://")
    host, slash, path = rest.partition("/")
    is_own_host = f"{scheme}://{host}".lower() == base
    if not is_own_host or not is_resource((slash + path).rstrip("/")):
        raise OAuthError("invalid_target", f"resource: there is no such resource at {base}.")
    return base + (slash + path).rstrip("/")
