"""Parse an authorization request, and decide who gets its errors.

Until the client and its address are known, nothing is sent anywhere: the person sees a page. From
then on the client hears of it, at the address it registered.
"""

import re
from dataclasses import dataclass
from urllib.parse import parse_qsl
from uuid import UUID

from fastapi import Request

from remem.core.identity.clients.model import Client
from remem.core.identity.clients.register import find_client
from remem.core.identity.grants.model import Ask
from remem.core.ports import Ports
from remem.settings import Settings
from remem.surfaces.address import base_of
from remem.surfaces.oauth.answers import Refusal
from remem.surfaces.oauth.bodies import FIELDS_LIMIT, single
from remem.surfaces.oauth.redirects import matches, with_query
from remem.surfaces.oauth.resources import read_resource
from remem.surfaces.oauth.rights import read_scopes

STATE_LIMIT = 4_000
_CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")


@dataclass(frozen=True, slots=True)
class WayBack:
    """Send the outcome of the request to the client."""

    redirect_uri: str
    state: str | None
    issuer: str

    def with_code(self, code: str) -> str:
        return with_query(self.redirect_uri, code=code, state=self.state, iss=self.issuer)

    def with_refusal(self, refusal: Refusal) -> str:
        return with_query(
            self.redirect_uri,
            error=refusal.error,
            error_description=refusal.description,
            state=self.state,
            iss=self.issuer,
        )


@dataclass(frozen=True, slots=True)
class Asked:
    client: Client
    ask: Ask
    back: WayBack


class Misdirected(Exception):
    """The error can safely be shown only to the user."""


class Answered(Exception):
    """The request is wrong, and its client is to hear why."""

    def __init__(self, client: Client, back: WayBack, refusal: Refusal) -> None:
        super().__init__(refusal.description)
        self.client, self.back, self.refusal = client, back, refusal


async def read_ask(ports: Ports, settings: Settings, request: Request) -> Asked:
    fields = _fields(request)
    client = await _client(ports, fields)
    redirect_uri = _redirect(client, fields)
    state = fields.get("state")
    back = WayBack(redirect_uri, state, base_of(settings, request))
    try:
        return Asked(client, _ask(settings, request, client, redirect_uri, fields), back)
    except Refusal as refusal:
        raise Answered(client, back, refusal) from refusal


def _fields(request: Request) -> dict[str, str]:
    try:
        query = str(request.url.query)
        return single(parse_qsl(query, keep_blank_values=True, max_num_fields=FIELDS_LIMIT))
    except (Refusal, ValueError) as error:
        raise Misdirected(f"The request cannot be read: {error}") from error


async def _client(ports: Ports, fields: dict[str, str]) -> Client:
    try:
        client = await find_client(ports, UUID(fields.get("client_id", "")))
    except ValueError:
        client = None
    if client is None:
        raise Misdirected(
            "The program that sent you here is not registered, or no longer. Remove the connection"
            " there and connect again."
        )
    return client


def _redirect(client: Client, fields: dict[str, str]) -> str:
    asked = fields.get("redirect_uri")
    if asked is None and len(client.redirect_uris) == 1:
        return client.redirect_uris[0]
    if asked and any(matches(asked, one) for one in client.redirect_uris):
        return asked
    raise Misdirected(
        "The program that sent you here wants the answer at an address it has not registered."
        " Nothing was sent there."
    )


def _ask(
    settings: Settings, request: Request, client: Client, redirect_uri: str, fields: dict[str, str]
) -> Ask:
    if fields.get("response_type") != "code":
        raise Refusal("unsupported_response_type", "response_type: use code.")
    if len(fields.get("state", "")) > STATE_LIMIT:
        raise Refusal("invalid_request", f"state: use at most {STATE_LIMIT:,} characters.")
    if fields.get("code_challenge_method") != "S256":
        raise Refusal("invalid_request", "code_challenge_method: send S256, the only one taken.")
    challenge = fields.get("code_challenge", "")
    if not _CHALLENGE.fullmatch(challenge):
        raise Refusal("invalid_request", "code_challenge: send the verifier's SHA-256, base64url.")
    rights = read_scopes(fields.get("scope"))
    if rights is None:
        raise Refusal("invalid_scope", "scope: none of these is known; use read, write, admin.")
    resource = read_resource(settings, request, fields.get("resource"))
    return Ask(client.id, rights, redirect_uri, challenge, resource or base_of(settings, request))
