"""Parse an authorization request, and decide where to report errors.

Until the client and its redirect URI are verified, errors are shown to the user on a page. After
that, they are sent to the client, at its registered redirect URI.
"""

import re
from dataclasses import dataclass
from urllib.parse import parse_qsl
from uuid import UUID

from fastapi import Request

from remem.core.identity.clients.model import Client
from remem.core.identity.clients.register import find_client
from remem.core.identity.grants.model import GrantRequest
from remem.core.ports import Ports
from remem.settings import Settings
from remem.surfaces.address import base_url
from remem.surfaces.oauth.answers import OAuthError
from remem.surfaces.oauth.bodies import FIELDS_LIMIT, unique_fields
from remem.surfaces.oauth.redirects import is_registered, with_query
from remem.surfaces.oauth.resources import read_resource
from remem.surfaces.oauth.rights import read_scopes

STATE_LIMIT = 4_000
_CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")


@dataclass(frozen=True, slots=True)
class RedirectTarget:
    """The URI that returns the outcome of the request to the client."""

    redirect_uri: str
    state: str | None
    issuer: str

    def with_code(self, code: str) -> str:
        return with_query(self.redirect_uri, code=code, state=self.state, iss=self.issuer)

    def with_error(self, oauth_error: OAuthError) -> str:
        return with_query(
            self.redirect_uri,
            error=oauth_error.error,
            error_description=oauth_error.description,
            state=self.state,
            iss=self.issuer,
        )


@dataclass(frozen=True, slots=True)
class AuthorizationRequest:
    client: Client
    grant: GrantRequest
    target: RedirectTarget


class PageError(Exception):
    """An error to show to the user only, because the client is not verified."""


class ClientError(Exception):
    """An invalid request, to be reported to its client."""

    def __init__(self, client: Client, target: RedirectTarget, error: OAuthError) -> None:
        super().__init__(error.description)
        self.client, self.target, self.error = client, target, error


async def read_authorization_request(
    ports: Ports, settings: Settings, request: Request
) -> AuthorizationRequest:
    fields = _fields(request)
    client = await _find_client(ports, fields)
    redirect_uri = _find_redirect_uri(client, fields)
    state = fields.get("state")
    target = RedirectTarget(redirect_uri, state, base_url(settings, request))
    try:
        return AuthorizationRequest(
            client, _read_grant(settings, request, client, redirect_uri, fields), target
        )
    except OAuthError as error:
        raise ClientError(client, target, error) from error


def _fields(request: Request) -> dict[str, str]:
    try:
        query = str(request.url.query)
        return unique_fields(parse_qsl(query, keep_blank_values=True, max_num_fields=FIELDS_LIMIT))
    except (OAuthError, ValueError) as error:
        raise PageError(f"The request cannot be read: {error}") from error


async def _find_client(ports: Ports, fields: dict[str, str]) -> Client:
    try:
        client = await find_client(ports, UUID(fields.get("client_id", "")))
    except ValueError:
        client = None
    if client is None:
        raise PageError(
            "The program that sent you here is not registered, or no longer. Remove the connection"
            " there and connect again."
        )
    return client


def _find_redirect_uri(client: Client, fields: dict[str, str]) -> str:
    requested = fields.get("redirect_uri")
    if requested is None and len(client.redirect_uris) == 1:
        return client.redirect_uris[0]
    if requested and any(
        is_registered(requested, registered) for registered in client.redirect_uris
    ):
        return requested
    raise PageError(
        "The program that sent you here wants the answer at an address it has not registered."
        " Nothing was sent there."
    )


def _read_grant(
    settings: Settings, request: Request, client: Client, redirect_uri: str, fields: dict[str, str]
) -> GrantRequest:
    if fields.get("response_type") != "code":
        raise OAuthError("unsupported_response_type", "response_type: use code.")
    if len(fields.get("state", "")) > STATE_LIMIT:
        raise OAuthError("invalid_request", f"state: use at most {STATE_LIMIT:,} characters.")
    if fields.get("code_challenge_method") != "S256":
        raise OAuthError(
            "invalid_request", "code_challenge_method: send S256, the only one supported."
        )
    challenge = fields.get("code_challenge", "")
    if not _CHALLENGE.fullmatch(challenge):
        raise OAuthError(
            "invalid_request", "code_challenge: send the verifier's SHA-256, base64url."
        )
    rights = read_scopes(fields.get("scope"))
    if rights is None:
        raise OAuthError("invalid_scope", "scope: none of these is known; use read, write, admin.")
    resource = read_resource(settings, request, fields.get("resource"))
    return GrantRequest(
        client.id, rights, redirect_uri, challenge, resource or base_url(settings, request)
    )
