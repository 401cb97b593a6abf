"""Register a client (RFC 7591). Its fields are not verified, and the consent page says so."""

import unicodedata
from typing import Any
from urllib.parse import urlsplit

from fastapi import APIRouter, Request, Response

from remem.core.identity.clients.model import NewClient
from remem.core.identity.clients.register import register_client, slow_down_registering
from remem.surfaces.dependencies import PortsDep, SettingsDep
from remem.surfaces.oauth.answers import Answering, Refusal, preflight
from remem.surfaces.oauth.bodies import read_json
from remem.surfaces.oauth.metadata import METHODS, REGISTER
from remem.surfaces.oauth.redirects import LENGTH_LIMIT, shown, wrong_with
from remem.surfaces.proxies import client_address

NAME_LIMIT = 100
REDIRECTS_LIMIT = 10
# What the standard takes for a client that does not say.
DEFAULT_METHOD = "client_secret_basic"

router = APIRouter(include_in_schema=False, route_class=Answering)


@router.post(REGISTER, status_code=201)
async def register(request: Request, ports: PortsDep, settings: SettingsDep) -> dict[str, Any]:
    if not settings.client_registrations:
        raise Refusal("access_denied", "Registering clients is switched off here.", 403)
    await slow_down_registering(ports, client_address(request), settings.client_registrations)
    said = await read_json(request)
    redirect_uris, method = _redirects(said), _method(said)
    _check_flow(said)
    made = await register_client(
        ports,
        _name(said) or _name_from(redirect_uris[0]),
        _uri(said),
        redirect_uris,
        with_secret=method != "none",
    )
    return _answer(made, method)


@router.options(REGISTER)
async def allow_any_origin() -> Response:
    return preflight()


def _redirects(said: dict[str, Any]) -> list[str]:
    found = said.get("redirect_uris")
    if not isinstance(found, list) or not 0 < len(found) <= REDIRECTS_LIMIT:
        message = f"redirect_uris: send a list of 1 to {REDIRECTS_LIMIT} addresses."
        raise Refusal("invalid_redirect_uri", message)
    for uri in found:
        problem = wrong_with(uri) if isinstance(uri, str) else "is not text"
        if problem:
            raise Refusal("invalid_redirect_uri", f"redirect_uris: an address {problem}.")
    return found


def _method(said: dict[str, Any]) -> str:
    method = said.get("token_endpoint_auth_method") or DEFAULT_METHOD
    if method not in METHODS:
        message = f"token_endpoint_auth_method: use one of {', '.join(METHODS)}."
        raise Refusal("invalid_client_metadata", message)
    return method


def _check_flow(said: dict[str, Any]) -> None:
    for field, needed in (("grant_types", "authorization_code"), ("response_types", "code")):
        if field in said and (not isinstance(said[field], list) or needed not in said[field]):
            raise Refusal("invalid_client_metadata", f"{field}: it must contain {needed}.")


def _name(said: dict[str, Any]) -> str:
    name = said.get("client_name") or ""
    if not isinstance(name, str) or len(name) > NAME_LIMIT:
        message = f"client_name: send text of at most {NAME_LIMIT} characters."
        raise Refusal("invalid_client_metadata", message)
    # Characters that turn text around, or cannot be seen, would let one name look like another.
    seen = "".join(char if unicodedata.category(char)[0] != "C" else " " for char in name)
    return " ".join(seen.split())


def _name_from(redirect_uri: str) -> str:
    return shown(redirect_uri)[:NAME_LIMIT].capitalize()


def _uri(said: dict[str, Any]) -> str | None:
    uri = said.get("client_uri")
    if not isinstance(uri, str) or not uri or len(uri) > LENGTH_LIMIT or wrong_with(uri):
        return None
    return uri if urlsplit(uri).scheme in ("http", "https") else None


def _answer(made: NewClient, method: str) -> dict[str, Any]:
    client = made.client
    answer: dict[str, Any] = {
        "client_id": str(client.id),
        "client_id_issued_at": int(client.created_at.timestamp()),
        "client_name": client.name,
        "redirect_uris": list(client.redirect_uris),
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": method,
    }
    if client.uri:
        answer["client_uri"] = client.uri
    if made.secret:
        answer |= {"client_secret": made.secret, "client_secret_expires_at": 0}
    return answer
