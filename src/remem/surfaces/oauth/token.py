"""A client comes for its tokens, for new ones, or to give them up (RFC 6749, 7636, 8707, 7009)."""

import base64
import re
from typing import Any
from urllib.parse import unquote_plus
from uuid import UUID

from fastapi import APIRouter, Request, Response

from remem.core.errors import Forbidden, Invalid, RateLimited, Unauthenticated
from remem.core.identity.clients.model import Client
from remem.core.identity.clients.register import authenticate_client
from remem.core.identity.grants.end import hand_back
from remem.core.identity.grants.exchange import Wish, exchange, refresh
from remem.core.identity.grants.model import Tokens
from remem.core.identity.rate import WINDOW_S
from remem.core.ports import Ports
from remem.surfaces.dependencies import PortsDep, SettingsDep
from remem.surfaces.oauth.answers import Answering, Refusal, preflight
from remem.surfaces.oauth.bodies import read_form
from remem.surfaces.oauth.metadata import REVOKE, TOKEN
from remem.surfaces.oauth.resources import read_resource
from remem.surfaces.oauth.rights import read_scopes, write_scopes

_VERIFIER = re.compile(r"[A-Za-z0-9._~-]{43,128}")

router = APIRouter(include_in_schema=False, route_class=Answering)


@router.post(TOKEN)
async def token(request: Request, ports: PortsDep, settings: SettingsDep) -> dict[str, Any]:
    form = await read_form(request)
    client = await _client(ports, request, form)
    await _slow_down(ports, client, settings.rate_limit)
    wish = Wish(
        rights=_rights(form),
        resource=read_resource(settings, request, form.get("resource")),
        request_id=request.state.request_id,
    )
    try:
        return _answer(await _tokens(ports, client, form, wish))
    except Unauthenticated as error:
        raise Refusal("invalid_grant", error.message) from error
    except Forbidden as error:
        raise Refusal("invalid_scope", error.message) from error
    except Invalid as error:
        raise Refusal("invalid_target", error.message) from error


async def _tokens(ports: Ports, client: Client, form: dict[str, str], wish: Wish) -> Tokens:
    match _needed(form, "grant_type"):
        case "authorization_code":
            code, verifier = _needed(form, "code"), _needed(form, "code_verifier")
            if not _VERIFIER.fullmatch(verifier):
                raise Refusal("invalid_request", "code_verifier: send 43 to 128 characters.")
            return await exchange(
                ports, client, code, verifier, _needed(form, "redirect_uri"), wish
            )
        case "refresh_token":
            return await refresh(ports, client, _needed(form, "refresh_token"), wish)
    message = "grant_type: use authorization_code or refresh_token."
    raise Refusal("unsupported_grant_type", message)


@router.post(REVOKE)
async def revoke(request: Request, ports: PortsDep) -> Response:
    """Always well: a token that is not known is as revoked as it can be."""
    form = await read_form(request)
    client = await _client(ports, request, form)
    await hand_back(ports, client, _needed(form, "token"), request.state.request_id)
    return Response(status_code=200)


@router.options(TOKEN)
@router.options(REVOKE)
async def allow_any_origin() -> Response:
    return preflight()


async def _client(ports: Ports, request: Request, form: dict[str, str]) -> Client:
    id, secret = _basic(request) or (form.get("client_id"), form.get("client_secret"))
    if form.get("client_id", id) != id:
        raise Refusal("invalid_request", "client_id: it is not the one of the header; send one.")
    try:
        return await authenticate_client(ports, _uuid(id), secret)
    except Unauthenticated as error:
        raise Refusal("invalid_client", error.message, 401) from error


def _basic(request: Request) -> tuple[str, str | None] | None:
    scheme, _, value = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "basic":
        return None
    try:
        id, _, secret = base64.b64decode(value, validate=True).decode().partition(":")
    except ValueError as error:
        raise Refusal("invalid_client", "The Authorization header is not Basic.", 401) from error
    return unquote_plus(id), unquote_plus(secret) or None


def _uuid(id: str | None) -> UUID | None:
    try:
        return UUID(id or "")
    except ValueError:
        return None


async def _slow_down(ports: Ports, client: Client, limit: int) -> None:
    allowance = await ports.rate.hit(f"client:{client.id}", limit, WINDOW_S)
    if not allowance.allowed:
        raise RateLimited(limit, allowance.reset_s)


def _needed(form: dict[str, str], field: str) -> str:
    if field not in form:
        raise Refusal("invalid_request", f"{field}: is required; send it.")
    return form[field]


def _rights(form: dict[str, str]) -> Any:
    if "scope" not in form:
        return None
    rights = read_scopes(form["scope"])
    if rights is None:
        raise Refusal("invalid_scope", "scope: none of these is known; use read, write, admin.")
    return rights


def _answer(tokens: Tokens) -> dict[str, Any]:
    return {
        "access_token": tokens.access,
        "token_type": "Bearer",
        "expires_in": tokens.lasts_s,
        "refresh_token": tokens.refresh,
        "scope": write_scopes(tokens.rights),
    }
