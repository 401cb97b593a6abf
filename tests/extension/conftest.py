"""One browser with the extension, and one person who is signed in with it."""

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

# What the browser itself asks for, whatever its preferences say, a newer one for its video module
# too; the proxy refuses it.
OF_FIREFOX = re.compile(r"\.mozilla\.(com|org):443$|^update\.googleapis\.com:443$")


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """Nothing here asks for memories of what was saved, which are most of the work of saving it."""
    folder = new_folder()
    running = start_server(folder, module="tests.tools.quick_passwords", REMEM_DISTIL="false")
    yield running
    stop_server(running)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sites]:
    with serve_sites(tmp_path_factory.mktemp("sites")) as serving:
        yield serving


@pytest.fixture(scope="session")
def chrome(sites: Sites) -> Iterator[Chrome]:
    with open_browser(*FLAGS, sites.rules()) as browser:
        yield Chrome(browser)


@pytest.fixture(scope="session")
def fox(sites: Sites) -> Iterator[Fox]:
    """Firefox has no rule for names, so a proxy leads them here; it asks for no permission."""
    with serve_proxy(sites) as proxy:
        asked = {"network.proxy.ssl_port": proxy.port}
        answered = {"extensions.webextOptionalPermissionPrompts": False}
        with open_firefox({**asked, **answered}) as firefox:
            yield Fox(firefox)
        assert not [name for name in proxy.refused if not OF_FIREFOX.search(name)]


@pytest.fixture(autouse=True)
def _as_before(request: pytest.FixtureRequest) -> Iterator[None]:
    """The browsers and the people are shared by all tests, which run in any order."""
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
def fox_owner(fox: Fox, server: Server) -> Iterator[Person]:
    """Not the person of the other browser, whose grants and memories come and go."""
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
    """Somebody whose extension is connected."""
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
