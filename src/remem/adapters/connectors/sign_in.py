"""OAuth settings of the services, and the OAuth client that the operator configured."""

from collections.abc import Mapping
from dataclasses import replace

from remem.core.connectors.provider import OAuthApp, Provider

SLACK_SCOPES = (
    "channels:history",
    "channels:read",
    "groups:history",
    "groups:read",
    "users:read",
    "reactions:read",
)
GOOGLE_TOKENS = "https://oauth2.googleapis.com"
GOOGLE_REFUSED = (
    "Google no longer accepts the sign-in; connect the account again. If this happens after a"
    " week, your app's consent screen is in testing: publish it to production in the Google Cloud"
    " console, under APIs & Services, OAuth consent screen."
)


def with_client(provider: Provider, client_id: str | None, client_secret: str | None) -> Provider:
    """Return the provider with the OAuth client of the settings, if there is one."""
    if provider.oauth is None or not client_id:
        return provider
    return replace(
        provider,
        oauth=replace(provider.oauth, client_id=client_id, client_secret=client_secret),
    )


def notion_app(base_url: str) -> OAuthApp:
    """Notion expects JSON and refuses unknown fields, such as a PKCE verifier."""
    return OAuthApp(
        authorize_url=f"{base_url}/v1/oauth/authorize",
        token_url=f"{base_url}/v1/oauth/token",
        revoke_url=f"{base_url}/v1/oauth/revoke",
        parameters={"owner": "user"},
        uses_basic_auth=True,
        sends_json=True,
        uses_pkce=False,
    )


def slack_app(base_url: str) -> OAuthApp:
    """Request a user token: it reads what the person can read, not only where a bot was invited."""
    return OAuthApp(
        authorize_url=f"{base_url}/oauth/v2/authorize",
        token_url=f"{base_url}/api/oauth.v2.access",
        revoke_url=f"{base_url}/api/auth.revoke",
        parameters={"user_scope": ",".join(SLACK_SCOPES)},
    )


def google_app(urls: Mapping[str, str], *scopes: str) -> OAuthApp:
    site = urls.get("google_sign_in", "https://accounts.google.com")
    tokens = urls.get("google_token", GOOGLE_TOKENS)
    return OAuthApp(
        authorize_url=f"{site}/o/oauth2/v2/auth",
        token_url=f"{tokens}/token",
        revoke_url=f"{tokens}/revoke",
        scopes=(*scopes, "openid", "email"),
        parameters={"access_type": "offline", "prompt": "consent"},
        refused_hint=GOOGLE_REFUSED,
    )
