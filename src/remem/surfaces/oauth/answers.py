"""OAuth replies for programs: JSON in the shape of RFC 6749, readable from every origin."""

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute

from remem.core.errors import RateLimited, RememError, Unavailable

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
            except RateLimited as error:
                response = refused(Refusal("temporarily_unavailable", error.message, 429))
                response.headers["Retry-After"] = str(error.retry_after_s)
            except Unavailable as error:
                response = refused(Refusal("temporarily_unavailable", error.message, 503))
            except RememError as error:
                response = refused(Refusal("invalid_request", error.message))
            response.headers.update(_OPEN)
            return response

        return answered


def refused(refusal: Refusal) -> JSONResponse:
    body = {"error": refusal.error, "error_description": refusal.description}
    headers = {"WWW-Authenticate": 'Basic realm="remem"'} if refusal.status == 401 else {}
    return JSONResponse(body, refusal.status, headers)


def preflight() -> Response:
    return Response(status_code=204, headers=_PREFLIGHT)
