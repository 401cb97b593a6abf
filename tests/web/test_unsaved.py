"""Nothing typed is lost: while it is saved, when saving fails, offline, signed out, reloaded."""

import json
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.conftest import Person
from tests.tools.waiting import until
from tests.web.app import CONTRAST, App

CTRL = 2
BOX = "Write, or paste text, an address or a picture"
SHOWN = "(document.querySelector('dialog[open]') ?? document)"
NOTES = f"[...{SHOWN}.querySelectorAll('ul[aria-label=\"Not saved yet\"] li')]"
VALUE = f"{SHOWN}.querySelector('textarea')?.value"
DIALOG_OR_PAGE = ":is(dialog[open], body:not(:has(dialog[open])) main)"
COUNT_FILES = """new Promise(done => {
  const opening = indexedDB.open('remem-files');
  opening.onupgradeneeded = () => opening.result.createObjectStore('files');
  opening.onsuccess = () => {
    const files = opening.result.transaction('files').objectStore('files');
    files.count(IDBKeyRange.bound(PREFIX, PREFIX + '\\uffff')).onsuccess = event =>
      done(event.target.result);
  };
})"""
FACT = "The spare key hangs behind the blue door."


def documents(person: Person) -> list[str]:
    return [line["title"] for line in person.http.get("/v3/documents").json()["documents"]]


def contents(person: Person) -> set[str]:
    lines = person.http.get("/v3/documents").json()["documents"]
    return {person.http.get(f"/v3/documents/{line['id']}").json()["content"] for line in lines}


def stored_files(app: App, person: Person) -> int:
    """How many files of this person the browser stores; it may still store those of others."""
    prefix = json.dumps(f"{person.tenant_id}/{person.user_id}/file/")
    return app.evaluate(COUNT_FILES.replace("PREFIX", prefix))


