"""Inserting in Firefox: six real editors, and the button on stand-ins of five chat sites."""

import pytest

from tests.conftest import Person
from tests.extension.chats import CHATS, Chat, serve_chats
from tests.extension.editor_page import FACT, KINDS, QUESTION
from tests.extension.fox import ENTER, Fox
from tests.extension.sites import Sites


@pytest.fixture(autouse=True)
def _fact(fox_owner: Person, editors: str) -> None:
    pass


def insert(fox: Fox) -> list[str]:
    """Insert with the Enter key and return the lines of the editor's model."""
    fox.wait_for_panel()
    fox.firefox.type(ENTER)
    inserted = "model().includes('[End of memory]') && !document.querySelector('remem-panel')"
    fox.firefox.wait(inserted)
    model = fox.firefox.run("return model()")
    assert model.count("[End of memory]") == 1
    lines = [line.strip() for line in model.split("\n") if line.strip()]
    assert lines[:2] == [QUESTION, "[From my memory, remem]"]
    assert lines[2].startswith(f"- {FACT} (20")
    assert lines[-1] == "[End of memory]"
    return lines


def write_question(fox: Fox) -> None:
    fox.firefox.wait("window.ready && document.querySelector('textarea, [contenteditable=true]')")
    fox.firefox.run("editable().focus()")
    fox.firefox.type(QUESTION)
    fox.firefox.wait(f"model().includes('{QUESTION}')")


@pytest.mark.parametrize("kind", KINDS)
def test_insertion_in_firefox(fox: Fox, editors: str, kind: str) -> None:
    fox.firefox.open(f"{editors}?kind={kind}")
    write_question(fox)
    fox.press_shortcut("M")
    insert(fox)


@pytest.mark.parametrize("chat", CHATS, ids=lambda chat: chat.name)
def test_the_button_in_firefox(
    fox: Fox, sites: Sites, editor_scripts: dict[str, bytes], chat: Chat
) -> None:
    serve_chats(sites, editor_scripts)
    switch(fox, chat, on=True)
    fox.firefox.open(chat.url)
    write_question(fox)
    fox.firefox.wait_inside("remem-button", "return !!root.querySelector('button')")
    fox.firefox.click_inside("remem-button", "button")
    insert(fox)
    assert fox.firefox.run("return sent") == 0
    switch(fox, chat, on=False)
    fox.firefox.open(chat.url)
    fox.firefox.wait("window.ready")
    assert fox.firefox.run("return !!document.querySelector('remem-button')") is False


def switch(fox: Fox, chat: Chat, *, on: bool) -> None:
    """Switch a site on or off in the settings with the mouse. A preference answers the prompt."""
    fox.open_options()
    box = f"[...document.querySelectorAll('label')].find(e => e.innerText.trim() === '{chat.name}')"
    fox.firefox.wait(f"{box}?.control.checked === {str(not on).lower()}")
    fox.firefox.run(f"{box}.control.id = 'wanted'")
    fox.firefox.click("#wanted")
    fox.firefox.wait(f"{box}.control.checked === {str(on).lower()}")
