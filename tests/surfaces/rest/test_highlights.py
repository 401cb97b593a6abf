"""Highlights: passages of documents with notes, which are memories like any other."""

from typing import Any

import pytest

from remem.core.ports import Ports
from tests.conftest import Person
from tests.surfaces.rest.problems import assert_problem
from tests.transfer.stores import export_lines, import_lines, wait_for_jobs

pytestmark = pytest.mark.anyio

URL = "https://example.org/kiln"
TEXT = (
    "# Firing a kiln 😀\n\nRaise the heat *slowly*: the **glaze melts** at 1,240 degrees.\n\n"
    "Zum Abkühlen braucht er [zwölf Stunden](https://example.org/h). Do not open it before."
)


@pytest.fixture
def page(person: Person) -> str:
    return person.save(TEXT, source_url=URL, title="Firing a kiln", content_type="markdown")["id"]


def mark(person: Person, id: str, status: int = 201, **body: Any) -> dict[str, Any]:
    reply = person.post(f"/v3/documents/{id}/highlights", body)
    assert reply.status_code == status, reply.text
    return reply.json()


def marked(person: Person, id: str) -> list[dict[str, Any]]:
    return person.http.get(f"/v3/documents/{id}/highlights").json()["highlights"]


def words_at(person: Person, item: dict[str, Any]) -> str:
    content = person.http.get(f"/v3/documents/{item['document_id']}").json()["content"]
    return content[item["start"] : item["end"]]


def test_a_highlight_has_exact_offsets_into_the_text(person: Person, page: str) -> None:
    item = mark(person, page, quote="the glaze melts at 1,240 degrees.", note="Cone 6")
    assert words_at(person, item) == "the **glaze melts** at 1,240 degrees."
    assert (item["quote"], item["note"]) == ("the glaze melts at 1,240 degrees.", "Cone 6")
    other = mark(person, page, quote="braucht er zwölf Stunden")
    assert words_at(person, other).startswith("braucht er [zwölf Stunden")
    assert marked(person, page) == [item, other], "in the order of the text"
    assert item["before"].endswith("slowly*: ") and other["after"].lstrip("])").endswith("before.")


def test_a_highlight_by_offsets_counts_characters(person: Person, page: str) -> None:
    start = TEXT.index("Raise")
    item = mark(person, page, start=start - 2, end=start + len("Raise the heat "))
    assert (item["start"], item["quote"]) == (start, "Raise the heat")


def test_the_same_range_is_marked_once(person: Person, page: str) -> None:
    first = mark(person, page, quote="the heat slowly")
    again = mark(person, page, 200, quote="THE  heat *slowly*", note="Really")
    assert (again["id"], again["note"]) == (first["id"], "Really")
    assert mark(person, page, 200, start=first["start"], end=first["end"])["note"] == "Really"
    assert len(marked(person, page)) == 1


def test_a_highlight_is_a_memory_that_is_found_and_reviewed(person: Person, page: str) -> None:
    item = mark(person, page, quote="the glaze melts at 1,240 degrees.", note="Ask Wendelin")
    memory = person.http.get(item["url"]).json()
    assert (memory["source"], memory["documentId"]) == ("highlight", page)
    assert memory["evidence"]["start"] == item["start"]
    assert memory["speaker"] != "user", "they are the words of the page"
    for query in ("At how many degrees does the glaze melt?", "Wendelin"):
        found = person.recall(query, kinds=["memory"], weak=True)
        assert item["id"] in [result["id"] for result in found], query


def test_a_note_is_changed_and_a_highlight_removed(person: Person, page: str) -> None:
    item = mark(person, page, quote="the glaze melts", note="Cone 6")
    path = f"/v3/documents/{page}/highlights/{item['id']}"
    assert person.http.patch(path, json={"note": "Cone 7"}).json()["note"] == "Cone 7"
    assert person.http.patch(path, json={"note": None}).json()["note"] is None
    assert person.http.delete(path).status_code == 204
    assert marked(person, page) == []
    assert person.recall("glaze melts", kinds=["memory"], weak=True) == []
    assert_problem(person.http.delete(path), 404, "not_found", "")
    assert person.post(f"/api/memories/{item['id']}/restore", {}).status_code == 200
    assert [one["id"] for one in marked(person, page)] == [item["id"]]


