"""Documents that are used: tasks are ticked, tables sorted, texts edited, notes moved by hand."""

from pathlib import Path

from tests.conftest import Person
from tests.tools.waiting import until
from tests.web.app import App

TASKS = (
    "Flat move\n\n- [x] cancel broadband\n- [ ] book the van\n\n"
    "```\n- [ ] no task\n```\n\n1. [ ] keys"
)
ROWS = "[...document.querySelectorAll('.reading tr')].map(r => [...r.cells].map(c => c.innerText))"


def _latest(person: Person) -> str:
    [document] = person.http.get("/v3/documents").json()["documents"]
    return person.http.get(f"/v3/documents/{document['id']}").json()["content"]


def test_tasks_are_ticked_and_a_text_is_edited(app: App, signed_in: Person) -> None:
    id = signed_in.save(TASKS, content_type="markdown", index_only=True)["id"]
    app.go(f"/memory/{id}")
    boxes = "document.querySelectorAll('.reading input[type=checkbox]:not(:disabled)')"
    app.wait(f"{boxes}.length === 3")
    app.page.run(f"{boxes}[1].click()")
    until(lambda: "- [x] book the van" in _latest(signed_in))
    app.wait(f"!location.pathname.includes('{id}') && {boxes}[1]?.checked")
    app.page.run(f"{boxes}[2].click()")
    until(lambda: "1. [x] keys" in _latest(signed_in))
    assert "```\n- [ ] no task\n```" in _latest(signed_in)
    app.wait(f"{boxes}[2]?.checked")
    app.check_accessible()
    app.click("Versions")
    app.wait("document.querySelectorAll('td mark').length === 2")
    marked = app.evaluate("[...document.querySelectorAll('td mark')].map(m => m.innerText)")
    assert marked[1] == "x"
    app.click("Close")
    app.click("Edit")
    app.wait("document.querySelector('textarea')")
    below = "innerHeight - [...document.querySelectorAll('main button')]"
    below += ".find(b => b.innerText === 'Save a new version').getBoundingClientRect().bottom"
    assert app.evaluate(below) > 0, "the button to save is always in sight"


def test_a_table_is_sorted_and_summed(app: App, signed_in: Person, tmp_path: Path) -> None:
    path = tmp_path / "spending.csv"
    path.write_text("what,amount,year\nrent,1150.00,2026\ntrain,31.50,2025\nfood,84.20,2026\n")
    with path.open("rb") as file:
        id = signed_in.http.post("/v3/documents/upload", files={"file": file}).json()["id"]
    until(lambda: signed_in.http.get(f"/v3/documents/{id}").json()["status"] == "done")
    app.go(f"/memory/{id}")
    app.see("1150.00")
    assert app.evaluate(ROWS)[-1] == ["Sum", "1,265.70", ""]
    app.click("amount", "th button")
    assert [row[0] for row in app.evaluate(ROWS)[1:-1]] == ["train", "food", "rent"]
    app.click("amount", "th button")
    assert [row[0] for row in app.evaluate(ROWS)[1:-1]] == ["rent", "food", "train"]
    app.check_accessible()


def test_a_note_is_dragged_into_a_project(app: App, signed_in: Person) -> None:
    signed_in.post("/v3/projects", {"name": "Garden"})
    signed_in.save("Cut the hedge in March.", index_only=True)
    app.go("/library")
    app.see("Cut the hedge")
    app.wait("document.querySelector('nav a[href=\"/projects/garden\"]')")
    app.page.run("""
      (() => {
        const data = new DataTransfer();
        const fire = (element, type) => element.dispatchEvent(
          new DragEvent(type, {bubbles: true, cancelable: true, dataTransfer: data}));
        fire(document.querySelector('main article a'), 'dragstart');
        const project = document.querySelector('nav a[href="/projects/garden"]');
        fire(project, 'dragover');
        fire(project, 'drop');
      })()""")
    app.see("1 document moved to Garden")
    assert signed_in.http.get("/v3/documents?project=garden").json()["total"] == 1


def test_ask_shows_the_answer_before_all_else(app: App, signed_in: Person) -> None:
    signed_in.save("Lotte swims with Ruta on Thursdays. Lotte wants a pony book.")
    until(lambda: signed_in.http.get("/api/memories").json()["total"] >= 2)
    app.go("/ask")
    app.see("Ask about anything you saved")
    assert "What I knew on" not in app.evaluate("document.querySelector('main').innerText")
    app.click("Filters")
    app.see("What I knew on")
    app.press("Escape")
    app.fill("Question", "Who does Lotte swim with?")
    app.press("Enter")
    app.wait("document.querySelector('ol[aria-label=Sources]')")
    answer = "document.querySelector('main article p')"
    app.wait(f"parseFloat(getComputedStyle({answer}).fontSize) === 20")
    source = app.evaluate("document.querySelector('ol[aria-label=Sources] li').innerText")
    assert "Note" in source
    app.check_accessible()
