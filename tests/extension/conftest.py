"""One browser with the extension, and one person who is signed in with it."""

from collections.abc import Iterator

import httpx2
import pytest

from remem.core.time import new_id
from tests.conftest import Person, Server
from tests.extension.chrome import FLAGS, Chrome
from tests.extension.sites import Sites, serve_sites
from tests.tools.chromium import open_browser


@pytest.fixture(scope="session")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sites]:
    with serve_sites(tmp_path_factory.mktemp("sites")) as serving:
        yield serving


@pytest.fixture(scope="session")
def chrome(sites: Sites) -> Iterator[Chrome]:
    with open_browser(*FLAGS, sites.rules()) as browser:
        yield Chrome(browser)


@pytest.fixture(scope="session")
def somebody(server: Server) -> Iterator[Person]:
    email, password = f"{new_id()}@example.org", "correct horse"
    http = httpx2.Client(base_url=server.url, timeout=60)
    signed = http.post("/v3/auth/register", json={"email": email, "password": password}).json()
    key = http.post(
        "/v3/api-keys",
        json={"name": "tests", "scopes": ["read", "write", "admin"]},
        headers={"X-CSRF-Token": signed["csrf_token"]},
    ).json()["key"]
    http.cookies.clear()
    http.headers["Authorization"] = f"Bearer {key}"
    yield Person(http, key, email, password, signed["user_id"], signed["organization_id"])
    http.close()


@pytest.fixture(scope="session")
def owner(server: Server, chrome: Chrome, somebody: Person) -> Person:
    """Somebody whose extension is connected."""
    chrome.sign_in(server, somebody)
    return somebody
