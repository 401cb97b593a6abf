"""Standing instructions, and what another assistant remembers, on the settings page."""

from tests.conftest import Person
from tests.web.app import App

ANSWER = "- I am vegetarian.\n- I hate tea.\n- I live in Room."


def pinned(person: Person) -> list[tuple[str, str | None]]:
    listed = person.http.get("/v3/instructions").json()["instructions"]
    return [(item["content"], item["project"]) for item in listed]


def test_pin_change_and_remove(app: App, signed_in: Person) -> None:
    app.go("/settings")
    app.fill("New instruction, everywhere", "Answer in English.")
    app.click("Pin", "button")
    app.wait("document.querySelector('#instructions li')?.innerText.includes('everywhere')")
    assert pinned(signed_in) == [("Answer in English.", None)]
    app.click("Edit: Answer in English.")
    app.fill("Instruction", "Answer in British English.")
    app.click("Save", "#instructions button")
    app.see("Answer in British English.")
    app.go("/dashboard")
    app.see("Answer in British English.")
    app.go("/settings")
    app.click("Remove: Answer in British English.")
    app.see("You have no standing instructions.")
    assert pinned(signed_in) == []


def test_the_settings_of_a_project(app: App, signed_in: Person) -> None:
    signed_in.post("/v3/projects", {"name": "Harbour", "slug": "harbour"})
    signed_in.post("/v3/instructions", {"content": "Be brief."})
    app.go("/projects/harbour/settings")
    app.see("Be brief.")
    app.fill("New instruction for this project", "Use tabs.")
    app.click("Pin", "button")
    app.see("Use tabs.")
    assert pinned(signed_in) == [("Be brief.", None), ("Use tabs.", "Harbour")]


def test_statements_are_accepted_one_by_one(app: App, signed_in: Person) -> None:
    app.go("/settings")
    app.see("[YYYY-MM-DD] - statement")
    app.fill("The answer", ANSWER)
    app.click("Show the statements")
    app.see("3 statements to accept or decline")
    app.click("Accept: I am vegetarian.")
    app.see("2 statements to accept or decline")
    app.click("Decline: I hate tea.")
    app.see("1 statement to accept or decline")
    app.page.run("document.querySelectorAll('#profile li textarea')[0].focus()")
    app.fill("Statement", "I live in Rome.")
    app.click("Accept: I live in Rome.")
    app.see("All are decided.")
    memories = signed_in.http.get("/api/memories").json()["memories"]
    assert {memory["content"] for memory in memories} == {"I am vegetarian.", "I live in Rome."}
