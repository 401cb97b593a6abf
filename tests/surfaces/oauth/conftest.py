"""OAuth clients, and browsers of users who authorize them."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TypeAlias

import httpx2
import pytest

from tests.conftest import Person, Server
from tests.surfaces.oauth.protocol import Browser, Client, new_client

OpenBrowser: TypeAlias = Callable[..., Browser]


@pytest.fixture
def http(server: Server) -> Iterator[httpx2.Client]:
    """An HTTP client without a credential or a cookie."""
    with httpx2.Client(base_url=server.url, timeout=60, verify=False) as http:
        yield http


@pytest.fixture
def client(http: httpx2.Client) -> Client:
    return new_client(http)


@pytest.fixture
def other_client(http: httpx2.Client) -> Client:
    return new_client(http, client_name="Another client")


@pytest.fixture
def open_browser(server: Server, client: Client) -> Iterator[OpenBrowser]:
    """Open browsers: signed in on the page if fields are given, otherwise signed out."""
    with ExitStack() as stack:

        def open_browser(**fields: str) -> Browser:
            http = httpx2.Client(base_url=server.url, timeout=60, verify=False)
            browser = Browser(stack.enter_context(http), server.url)
            if fields:
                assert browser.sign_in(client.authorization_params(), **fields).status_code == 303
            return browser

        yield open_browser


@pytest.fixture
def browser(server: Server, open_browser: OpenBrowser) -> Browser:
    """The browser of the local owner."""
    return open_browser(key=server.owner_key)


@pytest.fixture
def own_browser(person: Person, open_browser: OpenBrowser) -> Browser:
    return open_browser(email=person.email, password=person.password)
