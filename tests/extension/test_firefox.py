"""The same in Firefox: sign in, save by the shortcut, and insert into six real editors."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import Person, Server
from tests.extension import pages
from tests.extension.sites import Sites
from tests.extension.test_inserting import FACT, HTML, KINDS, QUESTION, STRICT, bundle
from tests.extension.test_saving import saved
from tests.tools.firefox import Firefox, open_firefox
from tests.tools.waiting import until

BUILT = Path(__file__).parents[2] / "extension" / "dist" / "firefox-mv3"
ENTER = "\ue007"


@pytest.fixture(scope="module")
def firefox() -> Iterator[Firefox]:
    with open_firefox() as browser:
        yield browser


@pytest.fixture(scope="module")
def connected(firefox: Firefox, server: Server, somebody: Person) -> Person:
    """Signed in as a person does: address, Connect, sign in, Allow."""
    assert somebody.http.post("/api/memories", json={"content": FACT}).status_code < 300
    id = firefox.install(BUILT)
    close_welcome(firefox)
    options = firefox.window()
    open_options(firefox, id)
    fill(firefox, "#base", server.url)
    firefox.run("document.querySelector('#base').form.requestSubmit()")
    until(lambda: firefox.switch_to_page(f"{server.url}/oauth/authorize"))
    sign_in(firefox, somebody)
    firefox.switch_to(options)
    firefox.wait("document.body.innerText.includes('Sign out')")
    return somebody


def open_options(firefox: Firefox, id: str) -> None:
    name = "return WebExtensionPolicy.getByID(args[0]).mozExtensionHostname"
    firefox.open(f"moz-extension://{firefox.run(name, id, chrome=True)}/options.html")
    firefox.wait("document.querySelector('#base')")


def sign_in(firefox: Firefox, person: Person) -> None:
    window = firefox.window()
    firefox.wait("document.querySelector('input[type=password]')")
    fill(firefox, "input[type=email]", person.email)
    fill(firefox, "input[type=password]", person.password)
    firefox.run("document.querySelector('input[type=password]').form.requestSubmit()")
    firefox.wait("document.querySelector('[value=allow]')")
    # The window is gone before the click is answered.
    firefox.run("setTimeout(() => document.querySelector('[value=allow]').click(), 0)")
    until(lambda: window not in firefox.windows())


def fill(firefox: Firefox, selector: str, text: str) -> None:
    """By script: a window that the extension opened does not get the keys of a headless browser."""
    firefox.wait(f"document.querySelector('{selector}')")
    firefox.run(
        "const field = document.querySelector(args[0]);"
        "const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');"
        "set.call(field, args[1]); field.dispatchEvent(new Event('input', { bubbles: true }))",
        selector,
        text,
    )


def close_welcome(firefox: Firefox) -> None:
    """The page that the installation opens has the focus; a shortcut would be meant for it."""
    until(
        lambda: firefox.run(
            "const tab = gBrowser.tabs.find(t => /welcome/.test(t.linkedBrowser.currentURI.spec));"
            "if (tab) gBrowser.removeTab(tab); return !!tab",
            chrome=True,
        )
    )


@pytest.fixture(scope="module")
def address(sites: Sites, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Under https, so that only the shortcut grants the tab."""
    code = bundle(tmp_path_factory.mktemp("editors"))
    sites.put("127.0.0.1/editors.js", code, content_type="text/javascript")
    sites.put("127.0.0.1/editor", HTML, headers=STRICT)
    sites.put("127.0.0.1/birds", pages.with_pictures("Birds"))
    sites.put("127.0.0.1/frogs", pages.article("Frogs"))
    sites.put("127.0.0.1/wide.css", pages.STYLE, content_type="text/css")
    return f"https://127.0.0.1:{sites.port}"


def press_shortcut(firefox: Firefox, letter: str) -> None:
    """The key of the browser itself, which grants the tab as it does for a person."""
    firefox.run(
        "document.querySelector(`keyset[id^=ext-keyset] key[key=${args[0]}]`).doCommand()",
        letter,
        chrome=True,
    )


def test_sign_in_in_firefox(connected: Person) -> None:
    grants = connected.http.get("/v3/grants").json()["grants"]
    assert "remem extension" in json.dumps(grants)


def test_save_full_page_in_firefox(
    firefox: Firefox, connected: Person, sites: Sites, address: str
) -> None:
    firefox.open(f"{address}/birds?utm_source=letter&part=2")
    press_shortcut(firefox, "S")
    document = saved(connected, "Birds")
    assert "salmon return every June" in document["content"]
    assert "newsletter" not in document["content"]
    assert "Otters came back" in document["content"]
    assert document["source_url"] == f"{address}/birds?part=2"
    assert not [asked for asked in sites.asked if asked.startswith("127.0.0.1/later")]


def test_save_selection_in_firefox(firefox: Firefox, connected: Person, address: str) -> None:
    firefox.open(f"{address}/frogs")
    firefox.run("getSelection().selectAllChildren(document.querySelector('#ice + p'))")
    press_shortcut(firefox, "S")
    document = until(
        lambda: next(
            (
                one
                for one in connected.http.get("/v3/documents").json()["documents"]
                if ":~:text=All%20of%20this" in (one["source_url"] or "")
            ),
            None,
        )
    )
    content = connected.http.get(f"/v3/documents/{document['id']}").json()["content"]
    assert content.startswith("All of this is about Frogs") and "salmon" not in content


@pytest.mark.parametrize("kind", KINDS)
def test_insertion_in_firefox(firefox: Firefox, connected: Person, address: str, kind: str) -> None:
    firefox.open(f"{address}/editor?kind={kind}")
    firefox.wait("window.ready && document.querySelector('textarea, [contenteditable=true]')")
    firefox.run("editable().focus()")
    firefox.type(QUESTION)
    firefox.wait(f"model().includes('{QUESTION}')")
    press_shortcut(firefox, "M")
    firefox.wait("document.querySelector('remem-panel')?.dataset.state === 'ready'")
    firefox.type(ENTER)
    firefox.wait("model().includes('[End of memory]') && !document.querySelector('remem-panel')")
    model = firefox.run("return model()")
    lines = [line.strip() for line in model.split("\n") if line.strip()]
    assert lines[:2] == [QUESTION, "[From my memory, remem]"]
    assert lines[2].startswith(f"- {FACT} (20")
    assert lines[-1] == "[End of memory]"
    assert model.count("[End of memory]") == 1
