"""The page that asks users whether a client may act for them."""

from uuid import UUID

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from remem.core.errors import Forbidden, RememError, Unauthenticated
from remem.core.identity.account import who_am_i
from remem.core.identity.authenticate import authenticate_sign_in
from remem.core.identity.grants.allow import allow, tenants_for_grant
from remem.core.identity.sign_in import sign_in, sign_in_with_key, sign_out
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.settings import Settings
from remem.surfaces.cookies import (
    clear_cookies,
    is_cross_site,
    is_csrf_token,
    session_token,
    set_cookies,
    visitor_of,
)
from remem.surfaces.dependencies import PortsDep, SettingsDep
from remem.surfaces.oauth import pages
from remem.surfaces.oauth.answers import OAuthError
from remem.surfaces.oauth.authorization_request import (
    AuthorizationRequest,
    ClientError,
    PageError,
    read_authorization_request,
)
from remem.surfaces.oauth.bodies import read_form
from remem.surfaces.oauth.metadata import AUTHORIZE
from remem.surfaces.oauth.redirects import is_local

SIGN_IN, SIGN_OUT = "/oauth/sign-in", "/oauth/sign-out"

router = APIRouter(include_in_schema=False, route_class=pages.PageRoute)


@router.get(AUTHORIZE)
async def ask(request: Request, ports: PortsDep, settings: SettingsDep) -> Response:
    try:
        authorization = await read_authorization_request(ports, settings, request)
    except ClientError as client_error:
        return _refuse(client_error)
    caller = await _signed_in_user(ports, request)
    if caller is None:
        return pages.sign_in(request, authorization)
    return await _consent_page(ports, request, caller, authorization)


def _refuse(error: ClientError) -> Response:
    """Redirect immediately to a program on this machine; elsewhere only if the user follows the
    link, so that the server is not an open redirector."""
    location = error.target.with_error(error.error)
    if is_local(error.target.redirect_uri):
        return _redirect_to(location)
    return pages.refused(error.client, error.target, error.error, location)


async def _signed_in_user(ports: Ports, request: Request) -> Scope | None:
    token = session_token(request)
    try:
        return await authenticate_sign_in(ports, token, request.state.request_id) if token else None
    except Unauthenticated:
        return None


async def _consent_page(
    ports: Ports, request: Request, caller: Scope, authorization: AuthorizationRequest
) -> Response:
    user, _ = await who_am_i(ports, caller)
    tenants = await tenants_for_grant(ports, caller)
    return pages.consent(request, authorization, user, tenants, session_token(request) or "")


@router.post(AUTHORIZE)
async def decide(request: Request, ports: PortsDep, settings: SettingsDep) -> Response:
    try:
        authorization = await read_authorization_request(ports, settings, request)
    except ClientError as client_error:
        return _refuse(client_error)
    form = await _read_own_form(settings, request)
    caller = await _signed_in_user(ports, request)
    if caller is None:
        return pages.sign_in(request, authorization)
    if not is_csrf_token(form.get("csrf", ""), session_token(request) or ""):
        raise Forbidden(
            "This page belongs to another sign-in. Go back to the program and start again."
        )
    if form.get("decision") != "allow":
        oauth_error = OAuthError("access_denied", "The user denied access.")
        return _redirect_to(authorization.target.with_error(oauth_error))
    code = await allow(ports, caller, authorization.grant, _chosen_tenant(form))
    return _redirect_to(authorization.target.with_code(code))


@router.post(SIGN_IN)
async def enter(request: Request, ports: PortsDep, settings: SettingsDep) -> Response:
    form = await _read_own_form(settings, request)
    authorization = await _read_again(ports, settings, request)
    visitor = visitor_of(settings, request)
    try:
        if key := form.get("key", "").strip():
            session = await sign_in_with_key(ports, key, visitor)
        else:
            email, password = form.get("email", ""), form.get("password", "")
            session = await sign_in(ports, email, password, visitor)
    except RememError as error:
        return pages.sign_in(request, authorization, error, form.get("email", ""))
    response = _redirect_to(f"{settings.public_path}{AUTHORIZE}?{request.url.query}")
    set_cookies(settings, request, response, session)
    return response


@router.post(SIGN_OUT)
async def leave(request: Request, ports: PortsDep, settings: SettingsDep) -> Response:
    form = await _read_own_form(settings, request)
    token = session_token(request) or ""
    caller = await _signed_in_user(ports, request)
    if caller and is_csrf_token(form.get("csrf", ""), token):
        await sign_out(ports, caller.user_id, token)
    response = _redirect_to(f"{settings.public_path}{AUTHORIZE}?{request.url.query}")
    clear_cookies(settings, response)
    return response


async def _read_again(ports: Ports, settings: Settings, request: Request) -> AuthorizationRequest:
    try:
        return await read_authorization_request(ports, settings, request)
    except ClientError as client_error:
        raise PageError(client_error.error.description) from client_error


async def _read_own_form(settings: Settings, request: Request) -> dict[str, str]:
    """Read a form. Only our own pages may send one, and browsers always report the origin."""
    if "origin" not in request.headers or is_cross_site(settings, request):
        raise Forbidden("Another site sent this form; start again from the program.", code="csrf")
    return await read_form(request)


def _chosen_tenant(form: dict[str, str]) -> UUID | None:
    try:
        return UUID(form["organization"]) if "organization" in form else None
    except ValueError as error:
        raise PageError("There is no such space; start again from the program.") from error


def _redirect_to(location: str) -> RedirectResponse:
    """Redirect with GET. The referrer is left out: it contains the client's request."""
    return RedirectResponse(location, 303, {"Referrer-Policy": "no-referrer"})
