"""The list of memories: what is filtered, selected and decided."""

from tests.conftest import Person
from tests.web.app import App


def pending(person: Person, *statements: str) -> None:
    """Inferred, so that they wait for a review."""
    for content in statements:
        body = {"content": content, "confidence": 0.3, "context": {"review": "pending"}}
        assert person.post("/api/memories", body).status_code == 201


def waiting(person: Person) -> int:
    return person.http.get("/api/memories", params={"review": "pending"}).json()["total"]


def test_all_are_selected_and_accepted_at_once(app: App, signed_in: Person) -> None:
    pending(signed_in, "The ferry leaves at nine.", "The bakery closes on Mondays.")
    app.go("/memories?tab=review")
    app.click("Select all", "input")
    app.click("Accept 2")
    app.see("Nothing to review")
    assert waiting(signed_in) == 0


def test_some_are_declined(app: App, signed_in: Person) -> None:
    pending(signed_in, "The ferry leaves at nine.", "The bakery closes on Mondays.")
    app.go("/memories?tab=review")
    app.click("Select: The ferry leaves at nine.", "input")
    app.click("Decline 1")
    app.see_no_more("The ferry leaves")
    assert waiting(signed_in) == 1


def test_a_filter_leaves_what_contains_the_words(app: App, signed_in: Person) -> None:
    for content in ("Ingrid moved to Oslo in May.", "Ole prefers the train to Bergen."):
        signed_in.post("/api/memories", {"content": content})
    app.go("/memories")
    app.see("Ole prefers")
    app.fill("Filter memories", "osl ingrid")
    app.see_no_more("Ole prefers")
    app.see("Ingrid moved")
    app.fill("Filter memories", "slo")
    app.see("No memory matches")
