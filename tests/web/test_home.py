"""Home: what is due, then what was saved, then what changed; and what is known about the user."""

from datetime import UTC, datetime, timedelta

from tests.conftest import Person
from tests.tools.waiting import until
from tests.web.app import App

SECTIONS = "[...document.querySelectorAll('main section h2')].map(h => h.innerText)"


def _due(person: Person, content: str, days: int) -> None:
    due_at = (datetime.now(UTC) + timedelta(days=days)).isoformat()
    assert person.post("/api/memories", {"content": content, "dueAt": due_at}).status_code == 201


def test_home_shows_what_matters_first(app: App, signed_in: Person) -> None:
    app.go("/dashboard")
    app.fill("What is your name?", "Jana Wiechert")
    app.click("Save name")
    app.see(", Jana")
    app.see_no_more("What is your name?")
    for content, days in (
        ("Renew the passport.", 3),
        ("Water the plants.", 0),
        ("Pay the dentist.", -3),
        ("Return the library books.", -40),
        ("Book the summer house.", 60),
    ):
        _due(signed_in, content, days)
    old, new = "The mooring number is 41.", "The mooring number has been changed to 87."
    for text in (old, new):
        signed_in.save(text)
        until(lambda text=text: text in _current(signed_in))
    app.go("/dashboard")
    app.see("What changed")
    shown = ["Due today and soon", "Recently saved", "What changed"]
    assert [name for name in app.evaluate(SECTIONS) if name in shown] == shown
    due = app.evaluate("document.querySelector('section[aria-label^=Due]').innerText")
    order = ["Pay the dentist", "Today", "Water the plants", "Renew the passport"]
    assert [due.find(words) for words in order] == sorted(due.find(words) for words in order)
    assert all(words in due for words in order)
    assert "library books" not in due and "summer house" not in due
    cards = app.evaluate("document.querySelector('section[aria-label^=Recently]').innerText")
    assert "Default" not in cards, "of the only project there is no label"
    app.check_accessible()
    app.click("Undo", "section[aria-label='What changed'] button")
    app.see_no_more("What changed")
    app.resize(390, 844)
    app.go("/dashboard")
    app.see("Due today and soon")
    assert app.evaluate(f"({SECTIONS})[0]") == "Due today and soon"
    top = "document.querySelector('section[aria-label^=Due]').getBoundingClientRect().top"
    assert app.evaluate(top) < 100, "on a phone, the first row is content"


def _current(person: Person) -> list[str]:
    return [line["content"] for line in person.http.get("/api/memories").json()["memories"]]
