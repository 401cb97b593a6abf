"""Authenticate the caller: by API key or client token, then by the session cookie of a browser."""

from fastapi import Request

from remem.core.errors import Forbidden, Unauthenticated
from remem.core.identity.authenticate import authenticate_sign_in
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.settings import Settings
from remem.surfaces.cookies import is_cross_site, is_csrf_token, session_token
from remem.surfaces.credentials import authenticate_request

CSRF_HEADER = "X-CSRF-Token"
_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


async def recognise(ports: Ports, settings: Settings, request: Request) -> Scope:
    if trusted_caller := getattr(request.state, "trusted_caller", None):
        return trusted_caller
    if scope := await authenticate_request(ports, settings, request):
        return scope
    if token := session_token(request):
        if request.method not in _SAFE_METHODS:
            _check_csrf(settings, request, token)
        return await authenticate_sign_in(ports, token, request.state.request_id)
    raise Unauthenticated(
        "No credential came with this request; send `Authorization: Bearer <key>`, or sign in."
    )


def _check_csrf(settings: Settings, request: Request, token: str) -> None:
    """Check the CSRF header. Browsers attach the cookie to every request, but only our own pages
    can send the header."""
    csrf_token = request.headers.get(CSRF_HEADER, "")
    if is_cross_site(settings, request) or not is_csrf_token(csrf_token, token):
        raise Forbidden(
            f"The {CSRF_HEADER} header is missing or wrong; send the token of the sign-in.",
            code="csrf",
        )
