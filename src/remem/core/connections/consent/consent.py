"""Send a person to a service to consent, and exchange the result for tokens."""

import base64
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from urllib.parse import urlencode, urlsplit
from uuid import UUID

from remem.core.connections.connect import check_options, connect_account
from remem.core.connections.consent.credential import credential_of
from remem.core.connections.consent.start import (
    Start,
    claim_start,
    find_own_start,
    find_start,
    save_start,
)
from remem.core.connections.find import find_connector
from remem.core.connections.model import Connection, NewConnection
from remem.core.connectors.provider import OAuthApp
from remem.core.errors import Conflict, Forbidden, Invalid, NotFound
from remem.core.identity.secrets import new_token
from remem.core.oauth_client import DeviceCode, GrantRefused, IssuedTokens
from remem.core.ports import Ports
from remem.core.scope import Right, Scope
from remem.core.time import now


@dataclass(frozen=True, slots=True)
class ConsentRequest:
    """What to connect, and by which client: the person's own, or that of the settings."""

    provider: str
    client_id: str | None = None
    client_secret: str | None = None
    chosen: tuple[str, ...] = ()
    project: str | None = None
    interval_s: int | None = None
    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ConsentAnswer:
    """What a service sends back with the person."""

    state: str
    code: str | None = None
    error: str | None = None
    issuer: str | None = None


async def authorize(
    ports: Ports, scope: Scope, request: ConsentRequest, redirect_uri: str
) -> tuple[str, datetime]:
    """The URL to send the person to, and when it expires."""
    app = _app(ports, scope, request.provider, request.client_id, request.client_secret)
    check_options(find_connector(ports, request.provider).provider, request.fields)
    verifier = new_token()
    _, state, expires_at = await save_start(
        ports, scope, request.provider, _start(request, verifier, redirect_uri)
    )
    query = {
        "response_type": "code",
        "client_id": app.client_id,
        "redirect_uri": redirect_uri,
        "scope": " ".join(app.scopes),
        "state": state,
        "code_challenge": _challenge(verifier) if app.uses_pkce else None,
        "code_challenge_method": "S256" if app.uses_pkce else None,
        **app.parameters,
    }
    parameters = {name: value for name, value in query.items() if value}
    return f"{app.authorize_url}?{urlencode(parameters)}", expires_at


async def finish(ports: Ports, scope: Scope, provider: str, answer: ConsentAnswer) -> Connection:
    """Finish a consent. `scope` is the user who is signed in when the person returns, which must be
    the one who began it."""
    saved = await find_start(ports, provider, answer.state)
    if scope.user_id != saved.user_id:
        raise Forbidden("Another user began this; connect the account yourself.", code="other_user")
    if not await claim_start(ports, saved):
        raise NotFound("sign-in", hint="it was used already; start again")
    if answer.error or not answer.code:
        raise GrantRefused("The service was not allowed to be read; connect again and allow it.")
    scope = replace(scope, tenant_id=saved.tenant_id)
    start = saved.start
    app = _app(ports, scope, provider, start.client_id, start.client_secret)
    if answer.issuer and urlsplit(answer.issuer).netloc != urlsplit(app.authorize_url).netloc:
        raise GrantRefused("A different service answered; connect again.")
    tokens = await ports.oauth.exchange(app, answer.code, start.proof, start.redirect_uri)
    return await _connect(ports, scope, provider, start, tokens)


async def begin_device(
    ports: Ports, scope: Scope, request: ConsentRequest
) -> tuple[DeviceCode, UUID, datetime]:
    """Start the device flow; return the code to enter at the service, the id to poll with, and when
    it expires."""
    app = _app(ports, scope, request.provider, request.client_id, request.client_secret)
    if not app.device_url:
        raise Conflict("This service has no sign-in by a code; connect in a browser instead.")
    check_options(find_connector(ports, request.provider).provider, request.fields)
    code = await ports.oauth.begin_device(app)
    start = _start(request, code.secret, "")
    id, _, expires_at = await save_start(ports, scope, request.provider, start)
    return code, id, min(expires_at, now() + timedelta(seconds=code.expires_in_s))


async def finish_device(ports: Ports, scope: Scope, id: UUID) -> Connection | None:
    """The new connection, or None while the person has not entered the code."""
    saved = await find_own_start(ports, scope, id)
    start = saved.start
    app = _app(ports, scope, saved.provider, start.client_id, start.client_secret)
    if start.redirect_uri:
        raise Conflict("This sign-in is finished in a browser.")
    tokens = await ports.oauth.poll_device(app, start.proof)
    if tokens is None or not await claim_start(ports, saved):
        return None
    return await _connect(ports, scope, saved.provider, start, tokens)


def _start(request: ConsentRequest, proof: str, redirect_uri: str) -> Start:
    return Start(
        proof,
        redirect_uri,
        request.client_id,
        request.client_secret,
        request.chosen,
        request.project,
        request.interval_s,
        dict(request.fields),
    )


def _app(
    ports: Ports, scope: Scope, provider: str, client_id: str | None, client_secret: str | None
) -> OAuthApp:
    connector = find_connector(ports, provider)
    if connector.provider.needs_admin:
        scope.require(Right.ADMIN)
    app = connector.provider.oauth
    if app is None:
        raise Conflict("This service is not connected by consent; connect it with its fields.")
    if client_id:
        app = replace(app, client_id=client_id, client_secret=client_secret)
    if not app.client_id:
        raise Invalid(
            "client_id",
            f"is missing; set REMEM_{provider.upper()}_CLIENT_ID, or send that of your own app",
        )
    return app


async def _connect(
    ports: Ports, scope: Scope, provider: str, start: Start, tokens: IssuedTokens
) -> Connection:
    client = {"client_id": start.client_id, "client_secret": start.client_secret}
    own_client = {name: value for name, value in client.items() if value}
    new = NewConnection(provider, start.fields, start.chosen, start.project, start.interval_s)
    return (await connect_account(ports, scope, new, credential_of(tokens, own_client)))[0]


def _challenge(verifier: str) -> str:
    hashed = hashlib.sha256(verifier.encode()).digest()
    return base64.urlsafe_b64encode(hashed).rstrip(b"=").decode()
