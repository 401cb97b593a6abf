"""Read the credential of a request, for every API: a key, or a client's token."""

from starlette.requests import Request

from remem.core.identity.recognise import recognise_bearer, recognise_key
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.settings import Settings
from remem.surfaces.address import place_of


async def recognise_shown(ports: Ports, settings: Settings, request: Request) -> Scope | None:
    """None when none is shown. A token must be for the address that is asked for."""
    id = request.state.request_id
    if raw := _bearer(request):
        return await recognise_bearer(ports, raw, place_of(settings, request), id)
    if key := request.headers.get("x-api-key", "").strip():
        return await recognise_key(ports, key, id)
    return None


def _bearer(request: Request) -> str | None:
    scheme, _, value = request.headers.get("authorization", "").partition(" ")
    return value.strip() or None if scheme.lower() == "bearer" else None
