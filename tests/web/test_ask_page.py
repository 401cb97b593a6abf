"""The page that answers questions: streaming, citations, conversations, and unknown answers."""

import pytest

from tests.conftest import Person
from tests.web.app import CONTRAST, App

PASSPORT = "My passport is in the top drawer of the oak desk and expires in June 2029."
RENT = "Meeting notes. Mr. Haas agreed to lower the rent to 940 euros from January. All is well."


# Keeps the stream of an answer open until the test calls endOfAnswer().
END_LATER = """
const ended = new Promise((resolve) => { window.endOfAnswer = resolve; });
const plain = window.fetch;
window.fetch = async (address, options) => {
  const response = await plain(address, options);
  if (!String(address).includes('/ask')) return response;
  const held = new TransformStream({ flush: () => ended });
  return new Response(response.body.pipeThrough(held), response);
};
"""


def remember(person: Person, content: str) -> str:
    reply = person.post("/api/memories", {"content": content})
    assert reply.status_code == 201, reply.text
    return reply.json()["id"]


def ask(app: App, question: str) -> None:
    app.fill("Question", question)
    # Wait until the previous answer is complete.
    app.wait("document.querySelector('form button[aria-label=Ask]:not([disabled])')")
    app.press("Enter")


def test_a_conversation_with_a_follow_up_and_its_source(app: App, signed_in: Person) -> None:
    memory = remember(signed_in, PASSPORT)
    app.go("/ask")
    app.see("No language model is configured.")
    app.check_accessible()
    ask(app, "Where is my passport?")
    app.see("in the top drawer of the oak desk")
    app.wait("document.querySelector('ol[aria-label=Sources] mark')")
    # The address names the conversation once its first answer is complete.
    app.wait("new URLSearchParams(location.search).has('session')")
    ask(app, "When does it expire?")
    app.see("Understood as: When does my passport expire?")
    app.wait("document.querySelectorAll('article').length === 2")
    app.wait("document.querySelectorAll('ol[aria-label=Sources]').length === 2")
    app.check_accessible()
    app.set_dark(True)
    app.check_accessible(CONTRAST)
    app.set_dark(False)
    app.wait("new URLSearchParams(location.search).has('session')")
    # The conversation is still there after a reload.
    app.go(app.page.run("location.pathname + location.search"))
    app.see("When does it expire?")
    app.see("in the top drawer of the oak desk")
    app.page.run("document.querySelector('article a[aria-label^=\"Source 1\"]').click()")
    app.wait(f"location.pathname === '/memories/{memory}'")


def test_a_source_in_a_document_opens_at_its_sentence(app: App, signed_in: Person) -> None:
    document = signed_in.save(RENT)["id"]
    app.go("/ask?q=How+much+is+the+rent+from+January%3F")
    app.click("Ask", "button")
    app.see("940 euros")
    app.wait("document.querySelector('article a[aria-label^=\"Source 1\"]')")
    app.page.run("document.querySelector('article a[aria-label^=\"Source 1\"]').click()")
    app.wait(f"location.pathname === '/memory/{document}'")
    app.wait("new URLSearchParams(location.search).get('find').startsWith('Mr. Haas agreed')")
    app.see("Mr. Haas agreed to lower the rent")


@pytest.mark.parametrize("is_drawn", [True, False])
def test_a_source_opens_although_the_answer_is_not_complete(
    app: App, signed_in: Person, is_drawn: bool
) -> None:
    document = signed_in.save(RENT)["id"]
    app.go("/ask?q=How+much+is+the+rent+from+January%3F")
    app.page.run(END_LATER)
    app.click("Ask", "button")
    app.see("940 euros")
    app.wait("document.querySelector('article a[aria-label^=\"Source 1\"]')")
    with app.latency(500):
        click = "document.querySelector('article a[aria-label^=\"Source 1\"]').click()"
        if is_drawn:
            app.page.run(click)
            app.settle()
            app.page.run("window.endOfAnswer()")
        else:
            app.page.run(f"{click}; window.endOfAnswer()")
        app.wait(f"location.pathname === '/memory/{document}'")
    app.see("Mr. Haas agreed to lower the rent")


def test_an_unknown_answer_is_admitted(app: App, signed_in: Person) -> None:
    remember(signed_in, PASSPORT)
    app.go("/ask")
    ask(app, "What is the boiling point of tungsten?")
    app.see("I don't know.")
    app.see("Search instead")
    app.check_accessible()


def test_the_note_about_models_is_shown_once(app: App, signed_in: Person) -> None:
    app.go("/ask")
    app.see("No language model is configured.")
    app.click("Do not show this again", "button")
    app.see_no_more("No language model is configured.")
    app.go("/ask")
    app.see("Ask about anything you saved")
    app.see_no_more("No language model is configured.")


def test_a_lost_connection_is_reported_and_the_question_can_be_repeated(
    app: App, signed_in: Person
) -> None:
    remember(signed_in, PASSPORT)
    app.go("/ask")
    app.see("Ask about anything you saved")
    app.set_offline(True)
    ask(app, "Where is my passport?")
    app.see("The server cannot be reached")
    app.set_offline(False)
    app.page.events.clear()
    app.click("Try again", "article button")
    app.see("in the top drawer of the oak desk")
