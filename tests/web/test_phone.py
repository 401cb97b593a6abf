"""The layout of pages on a phone: nothing is missing, squeezed or cut off."""

from tests.conftest import Person
from tests.web.app import App
from tests.web.test_review import add_pending

PHONE = (390, 844)
Sampled = tuple[Person, dict[str, str]]
DESIGN = "Booking API: design notes"


def test_a_statement_in_review_has_enough_width(app: App, signed_in: Person) -> None:
    add_pending(signed_in, "The boiler is serviced by Mr Lindqvist on 3 March 2099.")
    app.resize(*PHONE)
    app.go("/memories?tab=review")
    app.see("Keep")
    app.wait("document.querySelector('h2 + p').clientWidth > 200")


def test_a_document_shows_its_memories_and_related_documents(app: App, sampled: Sampled) -> None:
    person, ids = sampled
    app.sign_in(person)
    app.resize(*PHONE)
    app.go(f"/memory/{ids[DESIGN]}")
    for name in ("Memories", "Related"):
        app.wait(f"document.querySelector('section[aria-label={name}]')?.checkVisibility()")


def test_the_status_of_a_document_leaves_room_for_its_title(app: App, signed_in: Person) -> None:
    broken = {"file": ("The minutes of the harbour board.pdf", b"%PDF-1.4 not really", "")}
    signed_in.http.post("/v3/documents/upload", files=broken)
    app.resize(*PHONE)
    app.go("/library?view=table")
    app.wait("document.querySelector('main [data-index] svg.lucide-triangle-alert')")
    app.wait("document.querySelector('main [data-index] a').clientWidth > 120")
