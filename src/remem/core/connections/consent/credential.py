"""Turn issued tokens into the credential of a connection, with the client they were issued to."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

from remem.core.connectors.port import Connector
from remem.core.connectors.provider import OAuthApp
from remem.core.oauth_client import IssuedTokens
from remem.core.time import iso, now

# Marks a credential that the service issued after a consent, and that can be revoked.
CONSENTED = "consented"


def app_of(connector: Connector, credential: Mapping[str, str]) -> OAuthApp | None:
    """The OAuth app of the connector, with the client that the credential was issued to."""
    app = connector.provider.oauth
    if app is None or "client_id" not in credential:
        return app
    return replace(
        app,
        client_id=credential["client_id"],
        client_secret=credential.get("client_secret"),
    )


def credential_of(tokens: IssuedTokens, previous: Mapping[str, str]) -> dict[str, str]:
    """The credential made of tokens; without a new refresh token, the previous one stays valid."""
    values = {"token": tokens.access}
    if tokens.refresh:
        values["refresh_token"] = tokens.refresh
    if tokens.email:
        values["email"] = tokens.email
    if tokens.expires_in_s is not None:
        values["expires_at"] = iso(now() + timedelta(seconds=tokens.expires_in_s))
    others = {
        name: value for name, value in previous.items() if name not in ("token", "expires_at")
    }
    return {**others, **values, CONSENTED: "yes"}
