"""Call the REST API from another surface of this process that has authenticated the caller."""

from starlette.types import ASGIApp, Receive, Send
from starlette.types import Scope as Connection

from remem.core.scope import Scope


def trusted_caller(app: ASGIApp, caller: Scope) -> ASGIApp:
    """Wrap the application so that all requests are from this caller, whatever their credential.

    A token is for one API: a caller authenticated there needs no second check. Callers outside this
    process cannot set this."""

    async def inside(connection: Connection, receive: Receive, send: Send) -> None:
        await app({**connection, "state": {"trusted_caller": caller}}, receive, send)

    return inside
