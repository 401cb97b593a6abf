"""WWW-Authenticate: tell an unauthenticated client where to sign in (RFC 6750, RFC 9728)."""

from starlette.requests import HTTPConnection

from remem.core.errors import Forbidden, RememError, Unauthenticated
from remem.settings import Settings
from remem.surfaces.address import WELL_KNOWN, base_url, resource_for_path


def challenge(
    settings: Settings, request: HTTPConnection, error: RememError | None = None
) -> dict[str, str]:
    """The header for a 401, or a 403 caused by a missing scope; empty for other errors."""
    if error is None or isinstance(error, Unauthenticated):
        has_credential = "authorization" in request.headers
        return _header(settings, request, 'error="invalid_token"' if has_credential else None)
    if isinstance(error, Forbidden) and error.code == "scope_missing" and error.details:
        scope = error.details["scope"]
        return _header(settings, request, f'error="insufficient_scope", scope="{scope}"')
    return {}


def _header(settings: Settings, request: HTTPConnection, error: str | None) -> dict[str, str]:
    metadata_url = f"{base_url(settings, request)}{WELL_KNOWN}{resource_for_path(request.url.path)}"
    parts = ['realm="remem"', error, f'resource_metadata="{metadata_url}"']
    return {"WWW-Authenticate": "Bearer " + ", ".join(part for part in parts if part)}
