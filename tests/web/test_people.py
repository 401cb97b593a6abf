"""People and things are renamed, merged and split on their page, with undo."""

from tests.conftest import Person
from tests.web.app import CONTRAST, App

MEMORIES = (
    "Robert Miller painted the house.",
    "Bobby Miller repaired the fence.",
    "Anna Weber teaches the violin.",
    "Anna Weber repairs bicycles.",
)


def test_names_are_merged_renamed_split_and_restored(app: App, signed_in: Person) -> None:
    app.go("/people")
    app.see("Nobody yet")
    for content in MEMORIES:
        signed_in.post("/api/memories", {"content": content})
    app.go("/people")
    app.click("Choose Robert Miller", "input")
    app.click("Choose Bobby Miller", "input")
    app.see("2 selected")
    app.check_accessible()
    app.click("Merge")
    app.see("Which name stays?")
    app.check_accessible()
    app.click("Merge", "dialog button")
    app.see("What you changed")
    [merged] = [name for name in ("Robert Miller", "Bobby Miller") if _is_listed(app, name)]
    app.click(f"Rename {merged}")
    app.fill("Name", "Rob")
    app.click("Save", "dialog button")
    app.wait("document.querySelector('[aria-label=\"Rename Rob\"]')")
    app.click("Split Anna Weber")
    app.fill("Name of the new one", "Anna with the bicycles")
    app.click("Anna Weber repairs bicycles.", "dialog input")
    app.check_accessible()
    app.click("Split", "dialog button")
    app.wait("document.querySelector('[aria-label=\"Rename Anna with the bicycles\"]')")
    app.set_dark(True)
    app.check_accessible(CONTRAST)
    app.set_dark(False)
    app.resize(390, 844)
    assert app.evaluate("document.documentElement.scrollWidth") <= 390
    app.resize(1280, 860)
    names = {item["name"] for item in signed_in.http.get("/v3/entities").json()["entities"]}
    assert {"Rob", "Anna Weber", "Anna with the bicycles"} <= names
    app.click(f"Undo {merged} → Rob")
    app.wait(f"document.querySelector('[aria-label=\"Rename {merged}\"]')")
    app.fill("Find a name", "anna with")
    app.wait("document.querySelectorAll('main [aria-label^=Rename]').length === 1")


def _is_listed(app: App, name: str) -> bool:
    renames = 'main [aria-label*="Miller"][aria-label^=Rename]'
    app.wait(f"document.querySelectorAll('{renames}').length === 1")
    return app.page.is_true(f"!!document.querySelector('[aria-label=\"Rename {name}\"]')")
