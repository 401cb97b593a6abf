"""Who is asking: a key or a client's token, or a signed-in browser, in that order."""

from fastapi import Request

from remem.core.errors import Forbidden, Unauthenticated
from remem.core.identity.recognise import recognise_bearer, recognise_key, recognise_sign_in
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.settings import Settings
from remem.surfaces.address import place_of
from remem.surfaces.cookies import COOKIE, is_csrf_token, is_foreign

CSRF_HEADER = "X-CSRF-Token"
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


async def recognise(ports: Ports, settings: Settings, request: Request) -> Scope:
    id = request.state.request_id
    if raw := _bearer(request):
        return await recognise_bearer(ports, raw, place_of(settings, request), id)
    if key := request.headers.get("x-api-key", "").strip():
        return await recognise_key(ports, key, id)
    if token := request.cookies.get(COOKIE):
        if request.method not in _SAFE:
            _check_csrf(settings, request, token)
        return await recognise_sign_in(ports, token, id)
    raise Unauthenticated(
        "No credential came with this request; send `Authorization: Bearer <key>`, or sign in."
    )


def _bearer(request: Request) -> str | None:
    scheme, _, value = request.headers.get("authorization", "").partition(" ")
    return value.strip() or None if scheme.lower() == "bearer" else None


def _check_csrf(settings: Settings, request: Request, token: str) -> None:
    """A cookie travels with every request; only our own pages can also send the header."""
    sent = request.headers.get(CSRF_HEADER, "")
    if is_foreign(settings, request) or not is_csrf_token(sent, token):
        raise Forbidden(
            f"The request lacks a good {CSRF_HEADER} header; send the token of the sign-in.",
            code="csrf",
        )
