"""The resources of tokens (RFC 8707): this server, or one of its APIs."""

from fastapi import Request

from remem.settings import Settings
from remem.surfaces.address import base_url, is_resource, origin_of
from remem.surfaces.oauth.answers import OAuthError


def read_resource(settings: Settings, request: Request, resource: str | None) -> str | None:
    """Normalize a resource: no trailing slash. Returns None if none was requested."""
    if resource is None:
        return None
    base = base_url(settings, request)
    origin = origin_of(resource)
    url = (origin.lower() + resource.removeprefix(origin)).rstrip("/")
    path = url.removeprefix(base)
    if not url.startswith(base) or not is_resource(path):
        raise OAuthError("invalid_target", f"resource: there is no such resource at {base}.")
    return url
