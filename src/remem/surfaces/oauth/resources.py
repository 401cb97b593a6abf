"""The resources of tokens (RFC 8707): this server, or one of its APIs."""

from fastapi import Request

from remem.settings import Settings
from remem.surfaces.address import base_of, is_resource
from remem.surfaces.oauth.answers import Refusal


def read_resource(settings: Settings, request: Request, written: str | None) -> str | None:
    """The address as we keep it, without a slash at the end; None when none was named."""
    if written is None:
        return None
    base = base_of(settings, request)
    scheme, _, rest = written.partition("://")
    host, slash, path = rest.partition("/")
    here = f"{scheme}://{host}".lower() == base
    if not here or not is_resource((slash + path).rstrip("/")):
        raise Refusal("invalid_target", f"resource: there is none of that name at {base}.")
    return base + (slash + path).rstrip("/")
