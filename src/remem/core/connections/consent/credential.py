"""GivenTokens as the credential of a connection, and the client that they were given to."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

from remem.core.connectors.port import Connector
from remem.core.connectors.provider import OAuthApp
from remem.core.oauth_client import GivenTokens
from remem.core.time import iso, now

# Notes in a credential that the service gave it after a consent, and can take it back.
CONSENTED = "consented"


def app_of(connector: Connector, credential: Mapping[str, str]) -> OAuthApp | None:
    """With the client that the credential was made for."""
    app = connector.provider.oauth
    if app is None or "client_id" not in credential:
        return app
    return replace(
        app,
        client_id=credential["client_id"],
        client_secret=credential.get("client_secret"),
    )


def credential_of(tokens: GivenTokens, kept: Mapping[str, str]) -> dict[str, str]:
    """What is kept of tokens; a service that gives no new refresh token means the old one."""
    own = {"token": tokens.access}
    if tokens.refresh:
        own["refresh_token"] = tokens.refresh
    if tokens.email:
        own["email"] = tokens.email
    if tokens.lasts_s is not None:
        own["expires_at"] = iso(now() + timedelta(seconds=tokens.lasts_s))
    others = {name: value for name, value in kept.items() if name not in ("token", "expires_at")}
    return {**others, **own, CONSENTED: "yes"}
