"""WWW-Authenticate: tell an unauthenticated caller where to sign in (RFC 6750, RFC 9728)."""

from starlette.requests import HTTPConnection

from remem.core.errors import Forbidden, RememError, Unauthenticated
from remem.settings import Settings
from remem.surfaces.address import WELL_KNOWN, base_of, resource_at


def challenge(
    settings: Settings, request: HTTPConnection, error: RememError | None = None
) -> dict[str, str]:
    """The header of a 401, and of a 403 for want of a scope; of any other refusal, nothing."""
    if error is None or isinstance(error, Unauthenticated):
        shown = "authorization" in request.headers
        return _header(settings, request, 'error="invalid_token"' if shown else None)
    if isinstance(error, Forbidden) and error.code == "scope_missing" and error.details:
        scope = error.details["scope"]
        return _header(settings, request, f'error="insufficient_scope", scope="{scope}"')
    return {}


def _header(settings: Settings, request: HTTPConnection, error: str | None) -> dict[str, str]:
    where = f"{base_of(settings, request)}{WELL_KNOWN}{resource_at(request.url.path)}"
    parts = ['realm="remem"', error, f'resource_metadata="{where}"']
    return {"WWW-Authenticate": "Bearer " + ", ".join(part for part in parts if part)}
