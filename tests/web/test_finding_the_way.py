"""Drag and drop, saved searches, the palette, the activity, the graph's search, the calendar."""

from datetime import UTC, datetime, timedelta

from tests.conftest import Person
from tests.web.app import App
from tests.web.test_actions import documents

CTRL = 2
# Drag a file over an element, with the events that the browser sends, and drop it.
_DRAG = """
(() => {
  const data = new DataTransfer();
  data.items.add(new File(['The harbour was full.'], 'dropped.txt', {type: 'text/plain'}));
  window.dragged = name => {
    const event = new DragEvent(name, {dataTransfer: data, bubbles: true, cancelable: true});
    document.querySelector('nav[aria-label=Main]').dispatchEvent(event);
    return event.defaultPrevented; };
  return dragged('dragover');
})()
"""


def test_a_file_is_dropped_anywhere(app: App, signed_in: Person) -> None:
    app.go("/activity")
    app.see("Created API key")
    assert app.evaluate(_DRAG), "the browser would leave the app"
    app.see("Drop to save files or folders")
    app.evaluate("dragged('drop')")
    app.see_no_more("Drop to save")
    app.see("Saved · Open")
    assert len(documents(signed_in)) == 1


def test_a_file_dropped_while_signed_out_does_not_leave_the_app(app: App) -> None:
    app.go("/login")
    script = _DRAG.replace("nav[aria-label=Main]", "form")
    assert app.evaluate(script), "the browser would leave the app"


def test_a_saved_search_is_confirmed_and_undone(app: App, signed_in: Person) -> None:
    signed_in.save("The harbour was full.")
    app.go("/search?q=harbour")
    app.click("Save this search")
    app.see("Search saved")
    app.wait("document.querySelector('nav[aria-label=Main] a[href=\"/search?q=harbour\"]')")
    app.click("Undo", "button")
    app.wait("!document.querySelector('nav[aria-label=Main] a[href=\"/search?q=harbour\"]')")
    app.see("Save this search")


def test_the_palette_asks_questions_and_has_no_empty_groups(app: App, signed_in: Person) -> None:
    app.go("/library")
    app.see("Your library is empty")
    app.press("k", CTRL)
    app.wait("document.querySelector('dialog[open] input')")
    app.type("where is the spare key")
    app.see("Ask “where is the spare key”")
    app.wait("document.querySelectorAll('dialog[open] [cmdk-group]').length === 1")
    app.evaluate("document.querySelector('dialog[open] [data-value=ask]').click()")
    app.wait("location.pathname === '/ask'")
    app.wait("document.querySelector('textarea').value === 'where is the spare key'")


def test_enter_in_the_palette_never_opens_a_result_of_an_earlier_query(
    app: App, signed_in: Person
) -> None:
    signed_in.save("# Harbour notes\n\nThe ferry leaves at nine.")
    app.go("/library")
    app.see("Harbour notes")
    app.press("k", CTRL)
    app.wait("document.activeElement.placeholder?.startsWith('Search your memory')")
    app.type("harbour")
    app.wait(
        "document.querySelector('[cmdk-item][data-selected=true]').innerText.includes('notes')"
    )
    with app.latency(30_000):
        app.type(" lemons")
        app.press("Enter")
        app.wait("location.search === '?q=harbour%20lemons'")


def test_an_activity_is_described_in_plain_words(app: App, signed_in: Person) -> None:
    saved = signed_in.save("# Harbour notes\n\nThe ferry leaves at nine.")
    signed_in.post("/api/sessions", {"agent": "claude", "title": "Plans for the harbour"})
    app.go("/activity")
    app.wait(f"document.querySelector('main a[href=\"/memory/{saved['id']}\"]')")
    app.see("Created document Harbour notes")
    app.see("Created conversation Plans for the harbour")
    app.wait("!/_|mc_/.test(document.querySelector('main').innerText)")


def test_the_graph_finds_the_person_before_the_texts(app: App, signed_in: Person) -> None:
    for place in ("Utrecht", "Delft", "Leiden"):
        signed_in.post("/api/memories", {"content": f"Clara Jansen met Priya Nair in {place}."})
    app.go("/graph")
    app.fill("Find in the graph", "clara jansen")
    app.wait("document.querySelector('main ul li')?.innerText === 'Clara Jansen'")
    app.press("Enter")
    app.wait("document.querySelector('aside h2')?.innerText === 'Clara Jansen'")
    chips, panel = "main [aria-pressed]", "main aside"
    app.wait(
        f"Math.max(...[...document.querySelectorAll('{chips}')]"
        ".map(e => e.getBoundingClientRect().right))"
        f" <= document.querySelector('{panel}').getBoundingClientRect().left"
    )


def test_the_calendar_of_due_memories_begins_around_today(app: App, signed_in: Person) -> None:
    soon, late = (datetime.now(UTC) + timedelta(days=days) for days in (5, 5 * 365))
    for name, due in (("Renew the passport.", soon), ("Renew the lease.", late)):
        signed_in.post("/api/memories", {"content": name, "dueAt": due.isoformat()})
    app.go("/timeline?by=due")
    app.see("Renew the lease.")
    app.wait("document.querySelector('main [aria-current=date]')")
    app.wait("document.querySelectorAll('main button[aria-pressed][title]:enabled').length === 1")
    app.click("Later months")
    app.see("Around today")
    app.wait("!document.querySelector('main button[aria-pressed][title]:enabled')")


def test_a_day_is_in_the_readers_time_zone(app: App, signed_in: Person) -> None:
    """West of Greenwich, midnight UTC belongs to the day before."""
    app.page.send("Emulation.setTimezoneOverride", timezoneId="America/Los_Angeles")
    try:
        app.go("/timeline?as_of=2026-03-15")
        app.see("Sunday, March 15, 2026")
        app.go("/ask?as_of=2026-03-15")
        app.see("Answers use only what you knew at the end of Sunday, March 15, 2026")
    finally:
        app.page.send("Emulation.setTimezoneOverride", timezoneId="")
