"""OAuth replies for programs: JSON in the shape of RFC 6749, readable from every origin."""

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute

from remem.core.errors import RememError
from remem.surfaces.error_shapes import error_reply, oauth_body

# None of these answers depends on a cookie, so a page anywhere may ask for them.
_OPEN = {"Access-Control-Allow-Origin": "*"}
_PREFLIGHT = {
    **_OPEN,
    "Access-Control-Allow-Methods": "GET, POST, OPTIONS",
    "Access-Control-Allow-Headers": "Authorization, Content-Type, MCP-Protocol-Version",
    "Access-Control-Max-Age": "86400",
}


class Refusal(Exception):
    """An error by its name in the standard, and a sentence on what to do."""

    def __init__(self, error: str, description: str, status: int = 400) -> None:
        super().__init__(description)
        self.error = error
        self.description = description
        self.status = status


class Answering(APIRoute):
    """Routes for programs: every error has the standard's shape."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def answered(request: Request) -> Response:
            try:
                response = await handle(request)
            except Refusal as refusal:
                response = refused(refusal)
            except RememError as error:
                made = error_reply("oauth", error)
                response = JSONResponse(made.body, made.status, made.headers)
            response.headers.update(_OPEN)
            return response

        return answered


def refused(refusal: Refusal) -> JSONResponse:
    body = oauth_body(refusal.error, refusal.description)
    headers = {"WWW-Authenticate": 'Basic realm="remem"'} if refusal.status == 401 else {}
    return JSONResponse(body, refusal.status, headers)


def preflight() -> Response:
    return Response(status_code=204, headers=_PREFLIGHT)
