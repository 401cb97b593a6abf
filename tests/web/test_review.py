"""The list of memories: filters, selection and review decisions."""

from tests.conftest import Person
from tests.web.app import App


def add_pending(person: Person, *statements: str) -> None:
    """Add memories with a low confidence that wait for a review."""
    for content in statements:
        body = {"content": content, "confidence": 0.3, "context": {"review": "pending"}}
        assert person.post("/api/memories", body).status_code == 201


def count_pending(person: Person) -> int:
    return person.http.get("/api/memories", params={"review": "pending"}).json()["total"]


def test_all_are_selected_and_accepted_at_once(app: App, signed_in: Person) -> None:
    add_pending(signed_in, "The ferry leaves at nine.", "The bakery closes on Mondays.")
    app.go("/memories?tab=review")
    app.click("Select all", "input")
    app.click("Accept 2")
    app.see("Nothing to review")
    assert count_pending(signed_in) == 0


def test_some_are_declined(app: App, signed_in: Person) -> None:
    add_pending(signed_in, "The ferry leaves at nine.", "The bakery closes on Mondays.")
    app.go("/memories?tab=review")
    app.click("Select: The ferry leaves at nine.", "input")
    app.click("Decline 1")
    app.see_no_more("The ferry leaves")
    assert count_pending(signed_in) == 1


def test_a_filter_keeps_memories_that_contain_the_words(app: App, signed_in: Person) -> None:
    for content in ("Ingrid moved to Oslo in May.", "Ole prefers the train to Bergen."):
        signed_in.post("/api/memories", {"content": content})
    app.go("/memories")
    app.see("Ole prefers")
    app.fill("Filter memories", "osl ingrid")
    app.see_no_more("Ole prefers")
    app.see("Ingrid moved")
    app.fill("Filter memories", "slo")
    app.see("No memory matches")
