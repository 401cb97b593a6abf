"""Review asks one question at a time, and every answer can be undone. The list of memories."""

from uuid import UUID

import pytest

from remem.core.graph.link import add_links
from remem.core.graph.model import Link
from remem.core.index.kinds import MEMORY
from remem.core.ports import Ports
from remem.core.scope import Scope
from tests.conftest import Person
from tests.tools.waiting import until
from tests.web.app import App

FERRY, BAKERY = "The ferry leaves on 3 March 2099.", "The bakery closes on 4 March 2099."
OLD, NEW = "Mülltonne immer dienstags raus", "Mülltonne jetzt eher donnerstags?"


def add_pending(person: Person, *statements: str) -> None:
    """Add memories with a low confidence that wait for a review."""
    for content in statements:
        body = {"content": content, "confidence": 0.3, "context": {"review": "pending"}}
        assert person.post("/api/memories", body).status_code == 201


async def add_contradiction(person: Person, ports: Ports) -> None:
    older, newer = (
        UUID(person.post("/api/memories", {"content": content}).json()["id"])
        for content in (OLD, NEW)
    )
    scope = Scope(tenant_id=UUID(person.tenant_id), user_id=UUID(person.user_id))
    async with ports.db.transaction(scope) as tx:
        await add_links(tx, [Link(MEMORY, newer, MEMORY, older, "contradicts", 0.7)])


def current(person: Person) -> set[str]:
    memories = person.http.get("/api/memories").json()["memories"]
    return {memory["content"] for memory in memories}


def count_pending(person: Person) -> int:
    return person.http.get("/api/memories", params={"review": "pending"}).json()["total"]


@pytest.mark.anyio
async def test_a_change_is_asked_about_and_the_answer_undone(
    app: App, signed_in: Person, ports: Ports
) -> None:
    await add_contradiction(signed_in, ports)
    app.go("/memories?tab=review")
    app.see("Did this change?")
    app.see(OLD)
    app.see(NEW)
    app.check_accessible()
    app.click("Yes, it changed")
    app.see("Nothing to review")
    until(lambda: current(signed_in) == {NEW})
    app.click("Undo")
    app.see("Did this change?")
    assert current(signed_in) == {OLD, NEW}
    app.press("d")
    app.see("Nothing to review")
    until(lambda: current(signed_in) == {OLD})


def test_statements_are_kept_fixed_or_removed_one_by_one(app: App, signed_in: Person) -> None:
    add_pending(signed_in, FERRY, BAKERY, "Choir meets on 5 March 2099.")
    app.go("/memories?tab=review")
    app.see("Choir meets")
    app.see("2 more after this one")
    app.press("a")
    app.see("The bakery closes")
    app.press("d")
    app.see("The ferry leaves")
    app.see("This is the last one")
    assert count_pending(signed_in) == 1
    app.click("Fix")
    app.fill("Statement", "The ferry leaves on 6 March 2099.")
    app.click("Save", "dialog button")
    app.see("Nothing to review")
    kept = {"Choir meets on 5 March 2099.", "The ferry leaves on 6 March 2099."}
    until(lambda: (current(signed_in), count_pending(signed_in)) == (kept, 0))


def test_what_was_removed_comes_back(app: App, signed_in: Person) -> None:
    add_pending(signed_in, FERRY)
    app.go("/memories?tab=review")
    app.click("No")
    app.see("Nothing to review")
    assert current(signed_in) == set()
    app.click("Undo")
    app.see("The ferry leaves")
    assert (current(signed_in), count_pending(signed_in)) == ({FERRY}, 1)


def test_a_filter_keeps_memories_that_contain_the_words(app: App, signed_in: Person) -> None:
    for content in ("Ingrid moved to Oslo in May.", "Ole prefers the train to Bergen."):
        signed_in.post("/api/memories", {"content": content})
    app.go("/memories")
    app.see("Ole prefers")
    app.fill("Filter memories", "osl ingrid")
    app.see_no_more("Ole prefers")
    app.see("Ingrid moved")
    app.fill("Filter memories", "slo")
    app.see("No memory matches")
