"""One browser and one person with sample data for all tests of the web app."""

from collections.abc import Callable, Iterator

import httpx2
import pytest

from remem.core.time import new_id
from tests.conftest import Person, Server
from tests.tools.chromium import Page, open_page
from tests.web.app import App
from tests.web.elsewhere import serve_elsewhere
from tests.web.sample_data import HOSTILE, fill, save

# The memories of two documents are enough: each further memory adds a line to five pages, on which
# every colour is checked in both themes.
DISTILLED = ("Booking API: design notes", "Kickoff with Northgate Marina")


@pytest.fixture(scope="session")
def chromium(server: Server) -> Iterator[Page]:
    with serve_elsewhere(server.url) as elsewhere, open_page(*elsewhere.flags) as page:
        elsewhere.events = page.events
        yield page


@pytest.fixture(scope="session")
def shared_app(server: Server, chromium: Page) -> App:
    return App(chromium, server)


@pytest.fixture
def app(shared_app: App) -> Iterator[App]:
    """The app, reset. The test fails if the page reports an error or contacts another server."""
    shared_app.reset()
    yield shared_app
    shared_app.set_offline(False)
    assert not shared_app.problems()


@pytest.fixture(scope="session")
def sampled(server: Server) -> Iterator[tuple[Person, dict[str, str]]]:
    """A person with realistic contents, and the ids of their documents by title. Tests that share
    them change nothing that another test looks at."""
    email, password = f"{new_id()}@example.org", "correct horse"
    http = httpx2.Client(base_url=server.url, timeout=60)
    account = http.post("/v3/auth/register", json={"email": email, "password": password}).json()
    key = http.post(
        "/v3/api-keys",
        json={"name": "samples", "scopes": ["read", "write", "admin"]},
        headers={"X-CSRF-Token": account["csrf_token"]},
    ).json()["key"]
    http.cookies.clear()
    http.headers["Authorization"] = f"Bearer {key}"
    ids = fill(http, DISTILLED)
    ids[HOSTILE["title"]] = save(http, HOSTILE)
    yield Person(http, key, email, password, account["user_id"], account["organization_id"]), ids
    http.close()


@pytest.fixture
def signed_in(app: App, make_person: Callable[[], Person]) -> Person:
    """A new person, signed in, with nothing saved."""
    person = make_person()
    app.sign_in(person)
    return person
