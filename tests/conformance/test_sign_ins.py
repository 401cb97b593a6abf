"""Signing in at Notion, Slack and Google: each in the vendor's own form, against strict fakes."""

import base64
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl

import pytest

from remem.adapters.connectors.google_drive import GoogleDriveConnector
from remem.adapters.connectors.notion import NotionConnector
from remem.adapters.connectors.slack import SlackConnector
from remem.adapters.oauth.http import HttpOAuthClient
from remem.core.connectors import OAuthApp
from remem.core.oauth_client import GrantRefused

pytestmark = pytest.mark.anyio

BACK = "https://remem.example.org/callback"
BASIC = "Basic " + base64.b64encode(b"client:secret").decode()
NOTION_FIELDS = (
    {"grant_type", "code", "redirect_uri"},
    {"grant_type", "refresh_token"},
    {"token"},
)
CLIENT = {"client_id": "client", "client_secret": "secret"}


def answer(path: str, headers: dict[str, str], body: bytes) -> tuple[int, dict[str, Any]]:
    if path.startswith("/v1/oauth/"):
        # Notion refuses a body that has more than it knows.
        given = json.loads(body)
        if headers.get("authorization") != BASIC or set(given) not in NOTION_FIELDS:
            return 400, {"error": "invalid_request"}
        return 200, {"access_token": "ntn_1", "refresh_token": "nrt_1", "token_type": "bearer"}
    form = dict(parse_qsl(body.decode()))
    if {name: form.pop(name, None) for name in CLIENT} != CLIENT:
        return 401, {"error": "invalid_client"}
    if path == "/api/oauth.v2.access":
        user = {"id": "U1", "access_token": "xoxp-1", "token_type": "user"}
        return 200, {"ok": True, "authed_user": user, "team": {"id": "T1"}}
    if path == "/api/auth.revoke":
        return 200, {"ok": form["token"] == "xoxp-1", "revoked": True}
    if form.get("grant_type") == "authorization_code" and form.get("code_verifier"):
        return 200, {"access_token": "ya29.1", "refresh_token": "1//1", "expires_in": 3599}
    return 400, {"error": "invalid_grant"}


@pytest.fixture(scope="module")
def vendor() -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            status, found = answer(self.path, headers, body)
            data = json.dumps(found).encode()
            self.send_response_only(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """The test's own output is enough."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture
async def client() -> Any:
    opened = HttpOAuthClient()
    yield opened
    await opened.close()


def app_of(connector: Any) -> OAuthApp:
    app = connector.provider.oauth
    assert app.client_id == "client"
    return app


async def test_notion_takes_json_without_a_verifier(vendor: str, client: HttpOAuthClient) -> None:
    app = app_of(NotionConnector({"notion": vendor}, "client", "secret"))
    assert app.parameters["owner"] == "user"
    given = await client.exchange(app, "code", "verifier", BACK)
    assert (given.access, given.refresh) == ("ntn_1", "nrt_1")
    assert (await client.refresh(app, "nrt_1")).access == "ntn_1"
    await client.revoke(app, "ntn_1")


async def test_slack_gives_a_persons_own_token(vendor: str, client: HttpOAuthClient) -> None:
    app = app_of(SlackConnector({"slack": vendor}, "client", "secret"))
    assert "channels:history" in app.parameters["user_scope"] and not app.scopes
    assert (await client.exchange(app, "code", "verifier", BACK)).access == "xoxp-1"
    await client.revoke(app, "xoxp-1")


async def test_google_names_the_trap_of_an_app_in_testing(
    vendor: str, client: HttpOAuthClient
) -> None:
    urls = {"google_token": f"{vendor}/token"}
    app = app_of(GoogleDriveConnector(urls, client_id="client", client_secret="secret"))
    assert app.parameters == {"access_type": "offline", "prompt": "consent"}
    given = await client.exchange(app, "code", "verifier", BACK)
    assert (given.refresh, given.lasts_s) == ("1//1", 3599)
    with pytest.raises(GrantRefused, match="publish it to production"):
        await client.refresh(app, "1//1")
