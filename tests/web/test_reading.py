"""Reading, finding and importing: long texts, PDF, evidence, days, imports, conflicts."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx2

from tests.conftest import Person
from tests.samples.make import sample
from tests.tools.waiting import until
from tests.web.app import App

MARKED = "[...CSS.highlights.get('evidence') ?? []].map(r => r.startContainer.data.trim())"


def test_the_sentence_of_a_memory_is_marked_at_its_position(app: App, signed_in: Person) -> None:
    # The same words twice, after characters that have length 2 in JavaScript.
    text = "Notes 🌊🌊🌊\n\nMaria said: I own a blue boat.\n\nI own a blue boat. I work in Lisbon."
    id = signed_in.save(text, title="Boats")["id"]
    memories = f"/api/memories?document_id={id}"
    until(lambda: len(signed_in.http.get(memories).json()["memories"]) == 3)
    app.go(f"/memory/{id}")
    listed = signed_in.http.get(memories).json()["memories"]
    body = next(memory for memory in listed if memory["content"] == "I own a blue boat.")
    button = "[...document.querySelectorAll('aside li button')]"
    button += ".find(b => b.textContent.includes('I own') && !b.textContent.includes('Maria'))"
    app.wait(button)
    app.page.run("document.querySelector('aside details').open = true")
    app.page.run(f"{button}.focus()")
    app.wait(f"({MARKED}).length === 1")
    start = body["evidence"]["start"]
    sentence = text[start : body["evidence"]["end"]].strip()
    range_text = "[...CSS.highlights.get('evidence')].map(r => r.toString())[0]"
    assert app.evaluate(range_text).strip() == sentence
    before = "(() => { const r = [...CSS.highlights.get('evidence')][0]; const all ="
    before += " document.createRange(); all.selectNodeContents(document.querySelector('.reading'));"
    before += " all.setEnd(r.startContainer, r.startOffset); return all.toString() })()"
    assert app.evaluate(before).count("blue boat") == text[:start].count("blue boat")


def test_the_pages_of_a_pdf(app: App, signed_in: Person, tmp_path: Path) -> None:
    path = sample(tmp_path, "paper.pdf", "The harbour was full.")
    with path.open("rb") as file:
        saved = signed_in.http.post("/v3/documents/upload", files={"file": file}).json()
    until(lambda: _document(signed_in, saved["id"])["status"] == "done")
    app.go(f"/memory/{saved['id']}")
    app.see("The harbour was full.")
    app.click("Pages")
    app.wait("document.querySelector('iframe')?.src.endsWith('/original?inline=true')")
    app.click("Text")
    app.see("The harbour was full.")


def _document(person: Person, id: str) -> dict[str, str]:
    return person.http.get(f"/v3/documents/{id}").json()


def test_a_text_is_read_with_its_lines_tables_and_code(
    app: App, signed_in: Person, tmp_path: Path
) -> None:
    note = "Retro\n\nWell: pairing\nBadly: meetings\n\n- write the runbook"
    app.go(f"/memory/{signed_in.save(note, title='Retro of May', index_only=True)['id']}")
    app.see("Well: pairing\nBadly: meetings")
    code = "```python\ndef double(x):\n    return 2 * x\n```\nUsed by the importer."
    app.go(f"/memory/{signed_in.save(code, title='Doubling', index_only=True)['id']}")
    app.see("Used by the importer.")
    app.wait("document.querySelector('.reading pre code') && !document.body.innerText.match(/```/)")
    path = tmp_path / "expenses.csv"
    path.write_text("item,amount\ngroceries,84.20\nparking,7.40\n")
    with path.open("rb") as file:
        saved = signed_in.http.post("/v3/documents/upload", files={"file": file}).json()
    app.go(f"/memory/{saved['id']}")
    app.see("expenses.csv")
    rows = (
        "[...document.querySelectorAll('.reading tr')].map(r => [...r.cells].map(c => c.innerText))"
    )
    app.wait(f'JSON.stringify({rows}).includes(\'["parking","7.40"]\')')


def test_a_very_long_text_is_read_in_parts(app: App, signed_in: Person) -> None:
    # As long as a save may be; a longer file is shown in the same way. The server processes one
    # long word faster than many short ones.
    word = "administration" * 14
    text = "\n\n".join(f"Paragraph {n} of the log. {word}" for n in range(2_000))
    body = {"content": text, "title": "The log " * 60, "index_only": True}
    reply = signed_in.post("/v3/memory?async=true", body)
    assert reply.status_code in (201, 202), reply.text
    id = reply.json()["id"]
    app.go(f"/memory/{id}")
    app.see("Paragraph 1 of the log.")
    assert app.evaluate("document.querySelectorAll('.reading p').length") < 500
    app.page.run("content.scrollTo(0, content.scrollHeight)")
    app.wait("!document.body.innerText.includes('Paragraph 1 of the log.')")
    assert app.evaluate("document.documentElement.scrollWidth <= innerWidth")
    # Delete it, so that nothing waits for its thousands of vectors.
    app.go("/library")
    assert signed_in.http.delete(f"/v3/documents/{id}").status_code == 204


def test_scripts_from_right_to_left_and_without_spaces(app: App, signed_in: Person) -> None:
    signed_in.save("زار الفريق ميناء الإسكندرية في شهر مارس.", title="ملاحظات عن الميناء")
    cjk = "来週の会議は横浜港で開かれます。" * 30
    id = signed_in.save(cjk, title="横浜港の会議" * 20, index_only=True)["id"]
    app.go("/library")
    app.see("ملاحظات عن الميناء")
    title = "[...document.querySelectorAll('main a')].find(a => a.innerText.includes('ملاحظات'))"
    assert app.evaluate(f"getComputedStyle({title}.closest('[dir]')).direction") == "rtl"
    app.go(f"/memory/{id}")
    app.see("来週の会議は横浜港で開かれます。")
    assert app.evaluate("document.documentElement.scrollWidth <= innerWidth")
    app.go("/search?q=横浜港")
    app.wait("document.querySelector('mark')?.innerText.includes('横浜港')")


def test_a_change_elsewhere_is_shown_before_it_is_lost(app: App, signed_in: Person) -> None:
    id = signed_in.save("The boat is blue.", title="Boat", index_only=True)["id"]
    app.go(f"/memory/{id}?edit=1")
    app.fill("Text of the document", "The boat is green.")
    changed = signed_in.http.patch(f"/v3/documents/{id}", json={"content": "The boat is red."})
    assert changed.status_code in (200, 202)
    app.click("Save a new version")
    app.see("changed elsewhere")
    app.see("The boat is red.")
    app.click("Keep mine")
    app.click("Save a new version")
    app.see("Saved as a new version")
    [latest] = signed_in.http.get("/v3/documents").json()["documents"]
    assert _document(signed_in, latest["id"])["content"] == "The boat is green."


def test_an_import_is_previewed_and_carried_out(
    app: App, signed_in: Person, tmp_path: Path
) -> None:
    signed_in.save("The harbour opens at six.", title="Opening hours")
    path = tmp_path / "mine.ndjson"
    path.write_bytes(signed_in.http.get("/v3/export").content)
    app.go("/settings")
    app.see("Choose a file")
    app.choose_files("input[aria-label='File to import']", path)
    app.see("An export of remem:")
    app.see("Opening hours")
    app.click("Import", "dialog button")
    app.see("imported")


def test_a_file_that_cannot_be_imported_is_reported_in_the_preview(
    app: App, signed_in: Person, tmp_path
) -> None:
    path = tmp_path / "letters.ndjson"
    path.write_text('{"kind": "header", "format": "something"}\n')
    app.go("/settings")
    app.see("Choose a file")
    app.choose_files("input[aria-label='File to import']", path)
    app.wait("document.querySelector('dialog [role=alert]')")
    assert app.evaluate("[...document.querySelectorAll('dialog button')].at(-1).disabled")
    # The browser logs the refusal.
    app.page.events.clear()


def test_a_day_long_ago_is_in_the_timeline(app: App, signed_in: Person) -> None:
    then = datetime.now(UTC) - timedelta(days=200)
    signed_in.post(
        "/api/memories", {"content": "The old harbour closed.", "occurredAt": then.isoformat()}
    )
    app.go("/timeline?by=happened")
    day = f"{then:%Y-%m-%d}"
    squares = "document.querySelectorAll('button[title][aria-pressed]:not(:disabled)')"
    app.wait(f"{squares}.length === 1")
    app.page.run(f"{squares}[0].click()")
    app.wait(f"location.search.includes('day={day[:7]}')")
    app.see("The old harbour closed.")


def test_titles_show_no_markdown(app: App, signed_in: Person) -> None:
    """Older versions stored a heading as it was written."""
    saved = signed_in.save("The pump is serviced each May by Otto Klein.", title="**Pump** `log`")
    for path in (f"/memory/{saved['id']}", f"/memory/{saved['id']}/read"):
        app.go(path)
        app.wait("document.title.startsWith('Pump log')")
    app.go("/library")
    app.see("Pump log")
    app.go("/timeline")
    app.see("Pump log")
    [memory] = until(lambda: signed_in.http.get("/api/memories").json()["memories"])
    app.go(f"/memories/{memory['id']}")
    app.see("Pump log")
    reply = signed_in.http.delete(f"/v3/documents/{saved['id']}?undo=true")
    assert reply.is_success, reply.text
    app.go("/trash")
    app.see("Pump log")


def test_an_empty_result_offers_to_search_without_filters(app: App, signed_in: Person) -> None:
    signed_in.save("The spare key is with Mrs Okafor.", title="Keys", tags=["home"])
    app.go("/search?q=key&tag=boat")
    app.see("Nothing about")
    app.click("Search without filters")
    app.see("Mrs Okafor")


def test_a_misspelt_search_suggests_a_correction(app: App, signed_in: Person) -> None:
    signed_in.save("The spare key is with Mrs Okafor.", title="Keys")
    signed_in.save("Bread and milk.", title="Shopping", tags=["shop"])
    app.go("/search?q=okafro&tag=shop")
    app.see("Nothing about")
    app.click("Search for “Okafor”")
    app.wait("document.querySelector('input[type=search]').value === 'Okafor'")
    app.see("Nothing about “Okafor”")
    app.click("Search without filters")
    app.see("Mrs Okafor")


def test_a_project_gets_another_short_name(app: App, signed_in: Person) -> None:
    signed_in.post("/v3/projects", {"name": "Garden"})
    app.go("/projects/garden/settings")
    app.fill("Short name", "allotment")
    app.see("no longer find it")
    app.click("Save", "main button")
    app.wait("location.pathname === '/projects/allotment/settings'")


def test_many_documents_are_deleted_and_restored_at_once(app: App, signed_in: Person) -> None:
    for number in range(3):
        signed_in.save(f"Note {number} of the harbour.", title=f"Note {number}", index_only=True)
    app.go("/library?view=table")
    app.see("Note 2")
    for number in range(3):
        app.click(f"Select Note {number}")
    app.click("Delete")
    app.see("3 documents deleted")
    assert signed_in.http.get("/v3/documents").json()["total"] == 0
    app.press("u")
    app.see("3 documents restored")
    assert signed_in.http.get("/v3/documents").json()["total"] == 3


def test_a_browser_is_signed_out_from_another(app: App, signed_in: Person) -> None:
    def signed_in_browsers() -> int:
        return len(signed_in.http.get("/v3/auth/sessions").json()["sessions"])

    body = {"email": signed_in.email, "password": signed_in.password}
    assert httpx2.post(f"{app.url}/v3/auth/login", json=body).status_code == 200
    before = signed_in_browsers()
    app.go("/settings")
    app.click("Sign out", "main button")
    app.see("Browser signed out")
    assert signed_in_browsers() == before - 1


def current_memories(person: Person) -> list[str]:
    return [line["content"] for line in person.http.get("/api/memories").json()["memories"]]


def test_an_outdated_result_says_so_and_links_the_valid_one(app: App, signed_in: Person) -> None:
    old, new = "The mooring number is 41.", "The mooring number has been changed to 87."
    for text in (old, new):
        signed_in.save(text)
        until(lambda text=text: current_memories(signed_in) == [text])
    app.go("/search?q=mooring number")
    app.see("Outdated")
    first, second = "main li:first-child", "main li:nth-child(2)"
    assert "87" in app.evaluate(f"document.querySelector('{first} h2').innerText")
    assert "41" in app.evaluate(f"document.querySelector('{second} h2').innerText")
    link = "[...document.querySelectorAll('main a')].find(a => a.href.includes('/memories/'))"
    assert "87" in app.evaluate(f"{link}.innerText")


def test_a_replaced_memory_links_the_valid_one(app: App, signed_in: Person) -> None:
    old = signed_in.post("/api/memories", {"content": "My osteopath is Dr. Amsel."}).json()["id"]
    signed_in.post("/api/memories", {"content": "My osteopath is now Dr. Wirth."})
    app.go(f"/memories/{old}")
    app.see("Outdated")
    app.click("My osteopath is now Dr. Wirth.", "main header a")
    app.wait("document.querySelector('main h1')?.innerText === 'My osteopath is now Dr. Wirth.'")
    assert "Outdated" not in app.evaluate("document.querySelector('main header').innerText")


def test_a_result_shows_when_it_happened_and_when_it_is_due(app: App, signed_in: Person) -> None:
    times = {"occurredAt": "2026-11-03T12:00:00Z", "dueAt": "2026-12-15T12:00:00Z"}
    signed_in.post("/api/memories", {"content": "I sanded the hull.", **times})
    app.go("/search?q=sanded hull")
    app.see("happened")
    shown = app.evaluate("document.querySelector('main article').innerText")
    assert "2026" in shown.split("happened ")[1] and "due " in shown


def test_a_document_shows_what_is_known_about_it(app: App, signed_in: Person) -> None:
    body = {
        "content": "Die Fähre nach Naxos fährt um sieben Uhr ab. Wir nehmen Wasser mit.",
        "title": "Fähren",
        "content_type": "html",
        "source_url": "https://ferries.example/naxos",
        "metadata": {"author": "Mara Klein", "published_at": "2026-05-04T00:00:00Z"},
        "forget_after": "2027-03-02T12:00:00Z",
        "index_only": True,
    }
    id = signed_in.post("/v3/memory", body).json()["id"]
    app.go(f"/memory/{id}")
    app.wait("document.querySelector('dl[aria-label=\"About this document\"]')")
    facts = app.evaluate(
        "Object.fromEntries([...document.querySelectorAll('main footer dl > div')]"
        ".map(fact => [...fact.children].map(part => part.innerText)))"
    )
    assert facts.pop("Forget on").endswith("March 2, 2027")
    assert facts == {
        "Type": "Web page",
        "Author": "Mara Klein",
        "Published": "May 4, 2026",
        "Language": "German",
        "Address": "https://ferries.example/naxos",
    }
    app.check_accessible()


def test_markdown_is_not_shown_as_signs(app: App, signed_in: Person) -> None:
    """In answers, their sources and snippets; numbers and names keep their signs."""
    note = (
        "# Boat\n\n- The **blue boat** belongs to [Mara Klein](https://example.org/mara).\n"
        "- 12.5 litres of paint are in `paint_store_2`.\n"
    )
    signed_in.save(note, title="Boat", content_type="markdown")
    app.go("/ask?q=Who+does+the+blue+boat+belong+to%3F")
    app.click("Ask", "button")
    app.wait("document.querySelector('ol[aria-label=Sources]')")
    answer = app.evaluate("document.querySelector('main article').innerText")
    assert "The blue boat belongs to Mara Klein." in answer and "**" not in answer
    app.go("/search?q=litres+of+paint")
    app.see("12.5 litres of paint are in paint_store_2.")


def test_a_file_becomes_mine_on_its_page_and_back(app: App, signed_in: Person) -> None:
    files = {"file": ("card.txt", b"My gym card number is G77.\n")}
    id = signed_in.http.post("/v3/documents/upload", files=files).json()["id"]

    def speaker() -> str | None:
        memories = signed_in.http.get("/api/memories").json()["memories"]
        return memories[0]["speaker"] if memories else None

    until(lambda: speaker() == "File: card.txt")
    app.go(f"/memory/{id}")
    app.click("More actions")
    app.click("This is mine", "[role=menuitem]")
    app.see("“My” in this document is you")
    until(lambda: speaker() == "user")
    app.see("Whose words")
    app.click("Undo", "[data-sonner-toast] button")
    until(lambda: speaker() == "File: card.txt")
