"""Every page is shown without errors, contacts no other server and is accessible in both themes."""

from collections.abc import Iterator

import pytest

from remem.core.ports import Ports
from tests.conftest import Person
from tests.tools.vector_move import MODEL, begin_move
from tests.web.app import CONTRAST, App

Sampled = tuple[Person, dict[str, str]]
DESIGN = "Booking API: design notes"
# Compressed, as the server sends it.
FIRST_LOAD_BYTES = 200_000

# The address of each page, and words that it shows when it is complete.
PAGES = [
    ("/dashboard", "About you"),
    ("/search?q=Maria", "Kickoff with Northgate Marina"),
    ("/ask", "Ask about anything you saved"),
    ("/library", "13 documents"),
    ("/library?view=table", "Sourdough, third attempt"),
    ("/memory/{design}", "Open questions"),
    ("/memories", "I drink my coffee black."),
    ("/memories/{memory}", "Is it right?"),
    ("/graph", "drawn without a graphics card"),
    ("/timeline", "What did I know on"),
    ("/projects", "Harbour API"),
    ("/projects/harbour", "Kickoff with Northgate Marina"),
    ("/projects/harbour/settings", "Archive project"),
    ("/connect", "Claude Code"),
    ("/activity", "Created"),
    ("/trash", "The trash is empty"),
    ("/evolution", "Nothing was changed yet"),
    ("/operator", "For the operator of this server"),
    ("/settings", "Delete account"),
    ("/settings/checkup", "Check-up"),
]


@pytest.fixture
def reader(shared_app: App, sampled: Sampled) -> Iterator[App]:
    """The app of a user who only reads. If the previous test used it as well, it is not reloaded.
    The phone test loads every page by its address."""
    shared_app.open_for(sampled[0])
    yield shared_app
    assert not shared_app.problems()


def address(path: str, sampled: Sampled) -> str:
    person, ids = sampled
    memories = person.http.get("/api/memories", params={"limit": 1}).json()["memories"]
    return path.format(design=ids[DESIGN], memory=memories[0]["id"])


@pytest.mark.parametrize(("path", "words"), PAGES, ids=[path for path, _ in PAGES])
def test_a_page_is_shown_and_is_accessible(
    reader: App, sampled: Sampled, path: str, words: str
) -> None:
    reader.show_page(address(path, sampled), words)
    reader.check_accessible()
    reader.set_dark(True)
    reader.check_accessible(CONTRAST)


def test_the_first_page_loads_little_javascript(app: App, signed_in: Person) -> None:
    app.go("/connect")
    # What the service worker of an earlier test keeps is not compressed.
    app.evaluate(
        "navigator.serviceWorker.getRegistrations()"
        ".then(all => Promise.all(all.map(worker => worker.unregister()))).then(() => 0)"
    )
    app.go("/dashboard")
    app.see("Save your first note")
    scripts = (
        "performance.getEntriesByType('resource').filter(entry => /\\.js$/.test(entry.name))"
        ".reduce((sum, entry) => sum + entry.encodedBodySize, 0)"
    )
    assert 100_000 < app.evaluate(scripts) <= FIRST_LOAD_BYTES


@pytest.mark.parametrize("path", ["/", "/login", "/register"])
def test_a_page_for_signed_out_users(app: App, path: str) -> None:
    app.go(path)
    app.see("remem")
    app.check_accessible()


def test_every_page_fits_a_phone(app: App, sampled: Sampled) -> None:
    app.sign_in(sampled[0])
    app.resize(390, 844)
    for path, words in PAGES:
        app.go(address(path, sampled))
        app.see(words)
        app.wait("!document.querySelector('main .animate-pulse')")
        too_wide = "document.documentElement.scrollWidth - innerWidth"
        assert app.page.run(too_wide) <= 0, path


def test_nothing_in_a_saved_page_runs_or_is_fetched(app: App, sampled: Sampled) -> None:
    person, ids = sampled
    app.sign_in(person)
    app.go(f"/memory/{ids['A page with guests']}")
    app.see("A link that runs")
    assert "run" not in app.page.run("document.title")
    assert app.page.run("document.querySelectorAll('article iframe, article script').length") == 0
    assert app.page.run("document.querySelectorAll('article .reading img').length") == 0
    links = app.page.run(
        "[...document.querySelectorAll('.reading a')].map(a => [a.getAttribute('href'), a.rel])"
    )
    assert ["https://example.org/", "noopener noreferrer nofollow"] in links
    assert not [href for href, _ in links if (href or "").startswith("javascript:")]


def test_another_person_sees_nothing(app: App, sampled: Sampled, signed_in: Person) -> None:
    app.go("/dashboard")
    app.see("Save your first note")
    app.go("/search?q=Maria")
    app.see("Nothing about")
    app.go(f"/memory/{sampled[1][DESIGN]}")
    app.see("Nothing is here")
    # The browser logs that the server answered 404.
    app.page.events.clear()


def test_signing_in_returns_to_the_requested_page(app: App, sampled: Sampled) -> None:
    app.go("/timeline?by=due")
    app.wait("location.pathname === '/login'")
    app.fill("Email", sampled[0].email)
    app.fill("Password", sampled[0].password)
    app.click("Sign in", "button[type=submit]")
    app.wait("location.pathname + location.search === '/timeline?by=due'")
    app.see("Due Nov 20, 2026")


def test_an_unknown_address_inside_the_app(app: App, signed_in: Person) -> None:
    app.go("/projects/nowhere")
    app.see("This project does not exist")


@pytest.mark.anyio
async def test_the_storage_page_says_how_far_vectors_have_moved(
    app: App, signed_in: Person, ports: Ports
) -> None:
    for text in ("Ada keeps bees.", "Bo plays chess.", "Cy sells boats."):
        assert signed_in.post("/api/memories", {"content": text}).status_code == 201
    app.go("/settings")
    app.see("Searchable by meaning")
    app.see_no_more(MODEL)
    await begin_move(ports, signed_in, 2)
    app.go("/settings")
    app.see(f"2 of 3 texts have moved to the model {MODEL}.")
