"""Issue, refresh and revoke tokens (RFC 6749, 7636, 8707, 7009)."""

import base64
import re
from typing import Any
from urllib.parse import unquote_plus
from uuid import UUID

from fastapi import APIRouter, Request, Response

from remem.core.errors import Forbidden, Invalid, RateLimited, Unauthenticated
from remem.core.identity.clients.model import Client
from remem.core.identity.clients.register import authenticate_client
from remem.core.identity.grants.end import revoke_token
from remem.core.identity.grants.exchange import TokenRequest, exchange, refresh
from remem.core.identity.grants.model import Tokens
from remem.core.identity.rate import WINDOW_S
from remem.core.ports import Ports
from remem.surfaces.dependencies import PortsDep, SettingsDep
from remem.surfaces.oauth.answers import OAuthError, OAuthRoute, preflight
from remem.surfaces.oauth.bodies import read_form
from remem.surfaces.oauth.metadata import REVOKE, TOKEN
from remem.surfaces.oauth.resources import read_resource
from remem.surfaces.oauth.rights import read_scopes, write_scopes

_VERIFIER = re.compile(r"[A-Za-z0-9._~-]{43,128}")

router = APIRouter(include_in_schema=False, route_class=OAuthRoute)


@router.post(TOKEN)
async def token(request: Request, ports: PortsDep, settings: SettingsDep) -> dict[str, Any]:
    form = await read_form(request)
    client = await _authenticate(ports, request, form)
    await _check_rate_limit(ports, client, settings.rate_limit)
    token_request = TokenRequest(
        rights=_rights(form),
        resource=read_resource(settings, request, form.get("resource")),
        request_id=request.state.request_id,
    )
    try:
        return _response(await _issue_tokens(ports, client, form, token_request))
    except Unauthenticated as error:
        raise OAuthError("invalid_grant", error.message) from error
    except Forbidden as error:
        raise OAuthError("invalid_scope", error.message) from error
    except Invalid as error:
        raise OAuthError("invalid_target", error.message) from error


async def _issue_tokens(
    ports: Ports, client: Client, form: dict[str, str], token_request: TokenRequest
) -> Tokens:
    match _required(form, "grant_type"):
        case "authorization_code":
            code, verifier = _required(form, "code"), _required(form, "code_verifier")
            if not _VERIFIER.fullmatch(verifier):
                raise OAuthError("invalid_request", "code_verifier: send 43 to 128 characters.")
            return await exchange(
                ports, client, code, verifier, _required(form, "redirect_uri"), token_request
            )
        case "refresh_token":
            return await refresh(ports, client, _required(form, "refresh_token"), token_request)
    message = "grant_type: use authorization_code or refresh_token."
    raise OAuthError("unsupported_grant_type", message)


@router.post(REVOKE)
async def revoke(request: Request, ports: PortsDep) -> Response:
    """Always succeeds: an unknown token counts as revoked."""
    form = await read_form(request)
    client = await _authenticate(ports, request, form)
    await revoke_token(ports, client, _required(form, "token"), request.state.request_id)
    return Response(status_code=200)


@router.options(TOKEN)
@router.options(REVOKE)
async def allow_any_origin() -> Response:
    return preflight()


async def _authenticate(ports: Ports, request: Request, form: dict[str, str]) -> Client:
    id, secret = _basic_credentials(request) or (form.get("client_id"), form.get("client_secret"))
    if form.get("client_id", id) != id:
        raise OAuthError(
            "invalid_request", "client_id: differs from the one in the header; send only one."
        )
    try:
        return await authenticate_client(ports, _uuid(id), secret)
    except Unauthenticated as error:
        raise OAuthError("invalid_client", error.message, 401) from error


def _basic_credentials(request: Request) -> tuple[str, str | None] | None:
    scheme, _, value = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "basic":
        return None
    try:
        id, _, secret = base64.b64decode(value, validate=True).decode().partition(":")
    except ValueError as error:
        raise OAuthError("invalid_client", "The Authorization header is not Basic.", 401) from error
    return unquote_plus(id), unquote_plus(secret) or None


def _uuid(id: str | None) -> UUID | None:
    try:
        return UUID(id or "")
    except ValueError:
        return None


async def _check_rate_limit(ports: Ports, client: Client, limit: int) -> None:
    allowance = await ports.rate.hit(f"client:{client.id}", limit, WINDOW_S)
    if not allowance.allowed:
        raise RateLimited(limit, allowance.reset_s)


def _required(form: dict[str, str], field: str) -> str:
    if field not in form:
        raise OAuthError("invalid_request", f"{field}: is required; send it.")
    return form[field]


def _rights(form: dict[str, str]) -> Any:
    if "scope" not in form:
        return None
    rights = read_scopes(form["scope"])
    if rights is None:
        raise OAuthError("invalid_scope", "scope: none of these is known; use read, write, admin.")
    return rights


def _response(tokens: Tokens) -> dict[str, Any]:
    return {
        "access_token": tokens.access,
        "token_type": "Bearer",
        "expires_in": tokens.expires_in_s,
        "refresh_token": tokens.refresh,
        "scope": write_scopes(tokens.rights),
    }
