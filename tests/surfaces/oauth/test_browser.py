"""The MCP SDK's own client gets authorised from scratch in a real browser."""

import asyncio
from collections.abc import Iterator
from html import escape

import httpx2
import pytest
from mcp import Client as McpClient
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import (
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthToken,
)
from pydantic import AnyUrl

from tests.conftest import Person, Server
from tests.surfaces.oauth.protocol import Browser, Client, new_client, whoami
from tests.tools.chromium import Page, open_page
from tests.tools.listener import Listener, listen

pytestmark = pytest.mark.anyio

ENDPOINT = "/mcp/assistant"


@pytest.fixture(scope="module")
def chromium() -> Iterator[Page]:
    with open_page() as page:
        yield page


@pytest.fixture
def page(chromium: Page) -> Page:
    """A page where nobody is signed in."""
    chromium.send("Network.clearBrowserCookies")
    return chromium


@pytest.fixture
def listener() -> Iterator[Listener]:
    with listen() as listener:
        yield listener


def sign_in(page: Page, person: Person) -> None:
    page.wait("document.querySelector('#password')")
    page.fill("#email", person.email)
    page.fill("#password", person.password)
    page.click("button.primary")
    page.wait("document.querySelector('.actions')")


class MemoryTokenStorage:
    """Stores the SDK's tokens and client information in memory."""

    def __init__(self) -> None:
        self.tokens: OAuthToken | None = None
        self.client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


def provider(
    server: Server, page: Page, listener: Listener, person: Person, host: str
) -> tuple[OAuthClientProvider, MemoryTokenStorage]:
    def consent(url: str) -> None:
        page.open(url)
        sign_in(page, person)
        assert "Test of the SDK" in page.text
        assert "Read everything you have saved" in page.text
        page.click("button[value=allow]")
        page.wait("location.pathname === '/callback'")

    async def redirect(url: str) -> None:
        await asyncio.to_thread(consent, url)

    async def wait_for_callback() -> AuthorizationCodeResult:
        return AuthorizationCodeResult(**await asyncio.to_thread(listener.visit))

    metadata = OAuthClientMetadata(
        client_name="Test of the SDK", redirect_uris=[AnyUrl(listener.uri(host))]
    )
    storage = MemoryTokenStorage()
    return OAuthClientProvider(
        server.url + ENDPOINT, metadata, storage, redirect, wait_for_callback
    ), storage


async def who_am_i(http: httpx2.AsyncClient, url: str) -> str:
    """The email that the tool whoAmI returns, called in a new session."""
    transport = streamable_http_client(url, http_client=http)
    async with McpClient(transport, mode="legacy") as mcp:
        result = await mcp.call_tool("whoAmI", {})
    assert not result.is_error, result.content
    return (result.structured_content or {})["email"]


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_the_sdk_authorizes_and_calls_a_tool(
    host: str, server: Server, page: Page, listener: Listener, person: Person
) -> None:
    auth, storage = provider(server, page, listener, person, host)
    async with httpx2.AsyncClient(auth=auth, verify=False, timeout=60) as http:
        assert await who_am_i(http, server.url + ENDPOINT) == person.email
        first = storage.tokens
        assert first
        assert first.scope == "read write"
        # As if an hour had passed.
        auth.context.token_expiry_time = 1
        assert await who_am_i(http, server.url + ENDPOINT) == person.email
        second = storage.tokens
        assert second
        assert second.access_token != first.access_token
        assert second.refresh_token != first.refresh_token
    assert whoami(server.url, second.access_token).status_code == 401, "it is only for the endpoint"
    assert auth.context.oauth_metadata
    assert storage.client
    assert storage.client.client_secret
    form = {"token": second.refresh_token or ""}
    credentials = (storage.client.client_id, storage.client.client_secret)
    with httpx2.Client(verify=False) as plain:
        revocation_url = str(auth.context.oauth_metadata.revocation_endpoint)
        assert plain.post(revocation_url, data=form, auth=credentials).status_code == 200
        for tokens in (first, second):
            headers = {"Authorization": f"Bearer {tokens.access_token}"}
            refused = plain.post(server.url + ENDPOINT, json={}, headers=headers)
            assert refused.status_code == 401
            assert 'error="invalid_token"' in refused.headers["WWW-Authenticate"]


def test_a_person_denies_access(
    server: Server, page: Page, listener: Listener, person: Person, http: httpx2.Client
) -> None:
    client = new_client(http, redirect_uris=[listener.uri()])
    page.open(
        str(httpx2.URL(server.url + "/oauth/authorize", params=client.authorization_params()))
    )
    sign_in(page, person)
    page.click("button[value=deny]")
    assert listener.visit()["error"] == "access_denied"


def test_the_owner_signs_in_with_their_key_and_out_again(
    server: Server, page: Page, client: Client
) -> None:
    page.open(
        str(httpx2.URL(server.url + "/oauth/authorize", params=client.authorization_params()))
    )
    page.fill("#key", server.owner_key)
    page.click("#key ~ button")
    page.wait("document.querySelector('.actions')")
    assert "owner@localhost" in page.text
    page.click("button.link")
    page.wait("document.querySelector('#key')")


def test_script_in_a_client_name_does_not_run(
    server: Server, page: Page, http: httpx2.Client, person: Person
) -> None:
    name = "<script>document.title='run'</script><img src=x onerror=document.title='run'>"
    client = new_client(http, client_name=name)
    page.open(
        str(httpx2.URL(server.url + "/oauth/authorize", params=client.authorization_params()))
    )
    sign_in(page, person)
    assert name in page.text
    assert page.run("document.title") == "Allow access · remem"
    assert page.run("document.images.length + document.scripts.length") == 0


def test_another_site_can_neither_frame_the_page_nor_send_its_form(
    server: Server, page: Page, client: Client, person: Person, browser: Browser
) -> None:
    """The attacker listens on another port of the same host, so that every cookie is sent."""
    address = str(httpx2.URL(server.url + "/oauth/authorize", params=client.authorization_params()))
    page.open(address)
    sign_in(page, person)
    frame = f"<iframe src='{escape(address)}'></iframe>"
    with listen(frame) as attacker:
        page.open(f"http://127.0.0.1:{attacker.port}/")
        page.wait("document.querySelector('iframe')")
        (child,) = page.send("Page.getFrameTree")["frameTree"]["childFrames"]
        assert child["frame"]["url"].startswith("chrome-error:"), (
            "the browser must refuse the frame"
        )
    token = browser.csrf(client.authorization_params())
    form = (
        f"<form method=post action='{escape(address)}'><input name=decision value=allow>"
        f"<input name=csrf value={token}></form><script>document.forms[0].submit()</script>"
    )
    with listen(form) as attacker:
        page.open(f"http://127.0.0.1:{attacker.port}/")
        page.wait(f"location.origin === '{server.url}' && document.querySelector('.problem')")
        assert "Another site sent this form" in page.text
