"""A server below a path of a reverse proxy: the web app, the clients, OAuth and MCP."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace

import httpx2
import pytest
from mcp.client.auth import OAuthClientProvider

from remem.client import Remem
from tests.conftest import Person, Server, new_person, start_server, stop_server
from tests.extension.chrome import FLAGS, Chrome, click, fill, sign_in_window
from tests.surfaces.oauth.test_browser import provider, who_am_i
from tests.tools.chromium import Page, open_browser, open_page
from tests.tools.folders import new_folder
from tests.tools.listener import listen
from tests.tools.reverse_proxy import PATH, ReverseProxy, serve_reverse_proxy
from tests.web.app import App

ENDPOINT = "/mcp/assistant"


@pytest.fixture(scope="module")
def proxy() -> Iterator[ReverseProxy]:
    with serve_reverse_proxy() as proxy:
        yield proxy


@pytest.fixture(scope="module")
def direct(proxy: ReverseProxy) -> Iterator[Server]:
    """The server at its own address."""
    folder = new_folder()
    running = start_server(
        folder, module="tests.tools.quick_passwords", REMEM_PUBLIC_URL=proxy.url + "/"
    )
    proxy.target = running.url
    yield running
    stop_server(running)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def published(direct: Server, proxy: ReverseProxy) -> Server:
    return replace(direct, url=proxy.url)


@pytest.fixture(scope="module")
def reader(published: Server) -> Iterator[Person]:
    person = new_person(published)
    yield person
    person.http.close()


@pytest.fixture(params=["stripped", "forwarded"])
def strips(request: pytest.FixtureRequest, proxy: ReverseProxy) -> Iterator[None]:
    proxy.strips = request.param == "stripped"
    proxy.outside.clear()
    yield
    assert proxy.outside == []


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with open_page() as page:
        yield page


@pytest.mark.usefixtures("strips")
def test_the_web_app(published: Server, reader: Person, page: Page) -> None:
    reader.save("# Harbour notes\n\nThe night ferry leaves at seven.")
    app = App(page, published)
    app.reset()
    with app.recording_requests():
        app.go("/")
        app.go("/login?next=%2Flibrary")
        app.fill("Email", reader.email)
        app.fill("Password", reader.password)
        app.click("Sign in", "button")
        app.wait(f"location.pathname === '{PATH}/library'")
        app.click("Harbour notes", "a")
        app.wait(f"location.pathname.startsWith('{PATH}/memory/')")
        page.send("Page.reload")
        app.see("The night ferry leaves at seven.")
        app.go("/search?q=ferry")
        app.click("Save this search")
        app.wait("document.querySelector('nav[aria-label=Main] a[href$=\"/search?q=ferry\"]')")
        app.go("/connect")
        app.see(f"{published.url}/mcp")
        app.go("/settings")
        app.wait(f"document.querySelector('a[href=\"{PATH}/v3/export\"]')")
        cookies = {row["name"]: row["path"] for row in page.send("Network.getCookies")["cookies"]}
    assert cookies == {"remem_session": PATH, "remem_csrf": PATH}
    assert app.problems() == []


def test_the_web_app_at_the_address_of_the_server(direct: Server, page: Page) -> None:
    app = App(page, direct)
    app.reset()
    app.go("/login?next=%2Flibrary")
    app.wait(f"location.pathname === '{PATH}/login' && location.search")
    app.see("Sign in")
    assert app.problems() == []


@pytest.mark.usefixtures("strips")
def test_the_clients(published: Server, reader: Person) -> None:
    with Remem(f"{published.url}/", reader.key) as remem:
        saved = remem.save("The lighthouse is closed on Mondays.")
        assert remem.recall("lighthouse")["results"][0]["id"] == saved["id"]
    env = {**os.environ, "REMEM_URL": published.url, "REMEM_KEY": reader.key}
    words = [sys.executable, "-m", "remem", "recall", "lighthouse"]
    recalled = subprocess.run(words, env=env, capture_output=True, text=True, timeout=120)
    assert "closed on Mondays" in recalled.stdout, recalled.stderr


@pytest.mark.anyio
@pytest.mark.usefixtures("strips")
async def test_the_mcp_sdk_signs_in(published: Server, reader: Person, page: Page) -> None:
    page.send("Network.clearBrowserCookies")
    with listen() as listener:
        auth, storage = provider(published, page, listener, reader, "127.0.0.1")
        assert isinstance(auth, OAuthClientProvider)
        async with httpx2.AsyncClient(auth=auth, timeout=60) as http:
            assert await who_am_i(http, published.url + ENDPOINT) == reader.email
    assert storage.tokens
    assert auth.context.oauth_metadata
    assert str(auth.context.oauth_metadata.issuer) == published.url


@pytest.mark.usefixtures("strips")
def test_links_and_metadata(published: Server, direct: Server, proxy: ReverseProxy) -> None:
    http = httpx2.Client(timeout=60)
    origin = proxy.url.removesuffix(PATH)
    issuer = http.get(f"{origin}/.well-known/oauth-authorization-server{PATH}").json()
    assert issuer["issuer"] == published.url
    assert issuer == http.get(f"{published.url}/.well-known/oauth-authorization-server").json()
    resource = http.get(f"{origin}/.well-known/oauth-protected-resource{PATH}/mcp").json()
    assert resource["resource"] == f"{published.url}/mcp"
    refused = http.post(f"{published.url}/mcp/?a=b", follow_redirects=True)
    assert refused.url == f"{published.url}/mcp?a=b"
    address = refused.headers["WWW-Authenticate"].split('resource_metadata="')[1].rstrip('"')
    assert http.get(address).json() == resource
    card = http.get(f"{published.url}/agent.json").json()
    assert card["openapiUrl"] == f"{published.url}/openapi.json"
    openapi = http.get(card["openapiUrl"]).json()
    assert openapi["servers"] == [{"url": PATH}]
    key = {"Authorization": f"Bearer {direct.owner_key}"}
    link = http.post(f"{published.url}/v3/auth/links", headers=key).json()["path"]
    opened = http.get(published.url + link)
    assert opened.headers["Location"] == f"{PATH}/dashboard"
    assert "Path=/remem;" in opened.headers["Set-Cookie"]


@pytest.mark.usefixtures("strips")
def test_the_extension(published: Server, reader: Person) -> None:
    """It is connected with the address of a page, as people copy it."""
    with open_browser(*FLAGS) as browser:
        chrome = Chrome(browser)
        options = chrome.own_page("options.html")
        options.wait("document.querySelector('#base')")
        fill(options, "#base", f"{published.url}/connect")
        click(options, "Connect")
        sign_in_window(chrome.page_at(f"{published.url}/oauth/authorize"), reader)
        options.wait("document.body.innerText.includes('Sign out')")
        found = chrome.send_message(options, type="recall", query="lighthouse", limit=1)
        assert "problem" not in found, found
