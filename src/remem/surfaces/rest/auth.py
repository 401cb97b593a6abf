"""Who is asking: a key, or a signed-in browser, in that order."""

import secrets

from fastapi import Request, Response

from remem.core.errors import Forbidden, Unauthenticated
from remem.core.identity.model import SignIn
from remem.core.identity.recognise import recognise_key, recognise_sign_in
from remem.core.identity.secrets import csrf_token
from remem.core.identity.sign_in import LASTS
from remem.core.ports import Ports
from remem.core.scope import Scope

COOKIE = "remem_session"
CSRF_COOKIE = "remem_csrf"
CSRF_HEADER = "X-CSRF-Token"
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


async def recognise(ports: Ports, request: Request) -> Scope:
    id = request.state.request_id
    if key := key_of(request):
        return await recognise_key(ports, key, id)
    if token := request.cookies.get(COOKIE):
        if request.method not in _SAFE:
            _check_csrf(request, token)
        return await recognise_sign_in(ports, token, id)
    raise Unauthenticated(
        "No credential came with this request; send `Authorization: Bearer <key>`, or sign in."
    )


def key_of(request: Request) -> str | None:
    scheme, _, value = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return value.strip() or None
    return request.headers.get("x-api-key", "").strip() or None


def _check_csrf(request: Request, token: str) -> None:
    """A cookie travels with every request; only our own pages can also send the header."""
    sent = request.headers.get(CSRF_HEADER, "")
    origin = request.headers.get("origin")
    foreign = origin is not None and origin.partition("://")[2] != request.headers.get("host")
    if foreign or not secrets.compare_digest(sent.encode(), csrf_token(token).encode()):
        raise Forbidden(
            f"The request lacks a good {CSRF_HEADER} header; send the token of the sign-in.",
            code="csrf",
        )


def set_cookies(request: Request, response: Response, signed: SignIn) -> None:
    seconds = int(LASTS.total_seconds())
    secure = request.url.scheme == "https"
    response.set_cookie(COOKIE, signed.token, seconds, httponly=True, samesite="lax", secure=secure)
    response.set_cookie(
        CSRF_COOKIE, csrf_token(signed.token), seconds, samesite="lax", secure=secure
    )


def clear_cookies(response: Response) -> None:
    response.delete_cookie(COOKIE)
    response.delete_cookie(CSRF_COOKIE)
