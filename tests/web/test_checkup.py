"""The page of the check-up: numbers, the list behind one, a fix and its undo."""

from tests.conftest import Person
from tests.web.app import App


def test_a_finding_is_listed_fixed_and_undone(app: App, signed_in: Person) -> None:
    app.go("/settings")
    app.click("Check-up", "a")
    app.see("Nothing to do")
    for place in ("kitchen", "cellar"):
        content = f"The password of the {place} radio is hunter{len(place)}x."
        assert signed_in.post("/api/memories", {"content": content}).status_code == 201
    app.go("/settings/checkup")
    app.see("2 memories or documents contain a password")
    app.click("Secrets in plain text", "button")
    app.see("The password of the cellar radio is ••••••")
    app.click("Mask: 2 shown", "button")
    app.see("Nothing to do")
    app.click("Undo", "button")
    app.see("2 memories or documents contain a password")