def test_highlights_move_with_their_text_or_keep_their_words(person: Person, page: str) -> None:
    melts = mark(person, page, quote="the glaze melts at 1,240 degrees")
    hours = mark(person, page, quote="zwölf Stunden")
    changed = TEXT.replace("zwölf", "zehn").replace("# Firing", "A new first line.\n\n# Firing")
    second = person.save(changed, source_url=URL, content_type="markdown")["id"]
    items = {item["id"]: item for item in marked(person, second)}
    assert items[melts["id"]]["start"] == melts["start"] + len("A new first line.\n\n")
    assert words_at(person, items[melts["id"]]) == "the **glaze melts** at 1,240 degrees"
    assert (items[hours["id"]]["start"], items[hours["id"]]["quote"]) == (None, "zwölf Stunden")
    person.save(changed.replace("zehn", "zwölf"), source_url=URL, content_type="markdown")
    [back] = [item for item in marked(person, page) if item["id"] == hours["id"]]
    assert words_at(person, back) == "zwölf Stunden", "the text has it again"


def test_words_that_are_not_in_the_text_are_refused_or_kept(person: Person, page: str) -> None:
    path = f"/v3/documents/{page}/highlights"
    assert_problem(person.post(path, {"quote": "a lathe"}), 400, "invalid", "quote: ")
    assert_problem(person.post(path, {"start": 5, "end": 5}), 400, "invalid", "end: ")
    assert_problem(person.post(path, {}), 400, "invalid", "quote: ")
    kept = mark(person, page, quote="a lathe", keep=True)
    assert (kept["start"], kept["quote"]) == (None, "a lathe")
    assert mark(person, page, 200, quote="a lathe", keep=True)["id"] == kept["id"]


async def test_highlights_go_and_return_with_the_document_and_in_an_export(
    ports: Ports, person: Person, stranger: Person, page: str
) -> None:
    item = mark(person, page, quote="the glaze melts", note="Cone 6")
    # A statement with the same words does not take its place.
    assert person.post("/api/memories", {"content": "the glaze melts"}).status_code == 201
    await wait_for_jobs(ports, person.tenant_id)
    assert import_lines(stranger, export_lines(person))["problems"] == []
    assert marked(stranger, page) == [item]
    assert person.http.delete(f"/v3/documents/{page}", params={"undo": True}).status_code == 204
    assert person.http.get(item["url"]).status_code == 404
    assert person.post(f"/v3/documents/{page}/restore", {}).status_code == 200
    assert [one["id"] for one in marked(person, page)] == [item["id"]]
    assert person.http.delete(f"/v3/documents/{page}").status_code == 204
    assert person.http.get(item["url"]).status_code == 404


def test_highlights_move_to_another_project(person: Person, page: str) -> None:
    item = mark(person, page, quote="the glaze melts")
    person.post("/v3/projects", {"name": "Clay"})
    assert person.http.patch(f"/v3/documents/{page}", json={"project": "clay"}).status_code == 200
    listed = person.http.get("/v3/highlights", params={"project": "clay"}).json()["highlights"]
    assert [one["id"] for one in listed] == [item["id"]]


def test_all_highlights_are_listed_by_tag(person: Person, page: str) -> None:
    other = person.save("Bread needs a night.", tags=["baking"], title="Bread")["id"]
    first, second = mark(person, page, quote="the glaze"), mark(person, other, quote="a night")
    listing = person.http.get("/v3/highlights", params={"limit": 1}).json()
    assert [one["id"] for one in listing["highlights"]] == [second["id"]]
    rest = person.http.get("/v3/highlights", params={"cursor": listing["next_cursor"]}).json()
    assert [one["id"] for one in rest["highlights"]] == [first["id"]]
    tagged = person.http.get("/v3/highlights", params={"tags": "Baking"}).json()["highlights"]
    assert [one["document_title"] for one in tagged] == ["Bread"]


def test_nobody_else_sees_or_marks(person: Person, stranger: Person, page: str) -> None:
    mark(person, page, quote="the glaze")
    assert stranger.http.get(f"/v3/documents/{page}/highlights").status_code == 404
    assert stranger.post(f"/v3/documents/{page}/highlights", {"quote": "a"}).status_code == 404
    assert stranger.http.get("/v3/highlights").json()["highlights"] == []
