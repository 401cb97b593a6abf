"""The API behind another door of this process, which has recognised the caller already."""

from starlette.types import ASGIApp, Receive, Send
from starlette.types import Scope as Connection

from remem.core.scope import Scope


def trusted_caller(app: ASGIApp, caller: Scope) -> ASGIApp:
    """The application as this caller finds it, whatever credential comes along.

    A token is for one door: what was let in there need not be let in again by the API behind it.
    Nobody outside this process can say who the caller is in this way."""

    async def inside(connection: Connection, receive: Receive, send: Send) -> None:
        await app({**connection, "state": {"trusted_caller": caller}}, receive, send)

    return inside
