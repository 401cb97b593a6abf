"""HTML pages for users: sign-in, consent and errors. All values are escaped."""

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
from remem.surfaces.oauth.answers import OAuthError
from remem.surfaces.oauth.authorization_request import (
    AuthorizationRequest,
    PageError,
    RedirectTarget,
)
from remem.surfaces.oauth.redirects import csp_source, display_target
from remem.surfaces.oauth.rights import DESCRIPTIONS

STATUS: dict[type[RememError], int] = {Forbidden: 403, RateLimited: 429, Unavailable: 503}


class PageRoute(APIRoute):
    """A route for users: errors are shown as a page."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def handle_errors(request: Request) -> Response:
            try:
                return await handle(request)
            except (PageError, OAuthError) as error:
                return _error_page(str(error), getattr(error, "status", 400))
            except RememError as error:
                return _error_page(error.message, _status(error))

        return handle_errors


def _status(error: RememError, default: int = 400) -> int:
    return next((STATUS[kind] for kind in type(error).__mro__ if kind in STATUS), default)


def sign_in(
    request: Request,
    authorization: AuthorizationRequest,
    error: RememError | None = None,
    email: str = "",
) -> HTMLResponse:
    body = _render(
        "sign_in",
        client=authorization.client.name,
        action=f"sign-in?{request.url.query}",
        problem_class="problem" if error else "hidden",
        problem=error.message if error else "",
        email=email,
    )
    return _html_page("Sign in", body, _status(error, 401) if error else 200)


def consent(
    request: Request,
    authorization: AuthorizationRequest,
    user: User,
    tenants: list[Tenant],
    token: str,
) -> HTMLResponse:
    rights = authorization.grant.rights & RIGHTS_OF_ROLE[tenants[0].role or "member"]
    body = _render(
        "consent",
        client=authorization.client.name,
        origin=_origin(authorization.client),
        target=display_target(authorization.target.redirect_uri),
        address=authorization.target.redirect_uri,
        email=user.email,
        name=user.name,
        initial=(user.name or user.email)[:1].upper(),
        query=request.url.query,
        csrf=csrf_token(token),
        rights=_Markup(_rights(rights or authorization.grant.rights)),
        places=_Markup(_places(tenants)),
    )
    return _html_page("Allow access", body, 200, csp_source(authorization.target.redirect_uri))


def refused(
    client: Client, redirect: RedirectTarget, error: OAuthError, where: str
) -> HTMLResponse:
    body = _render(
        "refused",
        client=client.name,
        problem=error.description,
        target=display_target(redirect.redirect_uri),
        where=where,
    )
    return _html_page("Not possible", body, 400)


def _error_page(message: str, status: int) -> HTMLResponse:
    return _html_page("Not possible", _render("problem", problem=message), status)


class _Markup(str):
    """HTML rendered from our own templates, which must not be escaped again."""


def _render(template: str, /, **values: str) -> _Markup:
    safe = {
        key: value if isinstance(value, _Markup) else escape(value) for key, value in values.items()
    }
    return _Markup(_template(template).substitute(safe))


@cache
def _template(name: str) -> Template:
    return Template(files("remem.surfaces.oauth").joinpath("looks", f"{name}.html").read_text())


def _html_page(title: str, body: _Markup, status: int, form_target: str = "") -> HTMLResponse:
    """Pages run no scripts, cannot be framed, and submit forms only to us or the client."""
    policy = (
        "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none';"
        f" form-action 'self' {form_target}; frame-ancestors 'none'"
    )
    headers = {
        "Content-Security-Policy": policy,
        "X-Frame-Options": "DENY",
        "Referrer-Policy": "same-origin",
    }
    return HTMLResponse(_render("page", title=title, body=body), status, headers)


def _origin(client: Client) -> str:
    return (urlsplit(client.uri).netloc if client.uri else "") or "no address given"


def _rights(rights: frozenset[Right]) -> str:
    return "".join(
        _render("right", kind=str(right), words=DESCRIPTIONS[right])
        for right in Right
        if right in rights
    )


def _places(tenants: list[Tenant]) -> str:
    """The choice of a tenant. A single one is only named if it is an organization."""
    if len(tenants) == 1:
        return _render("place", name=tenants[0].name) if tenants[0].kind == "org" else ""
    options = "".join(
        _render("option", id=str(tenant.id), name=_tenant_name(tenant)) for tenant in tenants
    )
    return _render("places", options=_Markup(options))


def _tenant_name(tenant: Tenant) -> str:
    return "Your own space" if tenant.kind == "user" else tenant.name
