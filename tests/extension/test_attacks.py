"""Hostile pages and wrong servers: a page can neither press keys nor break the panel."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.conftest import Person
from tests.extension.chrome import Chrome, check_accessible, evaluate, inside, wait_for_panel
from tests.extension.editor_page import FACT, QUESTION
from tests.extension.sites import Sites
from tests.extension.test_inserting import press
from tests.extension.test_saving import save
from tests.tools.chromium import Page
from tests.tools.http_server import QuietHandler, served
from tests.tools.waiting import until

# An element with one of these names shadows the property of the document.
NAMES = """activeElement body documentElement createElement querySelector querySelectorAll
execCommand createRange getSelection title contentType elementFromPoint addEventListener""".split()
CLOBBERED = (
    "<!doctype html><title>A page that hides its document</title>"
    + "".join(f'<form name="{name}"></form>' for name in NAMES)
    + """<p>The old mill stands by the weir and has ground no corn since the spring of 1961.</p>
<textarea style="position: fixed; bottom: 40px; width: 400px"></textarea>
<script>window.model = () => Document.prototype.querySelector.call(document, 'textarea').value;
window.editable = () => Document.prototype.querySelector.call(document, 'textarea');
JSON.parse = JSON.stringify = Array.prototype.map = () => { throw 'page' };
window.fetch = () => { throw 'page' };
Element.prototype.attachShadow = () => { window.seen = true; throw 'page' };</script>"""
)


def open_panel(chrome: Chrome, sites: Sites, address: str, body: str) -> tuple[Page, str]:
    url = sites.put(address, body)
    page, _ = chrome.visit(url)
    page.run("editable().focus()")
    page.send("Input.insertText", text=QUESTION)
    chrome.grant(url)
    page.send("Page.bringToFront")
    page.run("editable().focus()")
    chrome.press_shortcut(url, "insert-memory")
    wait_for_panel(page)
    return page, url


def test_a_page_that_shadows_its_document(
    chrome: Chrome, owner: Person, sites: Sites, fact: str
) -> None:
    page, url = open_panel(chrome, sites, "news.example/hides", CLOBBERED)
    press(page, "Enter", 13, "\r")
    page.wait("model().includes('[End of memory]')")
    assert page.run("window.seen") is None
    chrome.close(page)
    document = save(chrome, owner, url)
    assert document["title"] == "A page that hides its document"
    assert "no corn since the spring of 1961" in document["content"]


PLAIN = """<!doctype html><title>Prompt</title><textarea style="position: fixed; bottom: 40px">
</textarea><script>window.editable = () => document.querySelector('textarea');
window.model = () => editable().value</script>"""


def test_a_panel_that_is_covered_inserts_nothing(
    chrome: Chrome, owner: Person, sites: Sites, fact: str
) -> None:
    """A page makes the panel transparent or covers it with its own window, to misuse a click. The
    panel reports this and moves to the top."""
    page, url = open_panel(chrome, sites, "news.example/covers", PLAIN)
    hint = "return root.querySelector('.hint').textContent"
    page.run("document.querySelector('remem-panel').style.setProperty('opacity', '0', 'important')")
    press(page, "Enter", 13, "\r")
    until(lambda: "covered" in (inside(page, "remem-panel", hint) or ""))
    assert FACT not in page.run("model()")
    # Pressing the shortcut again opens a new panel, and only one.
    chrome.press_shortcut(url, "insert-memory")
    until(lambda: "Enter" in (inside(page, "remem-panel", hint) or ""))
    wait_for_panel(page)
    assert page.run("document.querySelectorAll('remem-panel').length") == 1
    page.run(
        "(dialog => { dialog.style.cssText = 'position: fixed; width: 100vw; height: 100vh';"
        "document.body.append(dialog); dialog.popover = 'manual'; dialog.showPopover() })"
        "(document.createElement('div'))"
    )
    press(page, "Enter", 13, "\r")
    until(lambda: "covered" in (inside(page, "remem-panel", hint) or ""))
    assert FACT not in page.run("model()")
    press(page, "Enter", 13, "\r")
    page.wait("model().includes('[End of memory]')")
    chrome.close(page)


def test_a_page_cannot_press_keys_for_the_person(
    chrome: Chrome, owner: Person, sites: Sites, fact: str
) -> None:
    page, _ = open_panel(chrome, sites, "news.example/presses", PLAIN)
    page.run(
        "for (const kind of ['keydown', 'keyup', 'click']) for (const to of"
        " [document, document.querySelector('remem-panel'), editable()])"
        " to.dispatchEvent(new KeyboardEvent(kind, {key: 'Enter', bubbles: true, composed: true}))"
    )
    # Not even from within the panel, which no page can reach.
    inside(page, "remem-panel", "root.querySelector('.primary').click()")
    assert page.run("!!document.querySelector('remem-panel')") is True
    assert FACT not in page.run("model()")
    check_panel(chrome, page)
    chrome.close(page)


def check_panel(chrome: Chrome, page: Page) -> None:
    """axe cannot access a closed shadow root, so check a copy of its content and styles."""
    copied = inside(
        page,
        "remem-panel",
        "return { html: root.querySelector('.panel').outerHTML, css: [...root.adoptedStyleSheets]"
        ".flatMap(s => [...s.cssRules]).map(r => r.cssText).join('\\n') }",
    )
    copy = chrome.own_page("options.html")
    copy.run(
        "(({html, css}) => { const sheet = new CSSStyleSheet();"
        "sheet.replaceSync(css.replaceAll(/:host(\\(([^)]*)\\))?/g, ':root$2'));"
        "document.adoptedStyleSheets = [sheet]; const main = document.createElement('main');"
        "main.append(...new DOMParser().parseFromString(html, 'text/html').body.children);"
        f"document.body.replaceChildren(main) }})({json.dumps(copied)})"
    )
    check_accessible(copy)
    chrome.close(copy)


def test_bookmarks_come_from_x_alone(
    chrome: Chrome, owner: Person, sites: Sites, fact: str
) -> None:
    """Even if one of our scripts were taken over: on another site where the panel is open, the
    message is refused."""
    page, url = open_panel(chrome, sites, "news.example/pretends", PLAIN)
    message = json.dumps({"type": "bookmarks", "posts": []})
    answer = evaluate(
        chrome.worker(),
        f"""(async () => {{
            const tabs = await chrome.tabs.query({{}});
            const tab = tabs.find(tab => (tab.url ?? '').startsWith({json.dumps(url)}));
            const [done] = await chrome.scripting.executeScript({{target: {{tabId: tab.id}},
                func: (message) => chrome.runtime.sendMessage(message), args: [{message}]}});
            return done.result }})()""",
    )
    assert answer["problem"]["code"] == "foreign"
    chrome.close(page)


@contextmanager
def answering(health: object) -> Iterator[str]:
    """A server that only answers /health."""

    class Handler(QuietHandler):
        def do_GET(self) -> None:
            body = json.dumps(health).encode()
            self.send_response(200 if self.path == "/health" else 404)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    with served(Handler) as url:
        yield url


@pytest.mark.parametrize(
    ("health", "code"),
    [
        ({"status": "ok", "checks": {}}, "old_server"),
        ({"status": "ok", "checks": {}, "version": "0.0.9"}, "old_server"),
        ({"status": "unavailable", "checks": {}, "version": "9.0.0"}, "not_ready"),
        ({"status": "degraded", "checks": {}, "version": "9.0.0"}, "bad_key"),
        ({"hello": "<img src=x onerror=alert(1)>"}, "not_remem"),
        ("<html>", "not_remem"),
    ],
)
def test_each_problem_of_a_server_has_its_own_message(
    chrome: Chrome, owner: Person, health: Any, code: str
) -> None:
    options = chrome.own_page("options.html")
    with answering(health) as url:
        answer = chrome.send_message(options, type="sign-in", base=url, key="mc_any")
    assert answer["problem"]["code"] == code, answer
    chrome.close(options)
