"""Register a client (RFC 7591). Its fields are not verified, and the consent page says so."""

import unicodedata
from typing import Any
from urllib.parse import urlsplit

from fastapi import APIRouter, Request, Response

from remem.core.identity.clients.model import NewClient
from remem.core.identity.clients.register import limit_registrations, register_client
from remem.surfaces.dependencies import PortsDep, SettingsDep
from remem.surfaces.oauth.answers import OAuthError, OAuthRoute, preflight
from remem.surfaces.oauth.bodies import read_json
from remem.surfaces.oauth.metadata import METHODS, REGISTER
from remem.surfaces.oauth.redirects import LENGTH_LIMIT, display_target, redirect_uri_problem
from remem.surfaces.proxies import client_address

NAME_LIMIT = 100
REDIRECTS_LIMIT = 10
# The default of the standard.
DEFAULT_METHOD = "client_secret_basic"

router = APIRouter(include_in_schema=False, route_class=OAuthRoute)


@router.post(REGISTER, status_code=201)
async def register(request: Request, ports: PortsDep, settings: SettingsDep) -> dict[str, Any]:
    if not settings.client_registrations:
        raise OAuthError("access_denied", "Client registration is disabled on this server.", 403)
    await limit_registrations(ports, client_address(request), settings.client_registrations)
    metadata = await read_json(request)
    redirect_uris, method = _redirects(metadata), _method(metadata)
    _check_flow(metadata)
    new_client = await register_client(
        ports,
        _name(metadata) or _name_from(redirect_uris[0]),
        _uri(metadata),
        redirect_uris,
        with_secret=method != "none",
    )
    return _response(new_client, method)


@router.options(REGISTER)
async def allow_any_origin() -> Response:
    return preflight()


def _redirects(metadata: dict[str, Any]) -> list[str]:
    uris = metadata.get("redirect_uris")
    if not isinstance(uris, list) or not 0 < len(uris) <= REDIRECTS_LIMIT:
        message = f"redirect_uris: send a list of 1 to {REDIRECTS_LIMIT} addresses."
        raise OAuthError("invalid_redirect_uri", message)
    for uri in uris:
        problem = redirect_uri_problem(uri) if isinstance(uri, str) else "is not text"
        if problem:
            raise OAuthError("invalid_redirect_uri", f"redirect_uris: an address {problem}.")
    return uris


def _method(metadata: dict[str, Any]) -> str:
    method = metadata.get("token_endpoint_auth_method") or DEFAULT_METHOD
    if method not in METHODS:
        message = f"token_endpoint_auth_method: use one of {', '.join(METHODS)}."
        raise OAuthError("invalid_client_metadata", message)
    return method


def _check_flow(metadata: dict[str, Any]) -> None:
    for field, needed in (("grant_types", "authorization_code"), ("response_types", "code")):
        if field in metadata and (
            not isinstance(metadata[field], list) or needed not in metadata[field]
        ):
            raise OAuthError("invalid_client_metadata", f"{field}: it must contain {needed}.")


def _name(metadata: dict[str, Any]) -> str:
    name = metadata.get("client_name") or ""
    if not isinstance(name, str) or len(name) > NAME_LIMIT:
        message = f"client_name: send text of at most {NAME_LIMIT} characters."
        raise OAuthError("invalid_client_metadata", message)
    # Invisible characters and those that change the direction of text could imitate another name.
    visible = "".join(char if unicodedata.category(char)[0] != "C" else " " for char in name)
    return " ".join(visible.split())


def _name_from(redirect_uri: str) -> str:
    return display_target(redirect_uri)[:NAME_LIMIT].capitalize()


def _uri(metadata: dict[str, Any]) -> str | None:
    uri = metadata.get("client_uri")
    if not isinstance(uri, str) or not uri or len(uri) > LENGTH_LIMIT or redirect_uri_problem(uri):
        return None
    return uri if urlsplit(uri).scheme in ("http", "https") else None


def _response(new_client: NewClient, method: str) -> dict[str, Any]:
    client = new_client.client
    response: dict[str, Any] = {
        "client_id": str(client.id),
        "client_id_issued_at": int(client.created_at.timestamp()),
        "client_name": client.name,
        "redirect_uris": list(client.redirect_uris),
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": method,
    }
    if client.uri:
        response["client_uri"] = client.uri
    if new_client.secret:
        response |= {"client_secret": new_client.secret, "client_secret_expires_at": 0}
    return response
