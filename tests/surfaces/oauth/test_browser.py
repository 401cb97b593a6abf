"""The MCP SDK's own client goes from nothing to an authorised call, in a real browser."""

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
    """Nobody is signed in."""
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


class Keeps:
    """Where the SDK keeps what it got."""

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
) -> tuple[OAuthClientProvider, Keeps]:
    def consent(url: str) -> None:
        page.open(url)
        sign_in(page, person)
        assert "Test of the SDK" in page.text
        assert "Read everything you have saved" in page.text
        page.click("button[value=allow]")
        page.wait("location.pathname === '/callback'")

    async def go(url: str) -> None:
        await asyncio.to_thread(consent, url)

    async def come_back() -> AuthorizationCodeResult:
        return AuthorizationCodeResult(**await asyncio.to_thread(listener.visit))

    about = OAuthClientMetadata(
        client_name="Test of the SDK", redirect_uris=[AnyUrl(listener.uri(host))]
    )
    keeps = Keeps()
    return OAuthClientProvider(server.url + ENDPOINT, about, keeps, go, come_back), keeps


async def who_am_i(http: httpx2.AsyncClient, url: str) -> str:
    """By a tool call, in a session of its own."""
    transport = streamable_http_client(url, http_client=http)
    async with McpClient(transport, mode="legacy") as mcp:
        result = await mcp.call_tool("whoAmI", {})
    assert not result.is_error, result.content
    return (result.structured_content or {})["email"]


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_the_sdk_goes_from_nothing_to_a_tool_call(
    host: str, server: Server, page: Page, listener: Listener, person: Person
) -> None:
    auth, keeps = provider(server, page, listener, person, host)
    async with httpx2.AsyncClient(auth=auth, verify=False, timeout=60) as http:
        assert await who_am_i(http, server.url + ENDPOINT) == person.email
        first = keeps.tokens
        assert first
        assert first.scope == "read write"
        # An hour later.
        auth.context.token_expiry_time = 1
        assert await who_am_i(http, server.url + ENDPOINT) == person.email
        second = keeps.tokens
        assert second
        assert second.access_token != first.access_token
        assert second.refresh_token != first.refresh_token
    assert whoami(server.url, second.access_token).status_code == 401, "for the endpoint alone"
    assert auth.context.oauth_metadata
    assert keeps.client
    assert keeps.client.client_secret
    form = {"token": second.refresh_token or ""}
    known = (keeps.client.client_id, keeps.client.client_secret)
    with httpx2.Client(verify=False) as plain:
        where = str(auth.context.oauth_metadata.revocation_endpoint)
        assert plain.post(where, data=form, auth=known).status_code == 200
        for tokens in (first, second):
            shown = {"Authorization": f"Bearer {tokens.access_token}"}
            refused = plain.post(server.url + ENDPOINT, json={}, headers=shown)
            assert refused.status_code == 401
            assert 'error="invalid_token"' in refused.headers["WWW-Authenticate"]


def test_a_person_says_no(
    server: Server, page: Page, listener: Listener, person: Person, http: httpx2.Client
) -> None:
    client = new_client(http, redirect_uris=[listener.uri()])
    page.open(str(httpx2.URL(server.url + "/oauth/authorize", params=client.ask())))
    sign_in(page, person)
    page.click("button[value=deny]")
    assert listener.visit()["error"] == "access_denied"


def test_the_owner_signs_in_with_their_key_and_out_again(
    server: Server, page: Page, client: Client
) -> None:
    page.open(str(httpx2.URL(server.url + "/oauth/authorize", params=client.ask())))
    page.fill("#key", server.owner_key)
    page.click("#key ~ button")
    page.wait("document.querySelector('.actions')")
    assert "owner@localhost" in page.text
    page.click("button.link")
    page.wait("document.querySelector('#key')")


def test_nothing_of_a_name_runs(
    server: Server, page: Page, http: httpx2.Client, person: Person
) -> None:
    name = "<script>document.title='run'</script><img src=x onerror=document.title='run'>"
    client = new_client(http, client_name=name)
    page.open(str(httpx2.URL(server.url + "/oauth/authorize", params=client.ask())))
    sign_in(page, person)
    assert name in page.text
    assert page.run("document.title") == "Allow access · remem"
    assert page.run("document.images.length + document.scripts.length") == 0


def test_another_site_can_neither_frame_the_page_nor_send_its_form(
    server: Server, page: Page, client: Client, person: Person, browser: Browser
) -> None:
    """The attacker listens on another port of the same host, so that every cookie goes along."""
    address = str(httpx2.URL(server.url + "/oauth/authorize", params=client.ask()))
    page.open(address)
    sign_in(page, person)
    frame = f"<iframe src='{escape(address)}'></iframe>"
    with listen(frame) as attacker:
        page.open(f"http://127.0.0.1:{attacker.port}/")
        page.wait("document.querySelector('iframe')")
        (child,) = page.send("Page.getFrameTree")["frameTree"]["childFrames"]
        assert child["frame"]["url"].startswith("chrome-error:"), "the browser shows none of it"
    token = browser.csrf(client.ask())
    form = (
        f"<form method=post action='{escape(address)}'><input name=decision value=allow>"
        f"<input name=csrf value={token}></form><script>document.forms[0].submit()</script>"
    )
    with listen(form) as attacker:
        page.open(f"http://127.0.0.1:{attacker.port}/")
        page.wait(f"location.origin === '{server.url}' && document.querySelector('.problem')")
        assert "Another site sent this form" in page.text
