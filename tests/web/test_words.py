"""What the app says when something is unknown, refused or repeated: plain words, only once."""

import json
from pathlib import Path

import httpx2
import pytest

from tests.conftest import Person, Server
from tests.web.app import App


@pytest.mark.parametrize("path", ["/memory/abc", "/memories/abc", "/nonsense", "/memory/a/b"])
def test_an_address_that_leads_nowhere(app: App, signed_in: Person, path: str) -> None:
    app.go(path)
    app.wait("/Nothing is here|This page does not exist/.test(document.body.innerText)")
    app.see("Go home")
    app.see("Library")
    # The browser logs that the server answered 404.
    app.page.events.clear()


def test_a_program_gets_json_and_a_browser_the_app(server: Server) -> None:
    for accept in ("application/json", "*/*"):
        reply = httpx2.get(f"{server.url}/nonsense", headers={"Accept": accept})
        assert (reply.status_code, reply.json()["code"]) == (404, "not_found")
    for path, is_page in (("/nonsense", True), ("/v3/nonsense", False), ("/api/x", False)):
        reply = httpx2.get(server.url + path, headers={"Accept": "text/html,*/*;q=0.8"})
        assert reply.status_code == 404
        assert reply.headers["content-type"].startswith("text/html") == is_page
        assert ("Content-Security-Policy" in reply.headers) == is_page


def test_an_empty_file_is_reported_in_plain_words(
    app: App, signed_in: Person, tmp_path: Path
) -> None:
    (tmp_path / "empty.txt").write_bytes(b"")
    app.go("/dashboard")
    app.wait("document.querySelector('input[type=file]')")
    app.choose_files("input[type=file]", tmp_path / "empty.txt")
    app.see("This file is empty")


def test_a_card_does_not_show_its_title_twice(app: App, signed_in: Person) -> None:
    words = "The spare key is with Mrs Okafor."
    signed_in.save(words)
    for path in ("/library", "/search?q=spare key"):
        app.go(path)
        app.see(words)
        app.settle()
        count = "document.querySelector('article').innerText.split('Okafor').length - 1"
        app.wait(f"{count} === 1")


def test_an_import_is_named_after_its_product(app: App, signed_in: Person, tmp_path: Path) -> None:
    turn = {
        "message": {"author": {"role": "user"}, "content": {"parts": ["Plan a week in Oslo."]}},
        "parent": None,
        "children": [],
    }
    conversation = {"title": "Trip", "create_time": 1, "mapping": {"a": turn}, "current_node": "a"}
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([conversation]))
    app.go("/settings")
    app.wait("document.querySelector('input[aria-label=\"File to import\"]')")
    app.choose_files('input[aria-label="File to import"]', path)
    app.see("From ChatGPT: 1 conversation")


def test_the_languages_that_are_read_are_named(app: App, signed_in: Person) -> None:
    app.go("/settings")
    app.see("Text in pictures is read in Latin script")
    app.see("Speech is understood in English")


def test_a_sentence_in_a_result_is_not_cut_at_an_ordinal(app: App, signed_in: Person) -> None:
    sentence = "Der Zahnarzttermin ist am 14. Jänner bei Frau Mag. Leitner."
    signed_in.save(f"{sentence} Danach gehen wir essen. Der Hund bleibt daheim.")
    app.go("/search?q=Zahnarzttermin")
    app.see(sentence)
