"""Send a person to a service to consent, and take the tokens it gives for that."""

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
    find_own_start,
    find_start,
    keep_start,
    use_start,
)
from remem.core.connections.find import find_connector
from remem.core.connections.model import Connection, NewConnection
from remem.core.connectors.provider import OAuthApp
from remem.core.errors import Conflict, Forbidden, Invalid, NotFound
from remem.core.identity.secrets import new_token
from remem.core.oauth_client import DeviceCode, GivenTokens, GrantRefused
from remem.core.ports import Ports
from remem.core.scope import Right, Scope
from remem.core.time import now


@dataclass(frozen=True, slots=True)
class ConsentWish:
    """What is to be connected, by which client: the person's own, or that of the settings."""

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
    ports: Ports, scope: Scope, wish: ConsentWish, redirect_uri: str
) -> tuple[str, datetime]:
    """The address to send the person to, and until when it works."""
    app = _app(ports, scope, wish.provider, wish.client_id, wish.client_secret)
    check_options(find_connector(ports, wish.provider).provider, wish.fields)
    verifier = new_token()
    _, state, expires_at = await keep_start(
        ports, scope, wish.provider, _start(wish, verifier, redirect_uri)
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
    given = {name: value for name, value in query.items() if value}
    return f"{app.authorize_url}?{urlencode(given)}", expires_at


async def finish(ports: Ports, scope: Scope, provider: str, answer: ConsentAnswer) -> Connection:
    """`scope` is who is signed in where the person comes back: another's consent is not theirs."""
    found = await find_start(ports, provider, answer.state)
    if scope.user_id != found.user_id:
        raise Forbidden("Another user began this; connect the account yourself.", code="other_user")
    if not await use_start(ports, found):
        raise NotFound("sign-in", hint="it was used already; begin again")
    if answer.error or not answer.code:
        raise GrantRefused("The service was not allowed to be read; connect again and allow it.")
    scope = replace(scope, tenant_id=found.tenant_id)
    start = found.start
    app = _app(ports, scope, provider, start.client_id, start.client_secret)
    if answer.issuer and urlsplit(answer.issuer).netloc != urlsplit(app.authorize_url).netloc:
        raise GrantRefused("Another service answered than was asked; connect again.")
    tokens = await ports.oauth.exchange(app, answer.code, start.proof, start.redirect_uri)
    return await _connect(ports, scope, provider, start, tokens)


async def begin_device(
    ports: Ports, scope: Scope, wish: ConsentWish
) -> tuple[DeviceCode, UUID, datetime]:
    """The code to type in at the service, the id to ask with whether that was done, until when."""
    app = _app(ports, scope, wish.provider, wish.client_id, wish.client_secret)
    if not app.device_url:
        raise Conflict("This service has no sign-in by a code; connect in a browser instead.")
    check_options(find_connector(ports, wish.provider).provider, wish.fields)
    code = await ports.oauth.begin_device(app)
    start = _start(wish, code.secret, "")
    id, _, expires_at = await keep_start(ports, scope, wish.provider, start)
    return code, id, min(expires_at, now() + timedelta(seconds=code.lasts_s))


async def finish_device(ports: Ports, scope: Scope, id: UUID) -> Connection | None:
    """None while the person has not typed the code in."""
    found = await find_own_start(ports, scope, id)
    start = found.start
    app = _app(ports, scope, found.provider, start.client_id, start.client_secret)
    if start.redirect_uri:
        raise Conflict("This sign-in is finished in a browser.")
    tokens = await ports.oauth.poll_device(app, start.proof)
    if tokens is None or not await use_start(ports, found):
        return None
    return await _connect(ports, scope, found.provider, start, tokens)


def _start(wish: ConsentWish, proof: str, redirect_uri: str) -> Start:
    return Start(
        proof,
        redirect_uri,
        wish.client_id,
        wish.client_secret,
        wish.chosen,
        wish.project,
        wish.interval_s,
        dict(wish.fields),
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
    ports: Ports, scope: Scope, provider: str, start: Start, tokens: GivenTokens
) -> Connection:
    client = {"client_id": start.client_id, "client_secret": start.client_secret}
    kept = {name: value for name, value in client.items() if value}
    new = NewConnection(provider, start.fields, start.chosen, start.project, start.interval_s)
    return (await connect_account(ports, scope, new, credential_of(tokens, kept)))[0]


def _challenge(verifier: str) -> str:
    hashed = hashlib.sha256(verifier.encode()).digest()
    return base64.urlsafe_b64encode(hashed).rstrip(b"=").decode()
