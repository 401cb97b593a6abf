"""OAuth responses for programs: JSON as in RFC 6749, readable from every origin."""

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute

from remem.core.errors import RememError
from remem.surfaces.error_shapes import error_reply, oauth_body

# None of these responses depends on cookies, so pages of any origin may read them.
_ANY_ORIGIN = {"Access-Control-Allow-Origin": "*"}
_PREFLIGHT = {
    **_ANY_ORIGIN,
    "Access-Control-Allow-Methods": "GET, POST, OPTIONS",
    "Access-Control-Allow-Headers": "Authorization, Content-Type, MCP-Protocol-Version",
    "Access-Control-Max-Age": "86400",
}


class OAuthError(Exception):
    """An error with its name in the standard, and a description that says what to do."""

    def __init__(self, error: str, description: str, status: int = 400) -> None:
        super().__init__(description)
        self.error = error
        self.description = description
        self.status = status


class OAuthRoute(APIRoute):
    """A route for programs: errors are JSON as defined by the standard."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def handle_errors(request: Request) -> Response:
            try:
                response = await handle(request)
            except OAuthError as oauth_error:
                response = error_response(oauth_error)
            except RememError as error:
                reply = error_reply("oauth", error)
                response = JSONResponse(reply.body, reply.status, reply.headers)
            response.headers.update(_ANY_ORIGIN)
            return response

        return handle_errors


def error_response(error: OAuthError) -> JSONResponse:
    body = oauth_body(error.error, error.description)
    headers = {"WWW-Authenticate": 'Basic realm="remem"'} if error.status == 401 else {}
    return JSONResponse(body, error.status, headers)


def preflight() -> Response:
    return Response(status_code=204, headers=_PREFLIGHT)
