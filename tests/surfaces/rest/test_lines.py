"""Lines of documents by their exact text."""

from typing import Any

from tests.conftest import Person


def find(person: Person, **params: Any) -> list[tuple[int, str]]:
    reply = person.http.get("/v3/lines", params=params)
    assert reply.status_code == 200, reply.text
    return [(line["number"], line["text"]) for line in reply.json()["lines"]]


def test_lines_are_found_letter_by_letter(person: Person) -> None:
    saved = person.save("Fuse 7%_a is blue.\nfuse 8 is red.\n保険は来月まで。", title="Fuses")
    assert find(person, text="7%_a") == [(1, "Fuse 7%_a is blue.")]
    assert find(person, text="fuse") == [(2, "fuse 8 is red.")]
    assert len(find(person, text="FUSE", any_case=True)) == 2
    assert find(person, text="来月") == [(3, "保険は来月まで。")]
    assert find(person, text="7.*a") == []
    assert find(person, text="fuse", document_id=saved["id"]) == [(2, "fuse 8 is red.")]
    cut = person.http.get("/v3/lines", params={"text": " is ", "limit": 1}).json()
    assert (len(cut["lines"]), cut["is_complete"]) == (1, False)
    person.http.delete(f"/v3/documents/{saved['id']}", params={"undo": True})
    assert find(person, text="fuse") == []


def test_a_long_line_is_cut_around_the_text(person: Person) -> None:
    person.save(f"{'before ' * 400}needle{' after' * 400}", title="Long")
    [(number, text)] = find(person, text="needle")
    assert number == 1 and "needle" in text and len(text) < 400


def test_lines_of_one_project_only(person: Person) -> None:
    for project in ("north", "south"):
        person.http.post("/v3/projects", json={"name": project, "slug": project})
        person.save(f"The gate of the {project} is shut.", project=project)
    assert find(person, text="gate", project="north") == [(1, "The gate of the north is shut.")]
    assert person.http.get("/v3/lines", params={"text": "\n"}).status_code == 400
    missing = person.http.get("/v3/lines", params={"text": "x", "project": "nowhere"})
    assert missing.status_code == 404
