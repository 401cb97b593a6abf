"""Authenticate a request to any API by its credential: a key, or a client's token."""

from starlette.requests import Request

from remem.core.identity.authenticate import authenticate_bearer, authenticate_key
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.settings import Settings
from remem.surfaces.address import request_url


async def authenticate_request(ports: Ports, settings: Settings, request: Request) -> Scope | None:
    """Return None if there is no credential. A token must be for the requested URL."""
    id = request.state.request_id
    if raw := _bearer(request):
        return await authenticate_bearer(ports, raw, request_url(settings, request), id)
    if key := request.headers.get("x-api-key", "").strip():
        return await authenticate_key(ports, key, id)
    return None


def _bearer(request: Request) -> str | None:
    scheme, _, value = request.headers.get("authorization", "").partition(" ")
    return value.strip() or None if scheme.lower() == "bearer" else None
