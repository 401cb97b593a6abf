"""The cookies of a signed-in browser, and CSRF protection."""

import secrets

from fastapi import Request, Response

from remem.core.identity.attempts import Visitor
from remem.core.identity.model import SignIn
from remem.core.identity.secrets import csrf_token
from remem.core.identity.sign_in import LASTS
from remem.settings import Settings
from remem.surfaces.address import base_url, origin_of
from remem.surfaces.proxies import client_address

COOKIE = "remem_session"
CSRF_COOKIE = "remem_csrf"
AGENT_LIMIT = 300


def set_cookies(settings: Settings, request: Request, response: Response, sign_in: SignIn) -> None:
    seconds, path = int(LASTS.total_seconds()), _path(settings)
    secure = base_url(settings, request).startswith("https:")
    response.set_cookie(
        COOKIE, sign_in.token, seconds, path=path, httponly=True, samesite="lax", secure=secure
    )
    response.set_cookie(
        CSRF_COOKIE, csrf_token(sign_in.token), seconds, path=path, samesite="lax", secure=secure
    )


def clear_cookies(settings: Settings, response: Response) -> None:
    response.delete_cookie(COOKIE, _path(settings))
    response.delete_cookie(CSRF_COOKIE, _path(settings))


def _path(settings: Settings) -> str:
    return settings.public_path or "/"


def session_token(request: Request) -> str | None:
    """The token of a signed-in browser. Below a path, a server at the root of the host may have
    cookies of the same name; browsers send the one with the longest path first (RFC 6265)."""
    for pair in request.headers.get("cookie", "").split(";"):
        name, _, value = pair.strip().partition("=")
        if name == COOKIE:
            return value or None
    return None


def is_cross_site(settings: Settings, request: Request) -> bool:
    """Whether the browser reports that a page of another site sent this request."""
    origin = request.headers.get("origin")
    if origin is None or origin == origin_of(base_url(settings, request)):
        return False
    return origin.partition("://")[2] != request.headers.get("host")


def visitor_of(settings: Settings, request: Request) -> Visitor:
    return Visitor(
        address=client_address(request),
        session=session_token(request),
        agent=_agent(request),
        tries=settings.sign_in_limit,
        registrations=settings.registration_limit,
    )


def _agent(request: Request) -> str | None:
    """The printable part of the User-Agent header."""
    header = request.headers.get("user-agent", "")
    return "".join(char for char in header if char.isprintable())[:AGENT_LIMIT] or None


def is_csrf_token(sent: str, token: str) -> bool:
    return secrets.compare_digest(sent.encode(), csrf_token(token).encode())
