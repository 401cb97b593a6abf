"""Who is asking: a key or a client's token, or a signed-in browser, in that order."""

from fastapi import Request

from remem.core.errors import Forbidden, Unauthenticated
from remem.core.identity.recognise import recognise_sign_in
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.settings import Settings
from remem.surfaces.cookies import COOKIE, is_csrf_token, is_foreign
from remem.surfaces.credentials import recognise_shown

CSRF_HEADER = "X-CSRF-Token"
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


async def recognise(ports: Ports, settings: Settings, request: Request) -> Scope:
    if trusted_caller := getattr(request.state, "trusted_caller", None):
        return trusted_caller
    if shown := await recognise_shown(ports, settings, request):
        return shown
    if token := request.cookies.get(COOKIE):
        if request.method not in _SAFE:
            _check_csrf(settings, request, token)
        return await recognise_sign_in(ports, token, request.state.request_id)
    raise Unauthenticated(
        "No credential came with this request; send `Authorization: Bearer <key>`, or sign in."
    )


def _check_csrf(settings: Settings, request: Request, token: str) -> None:
    """A cookie travels with every request; only our own pages can also send the header."""
    sent = request.headers.get(CSRF_HEADER, "")
    if is_foreign(settings, request) or not is_csrf_token(sent, token):
        raise Forbidden(
            f"The {CSRF_HEADER} header is missing or wrong; send the token of the sign-in.",
            code="csrf",
        )
