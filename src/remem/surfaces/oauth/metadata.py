"""Discovery: metadata of the authorization server (RFC 8414) and of resources (RFC 9728)."""

from typing import Any

from fastapi import APIRouter, Request, Response

from remem.core.scope import Right
from remem.surfaces.address import ISSUER, WELL_KNOWN, base_url, is_resource
from remem.surfaces.dependencies import SettingsDep
from remem.surfaces.oauth.answers import OAuthError, OAuthRoute, preflight
from remem.surfaces.oauth.rights import DEFAULT_RIGHTS

AUTHORIZE, TOKEN = "/oauth/authorize", "/oauth/token"
REGISTER, REVOKE = "/oauth/register", "/oauth/revoke"
METHODS = ("none", "client_secret_post", "client_secret_basic")

router = APIRouter(include_in_schema=False, route_class=OAuthRoute)


@router.get(ISSUER)
@router.get(ISSUER + "/{path:path}")
async def issuer(request: Request, settings: SettingsDep, path: str = "") -> dict[str, Any]:
    """The same for every API: older clients append the path of their API."""
    _require_resource(path)
    base = base_url(settings, request)
    metadata: dict[str, Any] = {
        "issuer": base,
        "authorization_endpoint": base + AUTHORIZE,
        "token_endpoint": base + TOKEN,
        "revocation_endpoint": base + REVOKE,
        "scopes_supported": [str(right) for right in Right],
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "token_endpoint_auth_methods_supported": list(METHODS),
        "revocation_endpoint_auth_methods_supported": list(METHODS),
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": True,
    }
    if settings.client_registrations:
        metadata["registration_endpoint"] = base + REGISTER
    return metadata


@router.get(WELL_KNOWN)
@router.get(WELL_KNOWN + "/{path:path}")
async def resource(request: Request, settings: SettingsDep, path: str = "") -> dict[str, Any]:
    """Clients request all scopes listed here, so it lists those that most clients need."""
    path = _require_resource(path)
    base = base_url(settings, request)
    return {
        "resource": base + path,
        "authorization_servers": [base],
        "scopes_supported": [str(right) for right in DEFAULT_RIGHTS],
        "bearer_methods_supported": ["header"],
        "resource_name": "remem",
    }


@router.options(ISSUER)
@router.options(ISSUER + "/{path:path}")
@router.options(WELL_KNOWN)
@router.options(WELL_KNOWN + "/{path:path}")
async def allow_any_origin() -> Response:
    return preflight()


def _require_resource(path: str) -> str:
    path = f"/{path}".rstrip("/")
    if not is_resource(path):
        raise OAuthError("not_found", "There is no such resource.", 404)
    return path
