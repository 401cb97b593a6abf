"""OAuth sign-ins at GitHub, Notion, Slack, Google and X, each against a strict fake."""

import base64
import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl

import pytest

from remem.adapters.connectors import ADAPTERS
from remem.adapters.connectors.github.connector import GitHubConnector
from remem.adapters.connectors.google_drive.connector import GoogleDriveConnector
from remem.adapters.connectors.notion.connector import NotionConnector
from remem.adapters.connectors.slack.connector import SlackConnector
from remem.adapters.connectors.x import XConnector
from remem.adapters.oauth.http import HttpOAuthClient
from remem.core.connectors.provider import OAuthApp
from remem.core.oauth_client import GrantRefused
from remem.settings import Settings
from tests.tools.http_server import QuietHandler, served

pytestmark = pytest.mark.anyio

CALLBACK = "https://remem.example.org/callback"
BASIC = "Basic " + base64.b64encode(b"client:secret").decode()
NOTION_FIELDS = (
    {"grant_type", "code", "redirect_uri"},
    {"grant_type", "refresh_token"},
    {"token"},
)
# Each name is also the code that is exchanged for the token.
ID_TOKENS = {
    name: f"e30.{base64.urlsafe_b64encode(claims.encode()).decode().rstrip('=')}.c2ln"
    for name, claims in {
        "google": '{"email": "ada@example.org"}',
        "microsoft": '{"preferred_username": "ada@example.org"}',
        "list": "[]",
        "word": '{"email": "no address"}',
        "lines": '{"email": "ada@example.org\\r\\nA LOGOUT"}',
        "long": '{"email": "' + "a" * 1_000 + '@example.org"}',
    }.items()
} | {"dots": "a.b.c", "deep": "." + "W1tb" * 10_000 + "."}
CLIENT = {"client_id": "client", "client_secret": "secret"}


def answer(path: str, headers: dict[str, str], body: bytes) -> tuple[int, dict[str, Any]]:
    if path.startswith("/v1/oauth/"):
        # Notion refuses a body with unknown fields.
        fields = json.loads(body)
        if headers.get("authorization") != BASIC or set(fields) not in NOTION_FIELDS:
            return 400, {"error": "invalid_request"}
        return 200, {"access_token": "ntn_1", "refresh_token": "nrt_1", "token_type": "bearer"}
    form = dict(parse_qsl(body.decode()))
    if path == "/2/oauth2/token":
        is_x = headers.get("authorization") == BASIC and not form.keys() & CLIENT.keys()
        return (200, {"access_token": "x-1"}) if is_x else (401, {"error": "invalid_client"})
    if {name: form.pop(name, None) for name in CLIENT} != CLIENT:
        return 401, {"error": "invalid_client"}
    if path == "/api/oauth.v2.access":
        user = {"id": "U1", "access_token": "xoxp-1", "token_type": "user"}
        return 200, {"ok": True, "authed_user": user, "team": {"id": "T1"}}
    if path == "/api/auth.revoke":
        return 200, {"ok": form["token"] == "xoxp-1", "revoked": True}
    if path == "/token" and form.get("code_verifier"):
        tokens = {"access_token": "ya29.1", "refresh_token": "1//1", "expires_in": 3599}
        return 200, {**tokens, "id_token": ID_TOKENS.get(form["code"], "")}
    return 400, {"error": "invalid_grant"}


# Grants that were deleted.
deleted_grants: list[tuple[str, str, dict[str, str]]] = []


