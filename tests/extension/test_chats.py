"""The button on chat sites: shown only where it is switched on; it inserts and never sends."""

import json
from collections.abc import Iterator

import pytest

from remem.surfaces.rest.v3.extension import _table
from tests.conftest import Person
from tests.extension.chats import CHATS, Chat, serve_chats
from tests.extension.chrome import Chrome, click, evaluate, fill, inside, see, wait_for_panel
from tests.extension.editor_page import FACT, QUESTION
from tests.extension.sites import Sites
from tests.extension.test_inserting import press
from tests.extension.test_saving import saved
from tests.tools.chromium import Page
from tests.tools.waiting import until

BUTTON = "return root.querySelector('button')?.textContent"


@pytest.fixture(scope="module", autouse=True)
def _serve_chats(sites: Sites, editor_scripts: dict[str, bytes], fact: str) -> None:
    serve_chats(sites, editor_scripts)


@pytest.fixture
def options(chrome: Chrome, owner: Person) -> Iterator[Page]:
    page = chrome.own_page("options.html")
    see(page, "Button on chat sites")
    yield page
    chrome.close(page)


def switch(chrome: Chrome, options: Page, chat: Chat, *, on: bool) -> None:
    """Switch a site on or off in the settings. The browser's prompt is answered beforehand."""
    if on:
        chrome.allow_hosts(next(row.hosts for row in _table() if row.name == chat.name))
    options.send("Page.bringToFront")
    options.wait(f"{checkbox(chat)}.checked === {json.dumps(not on)}")
    click(options, chat.name)
    options.wait(f"{checkbox(chat)}.checked === {json.dumps(on)}")


def checkbox(chat: Chat) -> str:
    labels = "[...document.querySelectorAll('label')]"
    return f"{labels}.find(e => e.innerText.trim() === {json.dumps(chat.name)}).control"


def write_question(page: Page, text: str = QUESTION) -> None:
    page.send("Page.bringToFront")
    page.wait("window.ready && editable()")
    page.run("editable().focus()")
    page.send("Input.insertText", text=text)
    page.wait(f"model().includes({json.dumps(text)})")


def press_button(page: Page) -> None:
    """Click the button with the mouse."""
    box = until(
        lambda: inside(
            page,
            "remem-button",
            "const b = root.querySelector('button')?.getBoundingClientRect();"
            "return b?.width && b.left > 0 ? [b.left + b.width / 2, b.top + b.height / 2] : null",
        )
    )
    for kind in ("mousePressed", "mouseReleased"):
        where = {"x": box[0], "y": box[1], "button": "left", "clickCount": 1}
        page.send("Input.dispatchMouseEvent", type=kind, **where)


@pytest.mark.parametrize("chat", CHATS, ids=lambda chat: chat.name)
def test_the_button(chrome: Chrome, options: Page, chat: Chat) -> None:
    page, _ = chrome.visit(chat.url)
    page.wait("window.ready")
    assert inside(page, "remem-button", BUTTON) is None
    # The button appears without a reload.
    switch(chrome, options, chat, on=True)
    write_question(page)
    press_button(page)
    wait_for_panel(page)
    assert "Friday" not in page.run("document.documentElement.innerText")
    press(page, "Enter", 13, "\r")
    page.wait("model().includes('[End of memory]') && !document.querySelector('remem-panel')")
    lines = [line.strip() for line in page.run("model()").split("\n") if line.strip()]
    assert lines[0] == QUESTION and lines[2].startswith(f"- {FACT} (20")
    assert page.run("sent") == 0
    switch(chrome, options, chat, on=False)
    page.wait("!document.querySelector('remem-button')")
    # It is also gone after a reload.
    page.open(f"{chat.url}&again")
    page.wait("window.ready && location.search.endsWith('&again')")
    registered = "chrome.scripting.getRegisteredContentScripts().then(all => all.length)"
    assert evaluate(options, registered) == 0
    assert inside(page, "remem-button", BUTTON) is None
    chrome.close(page)


