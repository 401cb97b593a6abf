"""Alt+Shift+M in six real editors: inserted once, with its line breaks, and undone with Ctrl+Z."""

from collections.abc import Iterator

import pytest

from tests.conftest import Person
from tests.extension.chrome import Chrome, evaluate, inside, wait_for_panel
from tests.extension.editor_page import FACT, KINDS, QUESTION
from tests.tools.chromium import Page


@pytest.mark.parametrize("kind", KINDS)
def test_insertion(chrome: Chrome, editors: str, fact: str, kind: str) -> None:
    url = f"{editors}?kind={kind}"
    page, _ = chrome.visit(url)
    page.wait("window.ready && document.querySelector('textarea, [contenteditable]')")
    page.run("editable().focus()")
    page.send("Input.insertText", text=QUESTION)
    page.wait(f"model().includes('{QUESTION}')")
    open_panel(chrome, page, url)
    press(page, "Enter", 13, "\r")
    page.wait("model().includes('[End of memory]') && !document.querySelector('remem-panel')")
    lines = [line.strip() for line in page.run("model()").split("\n") if line.strip()]
    assert lines[0] == QUESTION
    assert lines[1] == "[From my memory, remem]"
    assert lines[2].startswith(f"- {FACT} (20")
    assert lines[-1] == "[End of memory]"
    assert page.run("model()").count("[End of memory]") == 1
    page.send("Input.insertText", text="Thanks.")
    page.wait("model().includes('Thanks.')")
    assert page.run("model()").index("Thanks.") > page.run("model()").index("[End of memory]")
    for _ in range(4):
        press(page, "z", 90, modifiers=2, commands=["undo"])
    page.wait("!model().includes('[End of memory]')")
    chrome.close(page)


def open_panel(chrome: Chrome, page: Page, url: str) -> None:
    chrome.grant(url)
    page.send("Page.bringToFront")
    page.run("editable().focus()")
    chrome.press_shortcut(url, "insert-memory")
    wait_for_panel(page)


def press(page: Page, key: str, code: int, text: str = "", **more: object) -> None:
    event = {"key": key, "windowsVirtualKeyCode": code, **more}
    page.send("Input.dispatchKeyEvent", type="keyDown", text=text, **event)
    page.send("Input.dispatchKeyEvent", type="keyUp", **event)


@pytest.fixture
def many(owner: Person) -> Iterator[None]:
    """More memories than fit into the window. They are deleted after the test."""
    ids = []
    for number in range(10):
        content = (
            f"The dentist called {number} times about tooth {number} " + "and the next visit " * 9
        )
        reply = owner.http.post("/api/memories", json={"content": content})
        assert reply.status_code < 300
        ids.append(reply.json()["id"])
    yield
    for memory_id in ids:
        assert owner.http.delete(f"/api/memories/{memory_id}").status_code < 300


def test_a_long_list_is_scrolled(chrome: Chrome, editors: str, fact: str, many: None) -> None:
    """The whole panel is visible, because it does not insert when it is partly hidden."""
    url = f"{editors}?kind=textarea"
    page, _ = chrome.visit(url)
    page.wait("window.ready && document.querySelector('textarea')")
    page.run("editable().focus()")
    page.send("Input.insertText", text=QUESTION)
    open_panel(chrome, page, url)
    fits = "return root.querySelector('.panel').getBoundingClientRect().bottom <= innerHeight"
    assert inside(page, "remem-panel", fits)
    press(page, "Enter", 13, "\r")
    page.wait("model().includes('[End of memory]')")
    chrome.close(page)


def test_the_panel_is_closed_to_the_page(chrome: Chrome, editors: str, fact: str) -> None:
    url = f"{editors}?kind=textarea"
    page, _ = chrome.visit(url)
    page.wait("window.ready && document.querySelector('textarea')")
    page.run("editable().focus()")
    page.run("window.heard = []; addEventListener('keydown', e => heard.push(e.key), true)")
    page.send("Input.insertText", text=QUESTION)
    open_panel(chrome, page, url)
    assert page.run("document.querySelector('remem-panel').shadowRoot") is None
    assert "Friday" not in page.run("document.documentElement.innerText")
    press(page, "Escape", 27)
    page.wait("!document.querySelector('remem-panel')")
    assert page.run("model()") == QUESTION
    # A memory that was inserted before is not offered again.
    page.send("Input.insertText", text=f" {FACT}")
    page.wait("model().includes('Friday')")
    chrome.press_shortcut(url, "insert-memory")
    page.wait("document.querySelector('remem-panel')")
    assert evaluate(page, "new Promise(r => setTimeout(r, 0)).then(() => true)")
    press(page, "Escape", 27)
    chrome.close(page)
