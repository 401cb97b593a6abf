"""Pages for a person: what is asked, by whom, and what went wrong. Every value is escaped."""

from collections.abc import Callable, Coroutine
from functools import cache
from html import escape
from importlib.resources import files
from string import Template
from typing import Any
from urllib.parse import urlsplit

from fastapi import Request, Response
from fastapi.responses import HTMLResponse
from fastapi.routing import APIRoute

from remem.core.errors import Forbidden, RateLimited, RememError, Unavailable
from remem.core.identity.clients.model import Client
from remem.core.identity.model import RIGHTS_OF_ROLE, Tenant, User
from remem.core.identity.secrets import csrf_token
from remem.core.scope import Right
from remem.surfaces.oauth.answers import Refusal
from remem.surfaces.oauth.ask import Asked, Misdirected, WayBack
from remem.surfaces.oauth.redirects import shown, source_of
from remem.surfaces.oauth.rights import IN_WORDS

STATUS: dict[type[RememError], int] = {Forbidden: 403, RateLimited: 429, Unavailable: 503}


class Showing(APIRoute):
    """Routes for people: whatever goes wrong is a page."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def showing(request: Request) -> Response:
            try:
                return await handle(request)
            except (Misdirected, Refusal) as error:
                return _problem(str(error), getattr(error, "status", 400))
            except RememError as error:
                return _problem(error.message, STATUS.get(type(error), 400))

        return showing


def sign_in(
    request: Request, asked: Asked, error: RememError | None = None, email: str = ""
) -> HTMLResponse:
    body = _filled(
        "sign_in",
        client=asked.client.name,
        action=f"/oauth/sign-in?{request.url.query}",
        problem_class="problem" if error else "hidden",
        problem=error.message if error else "",
        email=email,
    )
    return _page("Sign in", body, STATUS.get(type(error), 401) if error else 200)


def consent(
    request: Request, asked: Asked, user: User, places: list[Tenant], token: str
) -> HTMLResponse:
    rights = asked.ask.rights & RIGHTS_OF_ROLE[places[0].role or "member"]
    body = _filled(
        "consent",
        client=asked.client.name,
        origin=_origin(asked.client),
        target=shown(asked.back.redirect_uri),
        address=asked.back.redirect_uri,
        email=user.email,
        name=user.name,
        initial=(user.name or user.email)[:1].upper(),
        query=request.url.query,
        csrf=csrf_token(token),
        rights=_Markup(_rights(rights or asked.ask.rights)),
        places=_Markup(_places(places)),
    )
    return _page("Allow access", body, 200, source_of(asked.back.redirect_uri))


def refused(client: Client, back: WayBack, refusal: Refusal, where: str) -> HTMLResponse:
    body = _filled(
        "refused",
        client=client.name,
        problem=refusal.description,
        target=shown(back.redirect_uri),
        where=where,
    )
    return _page("Not possible", body, 400)


def _problem(message: str, status: int) -> HTMLResponse:
    return _page("Not possible", _filled("problem", problem=message), status)


class _Markup(str):
    """Made of our own templates, so that it is not escaped again."""


def _filled(look: str, /, **values: str) -> _Markup:
    safe = {
        key: value if isinstance(value, _Markup) else escape(value) for key, value in values.items()
    }
    return _Markup(_template(look).substitute(safe))


@cache
def _template(name: str) -> Template:
    return Template(files("remem.surfaces.oauth").joinpath("looks", f"{name}.html").read_text())


def _page(title: str, body: _Markup, status: int, goes_to: str = "") -> HTMLResponse:
    """Nothing runs on a page, nothing frames it, and its forms lead here or to the client."""
    policy = (
        "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none';"
        f" form-action 'self' {goes_to}; frame-ancestors 'none'"
    )
    headers = {
        "Content-Security-Policy": policy,
        "X-Frame-Options": "DENY",
        "Referrer-Policy": "same-origin",
    }
    return HTMLResponse(_filled("page", title=title, body=body), status, headers)


def _origin(client: Client) -> str:
    return (urlsplit(client.uri).netloc if client.uri else "") or "no address given"


def _rights(rights: frozenset[Right]) -> str:
    return "".join(
        _filled("right", kind=str(right), words=IN_WORDS[right])
        for right in Right
        if right in rights
    )


def _places(places: list[Tenant]) -> str:
    """A choice where there is one; one's own space needs no word."""
    if len(places) == 1:
        return _filled("place", name=places[0].name) if places[0].kind == "org" else ""
    options = "".join(_filled("option", id=str(one.id), name=_called(one)) for one in places)
    return _filled("places", options=_Markup(options))


def _called(place: Tenant) -> str:
    return "Your own space" if place.kind == "user" else place.name
