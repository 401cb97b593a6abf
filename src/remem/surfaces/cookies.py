"""The cookies of a signed-in browser, and CSRF protection."""

import secrets

from fastapi import Request, Response

from remem.core.identity.attempts import Visitor
from remem.core.identity.model import SignIn
from remem.core.identity.secrets import csrf_token
from remem.core.identity.sign_in import LASTS
from remem.settings import Settings
from remem.surfaces.address import base_of
from remem.surfaces.proxies import client_address

COOKIE = "remem_session"
CSRF_COOKIE = "remem_csrf"
AGENT_LIMIT = 300


def set_cookies(settings: Settings, request: Request, response: Response, signed: SignIn) -> None:
    seconds = int(LASTS.total_seconds())
    secure = base_of(settings, request).startswith("https:")
    response.set_cookie(COOKIE, signed.token, seconds, httponly=True, samesite="lax", secure=secure)
    response.set_cookie(
        CSRF_COOKIE, csrf_token(signed.token), seconds, samesite="lax", secure=secure
    )


def clear_cookies(response: Response) -> None:
    response.delete_cookie(COOKIE)
    response.delete_cookie(CSRF_COOKIE)


def is_foreign(settings: Settings, request: Request) -> bool:
    """Whether the browser says that another site's page sent this."""
    origin = request.headers.get("origin")
    if origin is None or origin == base_of(settings, request):
        return False
    return origin.partition("://")[2] != request.headers.get("host")


def visitor_of(settings: Settings, request: Request) -> Visitor:
    return Visitor(
        address=client_address(request),
        session=request.cookies.get(COOKIE),
        agent=_agent(request),
        tries=settings.sign_in_limit,
        registrations=settings.registration_limit,
    )


def _agent(request: Request) -> str | None:
    """What the browser calls itself, as far as it can be printed."""
    sent = request.headers.get("user-agent", "")
    return "".join(letter for letter in sent if letter.isprintable())[:AGENT_LIMIT] or None


def is_csrf_token(sent: str, token: str) -> bool:
    return secrets.compare_digest(sent.encode(), csrf_token(token).encode())