class Held:
    """Requests that the browser holds back until the test answers them."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._answered = 0

    def _requests(self) -> list[str]:
        self._app.page.run("1")
        return [
            event["params"]["requestId"]
            for event in self._app.page.events
            if event["method"] == "Fetch.requestPaused"
        ]

    def next(self, count: int = 1) -> list[str]:
        """Wait for so many further requests."""
        start, self._answered = self._answered, self._answered + count
        until(lambda: len(self._requests()) >= self._answered)
        return self._requests()[start : self._answered]

    def pass_on(self, count: int = 1) -> None:
        for request in self.next(count):
            self._app.page.send("Fetch.continueRequest", requestId=request)

    def refuse(self, status: int, message: str = "") -> None:
        headers = [{"name": "Content-Type", "value": "application/json"}]
        body = b64encode(json.dumps({"error": message, "code": "refused"}).encode()).decode()
        for request in self.next():
            self._app.page.send(
                "Fetch.fulfillRequest",
                requestId=request,
                responseCode=status,
                responseHeaders=headers,
                body=body,
            )


@contextmanager
def holding(app: App, path: str = "/v3/memory") -> Iterator[Held]:
    app.page.send("Fetch.enable", patterns=[{"urlPattern": f"{app.url}{path}"}])
    try:
        yield Held(app)
    finally:
        app.page.send("Fetch.disable")


def save(app: App, text: str) -> None:
    app.fill(BOX, text)
    app.press("Enter", CTRL)


def end_session(app: App) -> None:
    """Save a note after the session has ended."""
    with holding(app) as held:
        save(app, FACT)
        # Before that, another request could notice the end and cover the box with the dialog.
        [request] = held.next()
        app.page.send("Network.deleteCookies", name="remem_session", url=app.url)
        app.page.send("Fetch.continueRequest", requestId=request)
        app.see("You are signed out")


def open_box(app: App, person: Person, place: str) -> None:
    if place == "project":
        person.post("/v3/projects", {"name": "Garden"})
    app.go("/projects/garden" if place == "project" else "/dashboard")
    app.wait("document.querySelector('main textarea')")
    if place == "dialog":
        app.press("n")
        app.wait("document.querySelector('dialog[open] textarea')")


@pytest.mark.parametrize("place", ["home", "dialog", "project"])
def test_the_box_is_free_while_notes_are_saved(app: App, signed_in: Person, place: str) -> None:
    open_box(app, signed_in, place)
    with holding(app) as held:
        save(app, "The first thought.")
        app.wait(f"{VALUE} === ''")
        save(app, "The second thought.")
        app.wait(f"{NOTES}.length === 2")
        assert app.evaluate(f"{NOTES}.every(note => note.innerText.includes('Saving…'))")
        assert app.evaluate("document.activeElement.tagName") == "TEXTAREA"
        app.type("And while both are on their way, a third.")
        held.pass_on(2)
        app.wait(f"{NOTES}.length === 0")
    app.see("2 notes saved")
    assert app.evaluate(VALUE) == "And while both are on their way, a third."
    assert contents(signed_in) == {"The first thought.", "The second thought."}


def test_the_dialog_closes_when_its_note_is_saved(app: App, signed_in: Person) -> None:
    open_box(app, signed_in, "dialog")
    with holding(app) as held:
        save(app, FACT)
        app.wait(f"{NOTES}.length === 1")
        held.refuse(500, "the disk failed")
        app.see("Not saved. the disk failed")
        app.click("Retry")
        held.pass_on()
    app.wait("!document.querySelector('dialog[open]')")
    assert contents(signed_in) == {FACT}
    app.ignore_problems("500 (Internal Server Error)")


def test_a_note_that_was_refused_stays_with_its_text(app: App, signed_in: Person) -> None:
    open_box(app, signed_in, "home")
    with holding(app) as held:
        save(app, FACT)
        held.refuse(422, "The text is too long.")
        app.see("Not saved. The text is too long.")
    app.check_accessible()
    app.set_dark(True)
    app.check_accessible(CONTRAST)
    app.set_dark(False)
    app.go("/library")
    app.click("1 note not saved yet")
    app.see("Not saved. The text is too long.")
    app.click("Edit this note")
    app.wait(f"{VALUE} === {json.dumps(FACT)}")
    app.click("Save")
    app.see("1 document")
    assert contents(signed_in) == {FACT}
    app.ignore_problems("422 (Unprocessable")


def test_a_discarded_note_can_be_brought_back(app: App, signed_in: Person) -> None:
    open_box(app, signed_in, "home")
    with holding(app) as held:
        save(app, FACT)
        held.refuse(403, "The limit is reached.")
        app.click("Discard this note")
    app.wait(f"{NOTES}.length === 0")
    app.click("Undo")
    app.click("Retry")
    until(lambda: contents(signed_in) == {FACT})
    app.ignore_problems("403 (Forbidden)")


def test_a_note_on_its_way_is_sent_after_a_reload(app: App, signed_in: Person) -> None:
    open_box(app, signed_in, "home")
    with holding(app) as held:
        save(app, FACT)
        held.next()
        app.fill(BOX, "A draft beside it.")
        app.go("/dashboard")
        held.pass_on()
    app.wait("document.querySelector('main article')")
    assert contents(signed_in) == {FACT}
    assert app.evaluate(VALUE) == "A draft beside it."


def test_notes_written_offline_are_sent_later(app: App, signed_in: Person) -> None:
    open_box(app, signed_in, "home")
    app.set_offline(True)
    app.see("You are offline")
    save(app, "Written on the train.")
    save(app, "In the tunnel.")
    app.wait(f"{NOTES}.filter(note => note.innerText.includes('back online')).length === 2")
    app.set_offline(False)
    app.see("2 notes saved")
    assert contents(signed_in) == {"Written on the train.", "In the tunnel."}
    # The browser logs the failed requests.
    app.page.events.clear()


def test_a_note_waits_for_a_server_that_restarts(app: App, signed_in: Person) -> None:
    open_box(app, signed_in, "home")
    with holding(app) as held:
        save(app, FACT)
        held.refuse(503, "The server is starting.")
        app.see("Waiting. The server is starting.")
        held.pass_on()
    app.wait(f"{NOTES}.length === 0")
    assert contents(signed_in) == {FACT}
    app.ignore_problems("503 (Service Unavailable)")


def test_being_signed_out_while_writing_loses_nothing(app: App, signed_in: Person) -> None:
    open_box(app, signed_in, "home")
    end_session(app)
    app.fill("Password", signed_in.password)
    app.click("Sign in", "dialog button[type=submit]")
    app.see_no_more("You are signed out")
    app.wait("document.querySelector('main article')?.innerText.includes('spare key')")
    assert contents(signed_in) == {FACT}
    # The browser logs that the server answered 401.
    app.page.events.clear()


def test_another_person_does_not_get_what_was_typed(
    app: App, signed_in: Person, make_person: Callable[[], Person]
) -> None:
    """Neither their drafts nor their pending notes, although the session ended meanwhile."""
    other = make_person()
    open_box(app, signed_in, "home")
    end_session(app)
    app.fill("Email", other.email)
    app.fill("Password", other.password)
    app.click("Sign in", "dialog button[type=submit]")
    app.see_no_more("You are signed out")
    app.see("Save your first note")
    assert app.evaluate(VALUE) == "" and app.evaluate(f"{NOTES}.length") == 0
    app.sign_in(signed_in)
    app.go("/dashboard")
    until(lambda: contents(signed_in) == {FACT})
    assert documents(other) == []
    app.page.events.clear()


def test_a_tab_of_someone_who_was_replaced_saves_nothing(
    app: App, signed_in: Person, make_person: Callable[[], Person]
) -> None:
    other = make_person()
    open_box(app, signed_in, "home")
    # In another tab, somebody else signs in.
    app.sign_in(other)
    save(app, FACT)
    app.wait(f"{VALUE} === ''")
    app.see("Save your first note")
    app.wait(f"{NOTES}.length === 0")
    app.sign_in(signed_in)
    app.go("/dashboard")
    until(lambda: contents(signed_in) == {FACT})
    assert documents(other) == []


def test_every_draft_survives_sign_out_and_reload(app: App, signed_in: Person) -> None:
    signed_in.post("/v3/projects", {"name": "Garden"})
    document = signed_in.save("The boat is blue.", title="Boat", index_only=True)["id"]
    body = {"content": "Ines lives in Lisbon."}
    memory = signed_in.post("/api/memories", body).json()["id"]
    boxes = {
        "/dashboard": BOX,
        "/projects/garden": BOX,
        "/ask": "Question",
        f"/memory/{document}?edit=1": "Text of the document",
        f"/memories/{memory}": "Statement",
        "/memories": "Statement",
    }
    drafts = {path: f"Typed at {path}" for path in boxes}
    opened = {f"/memories/{memory}": "Edit", "/memories": "Add a memory"}
    for path, label in boxes.items():
        app.go(path)
        if path in opened:
            app.click(opened[path], "main button")
        app.fill(label, drafts[path])
    app.press("Escape")
    name = signed_in.email.split("@")[0]
    app.click(f"{name[0].upper()}\n{name}", "button")
    app.click("Sign out", "[role=menuitem]")
    app.see("One memory for you and your assistants")
    app._cookies.pop(signed_in.email)
    app.sign_in(signed_in)
    for path in boxes:
        app.go(path)
        if path in opened:
            app.click(opened[path], "main button")
            app.see("This is what you typed before.")
        app.wait(f"{VALUE} === {json.dumps(drafts[path])}")
    # A document that is only read says that it has a draft.
    app.go(f"/memory/{document}")
    app.see("You have changes to this text that are not saved yet.")
    app.click("Continue editing")
    app.click("Discard changes")
    app.see_no_more("You have changes to this text")
    app.see("The boat is blue.")


def test_what_is_typed_while_a_version_is_saved_is_kept(app: App, signed_in: Person) -> None:
    id = signed_in.save("The boat is blue.", title="Boat", index_only=True)["id"]
    app.go(f"/memory/{id}?edit=1")
    app.fill("Text of the document", "The boat is green.")
    with holding(app, f"/v3/documents/{id}") as held:
        app.press("Enter", CTRL)
        [change] = held.next()
        app.type(" It has a sail.")
        app.page.send("Fetch.continueRequest", requestId=change)
        app.see("Saved as a new version")
    assert app.evaluate(VALUE) == "The boat is green. It has a sail."
    app.click("Save a new version")
    app.see("version 3")
    app.see("The boat is green. It has a sail.")
    assert "The boat is green. It has a sail." in contents(signed_in)


def test_what_is_typed_while_a_memory_is_saved_is_kept(app: App, signed_in: Person) -> None:
    body = {"content": "Ines lives in Lisbon."}
    id = signed_in.post("/api/memories", body).json()["id"]
    app.go(f"/memories/{id}")
    app.click("Edit", "main button")
    app.fill("Statement", "Ines lives in Porto.")
    with holding(app, f"/api/memories/{id}") as held:
        app.click("Save", "dialog button")
        [change] = held.next()
        app.page.run("document.querySelector('dialog textarea').focus()")
        app.type(" She moved in May.")
        app.page.send("Fetch.continueRequest", requestId=change)
    app.see("Saved")
    app.click("Save", "dialog button")
    app.wait("!document.querySelector('dialog[open]')")
    app.see("Ines lives in Porto. She moved in May.")


def test_questions_wait_for_their_turn_and_survive_a_reload(app: App, signed_in: Person) -> None:
    for fact in (FACT, "The dentist is Dr. Amsel."):
        assert signed_in.post("/api/memories", {"content": fact}).status_code == 201
    app.go("/ask")
    with holding(app, "/api/agent/ask") as held:
        for question in ("Where is the spare key?", "Who is the dentist?"):
            app.fill("Question", question)
            app.press("Enter")
        app.see("Waiting for the answer above…")
        held.next()
        app.fill("Question", "And a third one")
        app.go("/ask")
    app.see("This question was not answered.")
    assert app.evaluate(VALUE) == "And a third one"
    app.click("Try again")
    app.see("behind the blue door")
    app.click("Try again")
    app.see("Dr. Amsel")
    app.go("/ask")
    app.see("Ask about anything you saved")


def test_a_question_that_is_too_long_is_not_cut(app: App, signed_in: Person) -> None:
    app.go("/ask")
    app.see("Ask about anything you saved")
    app.fill("Question", "why " * 600)
    app.see("A question has at most 2,000 characters; this one has 2,399.")
    assert len(app.evaluate(VALUE)) == 2_400


UPLOAD = "/v3/documents/upload"
FILES = f"[...{SHOWN}.querySelectorAll('ul[aria-label=Files] li')].map(file => file.innerText)"


def choose(app: App, path: Path, content: str = FACT) -> None:
    path.write_text(content)
    app.choose_files(f"{DIALOG_OR_PAGE} input[type=file]", path)


def test_a_file_on_its_way_is_sent_after_a_reload(
    app: App, signed_in: Person, tmp_path: Path
) -> None:
    names = ["key", "door", "boat", "pier"]
    open_box(app, signed_in, "home")
    with holding(app, UPLOAD) as held:
        app.click("This is mine", "input")
        for name in names:
            choose(app, tmp_path / f"{name}.txt", f"The {name} is blue.")
        held.next(3)
        # The page asks before it is closed while a file is not stored.
        until(lambda: stored_files(app, signed_in) == 4)
        app.go("/projects")
        app.wait(f"{FILES}.length === 4")
        held.pass_on(3)
        held.pass_on()
    app.wait(f"{FILES}.filter(text => text.includes('Saved · Open')).length === 4")
    app.click("Clear list")
    assert contents(signed_in) == {
        f"The {name} is blue." for name in ("key", "door", "boat", "pier")
    }
    for line in signed_in.http.get("/v3/documents").json()["documents"]:
        assert line["metadata"]["speaker"] == "user"
    until(lambda: stored_files(app, signed_in) == 0)


def test_a_file_is_stored_after_the_data_of_the_site_was_cleared(
    app: App, signed_in: Person, tmp_path: Path
) -> None:
    open_box(app, signed_in, "home")
    with holding(app, UPLOAD) as held:
        choose(app, tmp_path / "key.txt", "The key is blue.")
        until(lambda: stored_files(app, signed_in) == 1)
        app.page.send("Storage.clearDataForOrigin", origin=app.url, storageTypes="indexeddb")
        choose(app, tmp_path / "door.txt", "The door is blue.")
        # The first file may be stored again with it.
        until(lambda: stored_files(app, signed_in) >= 1)
        held.pass_on(2)
    app.wait(f"{FILES}.filter(text => text.includes('Saved · Open')).length === 2")


def test_a_file_waits_for_a_server_that_restarts(
    app: App, signed_in: Person, tmp_path: Path
) -> None:
    open_box(app, signed_in, "home")
    with holding(app, UPLOAD) as held:
        choose(app, tmp_path / "key.txt")
        held.refuse(503, "The server is starting.")
        app.see("Waiting. The server is starting.")
        held.pass_on()
    app.see("Saved · Open")
    assert contents(signed_in) == {FACT}
    app.ignore_problems("503 (Service Unavailable)")


def test_a_refused_file_can_be_sent_again_or_discarded(
    app: App, signed_in: Person, tmp_path: Path
) -> None:
    open_box(app, signed_in, "home")
    with holding(app, UPLOAD) as held:
        choose(app, tmp_path / "key.txt")
        held.refuse(413, "The file is too large.")
        app.see("The file is too large.")
        app.go("/dashboard")
        app.see("The file is too large.")
        app.click("Discard this file")
        app.wait(f"{FILES}.length === 0")
        app.click("Undo")
        app.click("Retry")
        held.pass_on()
    app.see("Saved · Open")
    assert contents(signed_in) == {FACT}
    app.ignore_problems("413 (Request Entity Too Large)")


def test_a_file_is_still_listed_when_its_dialog_is_closed(
    app: App, signed_in: Person, tmp_path: Path
) -> None:
    open_box(app, signed_in, "dialog")
    with holding(app, UPLOAD) as held:
        choose(app, tmp_path / "key.txt")
        app.wait(f"{FILES}.length === 1")
        app.press("Escape")
        app.wait("!document.querySelector('dialog[open]')")
        app.wait(f"{FILES}.length === 1")
        held.pass_on()
    app.see("Saved · Open")


def test_another_person_does_not_get_the_files(
    app: App, signed_in: Person, make_person: Callable[[], Person], tmp_path: Path
) -> None:
    other = make_person()
    open_box(app, signed_in, "home")
    # In another tab, somebody else signs in.
    app.sign_in(other)
    choose(app, tmp_path / "key.txt")
    app.see("Save your first note")
    app.wait(f"{FILES}.length === 0")
    app.sign_in(signed_in)
    app.go("/dashboard")
    until(lambda: contents(signed_in) == {FACT})
    assert documents(other) == []


@pytest.mark.parametrize("place", ["home", "dialog", "project", "question", "document", "memory"])
def test_the_caret_is_at_the_end_of_a_restored_draft(
    app: App, signed_in: Person, place: str
) -> None:
    document = signed_in.save("The boat is blue.", title="Boat", index_only=True)["id"]
    boxes = {"question": ("/ask", "Question"), "memory": ("/memories", "Statement")}
    boxes["document"] = (f"/memory/{document}?edit=1", "Text of the document")

    def show() -> None:
        if place not in boxes:
            open_box(app, signed_in, place)
        else:
            app.go(boxes[place][0])
        if place == "memory":
            app.click("Add a memory", "main button")
        app.wait(f"{SHOWN}.querySelector('textarea')")

    show()
    app.fill(boxes.get(place, ("", BOX))[1], "The key is")
    app.go("/settings")
    show()
    app.page.run(f"{SHOWN}.querySelector('textarea').focus()")
    app.type(" new")
    app.wait(f"{VALUE} === 'The key is new'")
