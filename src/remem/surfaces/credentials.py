"""The credential a request shows, at every door the same: a key, or a client's token."""

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Send
from starlette.types import Scope as Connection

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


class Acting:
    """The API in this process for a caller whom another door let in, for that door's address.

    What they showed there may be good for that address alone, so it is not shown again."""

    def __init__(self, app: ASGIApp, caller: Scope) -> None:
        self._app, self._caller = app, caller

    async def __call__(self, scope: Connection, receive: Receive, send: Send) -> None:
        scope.setdefault("state", {})["acting"] = self._caller
        await self._app(scope, receive, send)
