"""The page that asks a person whether a client may act for them."""

from uuid import UUID

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from remem.core.errors import Forbidden, RememError, Unauthenticated
from remem.core.identity.account import who_am_i
from remem.core.identity.grants.allow import allow, places_for
from remem.core.identity.recognise import recognise_sign_in
from remem.core.identity.sign_in import sign_in, sign_in_with_key, sign_out
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.settings import Settings
from remem.surfaces.cookies import (
    COOKIE,
    clear_cookies,
    is_csrf_token,
    is_foreign,
    set_cookies,
    visitor_of,
)
from remem.surfaces.dependencies import PortsDep, SettingsDep
from remem.surfaces.oauth import pages
from remem.surfaces.oauth.answers import Refusal
from remem.surfaces.oauth.ask import Answered, Asked, Misdirected, read_ask
from remem.surfaces.oauth.bodies import read_form
from remem.surfaces.oauth.metadata import AUTHORIZE
from remem.surfaces.oauth.redirects import is_local

SIGN_IN, SIGN_OUT = "/oauth/sign-in", "/oauth/sign-out"

router = APIRouter(include_in_schema=False, route_class=pages.Showing)


@router.get(AUTHORIZE)
async def ask(request: Request, ports: PortsDep, settings: SettingsDep) -> Response:
    try:
        asked = await read_ask(ports, settings, request)
    except Answered as answered:
        return _refuse(answered)
    caller = await _caller(ports, request)
    if caller is None:
        return pages.sign_in(request, asked)
    return await _consent(ports, request, caller, asked)


def _refuse(answered: Answered) -> Response:
    """Straight back to a program on this machine; elsewhere only when the person follows the link,
    so that the server is not an open redirector."""
    where = answered.back.with_refusal(answered.refusal)
    if is_local(answered.back.redirect_uri):
        return _go(where)
    return pages.refused(answered.client, answered.back, answered.refusal, where)


async def _caller(ports: Ports, request: Request) -> Scope | None:
    token = request.cookies.get(COOKIE)
    try:
        return await recognise_sign_in(ports, token, request.state.request_id) if token else None
    except Unauthenticated:
        return None


async def _consent(ports: Ports, request: Request, caller: Scope, asked: Asked) -> Response:
    user, _ = await who_am_i(ports, caller)
    places = await places_for(ports, caller)
    return pages.consent(request, asked, user, places, request.cookies[COOKIE])


@router.post(AUTHORIZE)
async def decide(request: Request, ports: PortsDep, settings: SettingsDep) -> Response:
    try:
        asked = await read_ask(ports, settings, request)
    except Answered as answered:
        return _refuse(answered)
    form = await _own_form(settings, request)
    caller = await _caller(ports, request)
    if caller is None:
        return pages.sign_in(request, asked)
    if not is_csrf_token(form.get("csrf", ""), request.cookies[COOKIE]):
        raise Forbidden("This page is not of your sign-in. Go back to the program and start again.")
    if form.get("decision") != "allow":
        refusal = Refusal("access_denied", "The person did not allow it.")
        return _go(asked.back.with_refusal(refusal))
    code = await allow(ports, caller, asked.ask, _place(form))
    return _go(asked.back.with_code(code))


@router.post(SIGN_IN)
async def enter(request: Request, ports: PortsDep, settings: SettingsDep) -> Response:
    form = await _own_form(settings, request)
    asked = await _asked_still(ports, settings, request)
    visitor = visitor_of(settings, request)
    try:
        if key := form.get("key", "").strip():
            signed = await sign_in_with_key(ports, key, visitor)
        else:
            email, password = form.get("email", ""), form.get("password", "")
            signed = await sign_in(ports, email, password, visitor)
    except RememError as error:
        return pages.sign_in(request, asked, error, form.get("email", ""))
    response = _go(f"{AUTHORIZE}?{request.url.query}")
    set_cookies(settings, request, response, signed)
    return response


@router.post(SIGN_OUT)
async def leave(request: Request, ports: PortsDep, settings: SettingsDep) -> Response:
    form = await _own_form(settings, request)
    token = request.cookies.get(COOKIE, "")
    caller = await _caller(ports, request)
    if caller and is_csrf_token(form.get("csrf", ""), token):
        await sign_out(ports, caller.user_id, token)
    response = _go(f"{AUTHORIZE}?{request.url.query}")
    clear_cookies(response)
    return response


async def _asked_still(ports: Ports, settings: Settings, request: Request) -> Asked:
    try:
        return await read_ask(ports, settings, request)
    except Answered as answered:
        raise Misdirected(answered.refusal.description) from answered


async def _own_form(settings: Settings, request: Request) -> dict[str, str]:
    """Only our own pages send forms here, and every browser says where a form comes from."""
    if "origin" not in request.headers or is_foreign(settings, request):
        raise Forbidden("Another site sent this form; start again from the program.", code="csrf")
    return await read_form(request)


def _place(form: dict[str, str]) -> UUID | None:
    try:
        return UUID(form["organization"]) if "organization" in form else None
    except ValueError as error:
        raise Misdirected("There is no such space; start again from the program.") from error


def _go(where: str) -> RedirectResponse:
    """By GET, and without this page's address, which contains what the client asked."""
    return RedirectResponse(where, 303, {"Referrer-Policy": "no-referrer"})