@pytest.fixture(scope="module")
def vendor() -> Iterator[str]:
    class Handler(QuietHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            status, reply = answer(self.path, headers, body)
            data = json.dumps(reply).encode()
            self.send_response_only(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def do_DELETE(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
            deleted_grants.append((self.path, self.headers["Authorization"], body))
            self.send_response_only(204)
            self.end_headers()

    with served(Handler) as url:
        yield url


@pytest.fixture
async def client() -> Any:
    oauth_client = HttpOAuthClient()
    yield oauth_client
    await oauth_client.close()


def app_of(connector: Any) -> OAuthApp:
    app = connector.provider.oauth
    assert app.client_id == "client"
    return app


async def test_notion_takes_json_without_a_verifier(vendor: str, client: HttpOAuthClient) -> None:
    app = app_of(NotionConnector({"notion": vendor}, "client", "secret"))
    assert app.parameters["owner"] == "user"
    tokens = await client.exchange(app, "code", "verifier", CALLBACK)
    assert (tokens.access, tokens.refresh) == ("ntn_1", "nrt_1")
    assert (await client.refresh(app, "nrt_1")).access == "ntn_1"
    await client.revoke(app, "ntn_1")


async def test_slack_returns_a_user_token(vendor: str, client: HttpOAuthClient) -> None:
    app = app_of(SlackConnector({"slack": vendor}, "client", "secret"))
    assert "channels:history" in app.parameters["user_scope"] and not app.scopes
    assert (await client.exchange(app, "code", "verifier", CALLBACK)).access == "xoxp-1"
    await client.revoke(app, "xoxp-1")


async def test_the_grant_at_github_is_deleted(vendor: str, client: HttpOAuthClient) -> None:
    """Deleting a grant needs the secret of the app."""
    deleted_grants.clear()
    app = app_of(GitHubConnector(vendor, "client", "secret"))
    await client.revoke(replace(app, client_secret=None), "gho_1")
    assert deleted_grants == []
    await client.revoke(app, "gho_1")
    assert deleted_grants == [("/applications/client/grant", BASIC, {"access_token": "gho_1"})]


async def test_an_expired_google_grant_gets_advice_to_publish_the_app(
    vendor: str, client: HttpOAuthClient
) -> None:
    urls = {"google_token": vendor}
    app = app_of(GoogleDriveConnector(urls, client_id="client", client_secret="secret"))
    assert app.parameters == {"access_type": "offline", "prompt": "consent"}
    tokens = await client.exchange(app, "code", "verifier", CALLBACK)
    assert (tokens.refresh, tokens.expires_in_s) == ("1//1", 3599)
    with pytest.raises(GrantRefused, match="publish it to production"):
        await client.refresh(app, "1//1")


async def test_x_gets_the_client_secret_in_a_header(vendor: str, client: HttpOAuthClient) -> None:
    app = app_of(XConnector({}, client_id="client", client_secret="secret"))
    app = replace(app, token_url=f"{vendor}/2/oauth2/token")
    assert (await client.exchange(app, "code", "verifier", CALLBACK)).access == "x-1"


@pytest.mark.parametrize("code", list(ID_TOKENS))
async def test_the_email_is_read_from_valid_id_tokens_only(
    vendor: str, client: HttpOAuthClient, code: str
) -> None:
    app = app_of(GoogleDriveConnector({"google_token": vendor}, 1, "client", "secret"))
    tokens = await client.exchange(app, code, "verifier", CALLBACK)
    assert tokens.email == ("ada@example.org" if code in ("google", "microsoft") else None)


# The URLs that the vendors document; only a reader of this list can check them.
VENDOR_URLS = {
    "github": (
        "https://github.com/login/oauth/authorize",
        "https://github.com/login/oauth/access_token",
        None,
    ),
    "notion": (
        "https://api.notion.com/v1/oauth/authorize",
        "https://api.notion.com/v1/oauth/token",
        "https://api.notion.com/v1/oauth/revoke",
    ),
    "google_drive": (
        "https://accounts.google.com/o/oauth2/v2/auth",
        "https://oauth2.googleapis.com/token",
        "https://oauth2.googleapis.com/revoke",
    ),
    "slack": (
        "https://slack.com/oauth/v2/authorize",
        "https://slack.com/api/oauth.v2.access",
        "https://slack.com/api/auth.revoke",
    ),
    "onedrive": (
        "https://login.microsoftonline.com/common/oauth2/v2.0/authorize",
        "https://login.microsoftonline.com/common/oauth2/v2.0/token",
        None,
    ),
    "x": (
        "https://x.com/i/oauth2/authorize",
        "https://api.x.com/2/oauth2/token",
        "https://api.x.com/2/oauth2/revoke",
    ),
}
VENDOR_URLS["gmail"], VENDOR_URLS["outlook"] = VENDOR_URLS["google_drive"], VENDOR_URLS["onedrive"]


def test_the_default_urls_are_those_of_the_vendors() -> None:
    settings = Settings(_env_file=None)  # type: ignore[call-arg]
    apps = {
        name: adapter.make(settings).provider.oauth
        for name, adapter in ADAPTERS.items()
        if not adapter.shares
    }
    urls = {
        name: (app.authorize_url, app.token_url, app.revoke_url)
        for name, app in apps.items()
        if app is not None
    }
    assert urls == VENDOR_URLS
