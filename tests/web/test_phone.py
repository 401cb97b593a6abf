"""What a page looks like where it is narrow: nothing is missing, squeezed or cut off."""

from tests.conftest import Person
from tests.web.app import App
from tests.web.test_review import pending

PHONE = (390, 844)
Sampled = tuple[Person, dict[str, str]]
DESIGN = "Booking API: design notes"


def test_the_statement_keeps_its_room_in_review(app: App, signed_in: Person) -> None:
    pending(signed_in, "The boiler is serviced every October by Mr Lindqvist.")
    app.resize(*PHONE)
    app.go("/memories?tab=review")
    app.see("Accept")
    app.wait("document.querySelector('li a[href^=\"/memories/\"]').clientWidth > 200")


def test_a_document_has_its_memories_and_what_is_related(app: App, sampled: Sampled) -> None:
    person, ids = sampled
    app.sign_in(person)
    app.resize(*PHONE)
    app.go(f"/memory/{ids[DESIGN]}")
    for name in ("Memories", "Related"):
        app.wait(f"document.querySelector('section[aria-label={name}]')?.checkVisibility()")


def test_the_state_of_a_document_leaves_room_for_its_title(app: App, signed_in: Person) -> None:
    broken = {"file": ("The minutes of the harbour board.pdf", b"%PDF-1.4 not really", "")}
    signed_in.http.post("/v3/documents/upload", files=broken)
    app.resize(*PHONE)
    app.go("/library?view=table")
    app.wait("document.querySelector('main [data-index] svg.lucide-triangle-alert')")
    app.wait("document.querySelector('main [data-index] a').clientWidth > 120")