# One site whose conversations are recognised, and one that is read like any page.
@pytest.mark.parametrize("chat", (CHATS[0], CHATS[3]), ids=lambda chat: chat.name)
def test_inserted_memories_are_not_saved_as_new(
    chrome: Chrome, owner: Person, options: Page, chat: Chat
) -> None:
    switch(chrome, options, chat, on=True)
    page, _ = chrome.visit(chat.url)
    write_question(page)
    press_button(page)
    wait_for_panel(page)
    press(page, "Enter", 13, "\r")
    page.wait("model().includes('[End of memory]')")
    page.run("document.getElementById('send').click()")
    page.wait("document.querySelector('[data-turn=user]')")
    popup = chrome.click_icon(chat.url)
    popup.wait("document.querySelector('#title')?.value")
    fill(popup, "#title", f"A chat with {chat.name}")
    click(popup, "Save to Memory")
    see(popup, "Saved")
    document = saved(owner, f"A chat with {chat.name}")
    assert QUESTION in document["content"] and "planned for the coming week" in document["content"]
    assert "Friday" not in document["content"] and "memory, remem" not in document["content"]
    switch(chrome, options, chat, on=False)
    chrome.close(page)


def test_matches_are_counted_only_when_the_person_types(
    chrome: Chrome, owner: Person, options: Page
) -> None:
    """The automatic mode is off by default. It changes no text, and a page cannot trigger it."""
    chat = CHATS[4]
    switch(chrome, options, chat, on=True)
    page, _ = chrome.visit(chat.url)
    write_question(page)
    assert until(lambda: inside(page, "remem-button", BUTTON)) == "r"
    click(options, "Show on the button how many memories match while I type")
    options.wait("[...document.querySelectorAll('input:checked')].length === 2")
    page.send("Page.bringToFront")
    # A synthetic input event of the page does not count as typing.
    page.run("editable().dispatchEvent(new InputEvent('input', {bubbles: true}))")
    page.send("Input.insertText", text=" Soon?")
    until(lambda: inside(page, "remem-button", BUTTON) not in (None, "r"))
    assert page.run("model()") == f"{QUESTION} Soon?"
    click(options, "Show on the button how many memories match while I type")
    options.wait("[...document.querySelectorAll('input:checked')].length === 1")
    until(lambda: inside(page, "remem-button", BUTTON) == "r")
    switch(chrome, options, chat, on=False)
    chrome.close(page)


def test_a_site_is_off_when_the_browser_revokes_its_permission(
    chrome: Chrome, options: Page
) -> None:
    chat = CHATS[1]
    switch(chrome, options, chat, on=True)
    page, _ = chrome.visit(chat.url)
    until(lambda: inside(page, "remem-button", BUTTON))
    evaluate(options, f"chrome.permissions.remove({{origins: ['https://{chat.host}/*']}})")
    page.wait("!document.querySelector('remem-button')")
    assert until(lambda: chrome.send_message(options, type="status"))["value"]["sites"] == []
    chrome.close(page)


def test_the_server_defines_where_the_prompt_is(
    chrome: Chrome, owner: Person, options: Page
) -> None:
    """A newer table from the server replaces the built-in one; here it names another element."""
    chat = CHATS[1]
    switch(chrome, options, chat, on=True)
    row = {"name": "Claude", "hosts": [chat.host], "selectors": ["#other"], "paste": True}
    change = """chrome.storage.local.get('settings').then(({settings}) => chrome.storage.local
        .set({settings: {...settings, composers: %s}}))"""
    composers = evaluate(options, "chrome.storage.local.get('settings')")["settings"]["composers"]
    assert composers == [row.model_dump() for row in _table()]
    evaluate(options, change % json.dumps([row]))
    page, _ = chrome.visit(chat.url)
    page.wait("window.ready")
    page.run(
        "document.body.append(Object.assign(document.createElement('textarea'), {id: 'other'}))"
    )
    place = "const {right} = root.host.getBoundingClientRect(); return right"
    right = page.run("document.getElementById('other').getBoundingClientRect().right")
    until(lambda: abs((inside(page, "remem-button", place) or 0) - right) < 8)
    evaluate(options, change % json.dumps(composers))
    switch(chrome, options, chat, on=False)
    chrome.close(page)
