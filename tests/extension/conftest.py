"""A browser of each kind with the extension, and a person who is signed in with it."""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import httpx2
import pytest

from remem.core.time import new_id
from tests.conftest import Person, Server, start_server, stop_server
from tests.extension.chrome import FLAGS, Chrome
from tests.extension.connect_proxy import serve_proxy
from tests.extension.editor_page import FACT, bundle, serve_editors
from tests.extension.fox import Fox
from tests.extension.restoring import restore_chrome, restore_fox
from tests.extension.sites import Sites, serve_sites
from tests.tools.chromium import open_browser
from tests.tools.firefox import open_firefox
from tests.tools.folders import new_folder

# Hosts that Firefox contacts whatever its preferences are; newer versions also fetch a video
# module. The proxy refuses these requests.
FIREFOX_HOSTS = re.compile(r"\.mozilla\.(com|org):443$|^update\.googleapis\.com:443$")


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A server that distils no memories: no test here needs them, and they are most of the work of
    a save."""
    folder = new_folder()
    running = start_server(folder, module="tests.tools.quick_passwords", REMEM_DISTIL="false")
    yield running
    stop_server(running)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sites]:
    with serve_sites(tmp_path_factory.mktemp("sites")) as sites:
        yield sites


@pytest.fixture(scope="session")
def chrome(sites: Sites) -> Iterator[Chrome]:
    with open_browser(*FLAGS, sites.rules()) as browser:
        yield Chrome(browser)


@pytest.fixture(scope="session")
def fox(sites: Sites) -> Iterator[Fox]:
    """Firefox cannot map host names, so a proxy does. Permissions are granted without a prompt."""
    with serve_proxy(sites) as proxy:
        proxied = {"network.proxy.ssl_port": proxy.port}
        granted = {"extensions.webextOptionalPermissionPrompts": False}
        with open_firefox({**proxied, **granted}) as firefox:
            yield Fox(firefox)
        assert not [name for name in proxy.refused if not FIREFOX_HOSTS.search(name)]


@pytest.fixture(autouse=True)
def _restore(request: pytest.FixtureRequest) -> Iterator[None]:
    """All tests share the browsers and the accounts, and run in any order."""
    yield
    if "owner" in request.fixturenames:
        restore_chrome(request.getfixturevalue("chrome"), request.getfixturevalue("server"))
    if "fox_owner" in request.fixturenames:
        person = request.getfixturevalue("fox_owner")
        restore_fox(request.getfixturevalue("fox"), request.getfixturevalue("server"), person)


@contextmanager
def registered(server: Server) -> Iterator[Person]:
    email, password = f"{new_id()}@example.org", "correct horse"
    http = httpx2.Client(base_url=server.url, timeout=60)
    account = http.post("/v3/auth/register", json={"email": email, "password": password}).json()
    key = http.post(
        "/v3/api-keys",
        json={"name": "tests", "scopes": ["read", "write", "admin"]},
        headers={"X-CSRF-Token": account["csrf_token"]},
    ).json()["key"]
    http.cookies.clear()
    http.headers["Authorization"] = f"Bearer {key}"
    yield Person(http, key, email, password, account["user_id"], account["organization_id"])
    http.close()


@pytest.fixture(scope="session")
def fox_owner(fox: Fox, server: Server) -> Iterator[Person]:
    """A separate account: the grants and memories of the other browser's owner change."""
    with registered(server) as person:
        assert person.http.post("/api/memories", json={"content": FACT}).status_code < 300
        fox.sign_in(server, person)
        yield person


@pytest.fixture(scope="session")
def somebody(server: Server) -> Iterator[Person]:
    with registered(server) as person:
        yield person


@pytest.fixture(scope="session")
def owner(server: Server, chrome: Chrome, somebody: Person) -> Person:
    """A person whose extension is connected."""
    chrome.sign_in(server, somebody)
    return somebody


@pytest.fixture(scope="session")
def editor_scripts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return bundle(tmp_path_factory.mktemp("editors"))


@pytest.fixture(scope="session")
def editors(sites: Sites, editor_scripts: dict[str, bytes]) -> str:
    return serve_editors(sites, editor_scripts)


@pytest.fixture(scope="session")
def fact(owner: Person) -> str:
    assert owner.http.post("/api/memories", json={"content": FACT}).status_code < 300
    return FACT
