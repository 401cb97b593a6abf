"""A replacement that is asked for makes a version; a duplicate says what it does not take."""

from typing import Any

import pytest

from tests.conftest import Person
from tests.tools.waiting import until

URL = "https://example.org/prices"
LATER = "2100-01-01T00:00:00.000Z"


def read(person: Person, id: str) -> dict[str, Any]:
    reply = person.http.get(f"/v3/documents/{id}")
    assert reply.status_code == 200, reply.text
    return reply.json()


def assert_replaced(person: Person, old: dict[str, Any], new: dict[str, Any], other: str) -> None:
    assert (new["duplicate"], new["id"] != other) == (False, True)
    until(lambda: read(person, new["id"])["status"] == "done")
    latest = read(person, new["id"])
    assert (latest["version"], latest["updates_memory_id"]) == (2, old["id"])
    results = {result["document_id"] for result in person.recall("What does the ferry cost?")}
    assert results == {new["id"], other}
    assert read(person, other)["version"] == 1


def test_a_version_may_have_the_text_of_another_document(person: Person) -> None:
    old = person.save("The ferry costs 4 euros.")
    other = person.save("The ferry costs 7 euros.")["id"]
    new = person.save("The ferry costs 7 euros.", updates_memory_id=old["id"])
    assert_replaced(person, old, new, other)
    again = person.save("The ferry costs 7 euros.", updates_memory_id=old["id"])
    assert (again["duplicate"], again["id"]) == (True, new["id"])
    # Each goes its own way from here.
    third = person.save("The ferry costs 9 euros.", updates_memory_id=new["id"])["id"]
    found = {result["document_id"] for result in person.recall("The ferry costs 7 euros.")}
    assert found == {other, third}
    assert person.http.delete(f"/v3/documents/{other}").status_code == 204
    assert person.save("The ferry costs 7 euros.")["duplicate"] is False


def test_a_known_url_may_get_the_text_of_another_document(person: Person) -> None:
    old = person.save("The ferry costs 4 euros.", source_url=URL)
    other = person.save("The ferry costs 7 euros.")["id"]
    new = person.save("The ferry costs 7 euros.", source_url=URL)
    assert_replaced(person, old, new, other)


@pytest.mark.parametrize("by_url", [False, True])
@pytest.mark.parametrize("content_type", [None, "note"])
def test_a_version_keeps_the_title_that_was_given(
    person: Person, by_url: bool, content_type: str | None
) -> None:
    given = {"content_type": content_type} if content_type else {}
    first = person.save("The ferry is blue.", title="Ferry", **given, source_url=URL)
    same = {"source_url": URL} if by_url else {"updates_memory_id": first["id"]}
    second = person.save("The ferry is green now.", **given, **same)
    file = {"file": ("third.md", b"# Colours\n\nThe ferry is red now.")}
    third = person.http.post("/v3/documents/upload", files=file, data={"source_url": URL}).json()
    fourth = person.save("The ferry is white.", title="Ship", **given, source_url=URL)
    titles = [read(person, saved["id"])["title"] for saved in (second, third, fourth)]
    assert titles == ["Ferry", "Ferry", "Ship"]


def test_a_version_gets_a_new_title_if_the_old_one_came_from_the_text(person: Person) -> None:
    first = person.save("# Ferry\n\nIt is blue.", source_url=URL)
    second = person.save("# Ship\n\nIt is green.", source_url=URL)
    assert (first["title"], second["title"]) == ("Ferry", "Ship")


@pytest.mark.parametrize("large", [False, True])
def test_a_file_may_replace_a_document_that_another_one_equals(person: Person, large: bool) -> None:
    text = "The ferry costs 7 euros.\n" + ("It leaves at noon from the pier.\n" * 3_000) * large
    old = person.save("The ferry costs 4 euros.")

    def upload(**fields: str) -> dict[str, Any]:
        files = {"file": ("prices.txt", text.encode())}
        reply = person.http.post("/v3/documents/upload", files=files, data=fields)
        assert reply.status_code in (200, 201, 202), reply.text
        return reply.json()

    other = upload()["id"]
    until(lambda: read(person, other)["status"] == "done")
    assert_replaced(person, old, upload(updates_memory_id=old["id"]), other)


def test_a_change_of_text_may_equal_another_document(person: Person) -> None:
    old = person.save("The ferry costs 4 euros.")
    other = person.save("The ferry costs 7 euros.")["id"]
    reply = person.http.patch(
        f"/v3/documents/{old['id']}", json={"content": "The ferry costs 7 euros."}
    )
    assert_replaced(person, old, reply.json(), other)


@pytest.mark.parametrize("by", ["id", "url"])
@pytest.mark.parametrize("content_type", ["markdown", "note"])
def test_a_version_keeps_type_and_forget_date(person: Person, by: str, content_type: str) -> None:
    fields = {"content_type": content_type, "forget_after": LATER, "source_url": URL}
    old = person.save("Plain words about the ferry.", **fields)
    replaced = {"updates_memory_id": old["id"]} if by == "id" else {"source_url": URL}
    new = read(person, person.save("Other plain words about it.", **replaced)["id"])
    assert (new["version"], new["content_type"], new["forget_after"]) == (2, content_type, LATER)
    own = person.save("A third text.", content_type="text", forget_after=None, **replaced)
    assert read(person, own["id"])["content_type"] == "text"


def test_a_duplicate_says_what_it_takes_and_what_not(person: Person) -> None:
    first = person.save("The ferry is blue.", title="Ferry", tags=["sea"])
    assert (first["added_tags"], first["not_taken"]) == ([], [])
    again = person.save(
        "The ferry is blue.",
        title="Boat",
        tags=["Sea", "colour"],
        forget_after=LATER,
        source_url=URL,
        metadata={"by": "me"},
    )
    assert (again["id"], again["duplicate"]) == (first["id"], True)
    assert again["added_tags"] == ["colour"]
    assert again["not_taken"] == ["title", "source_url", "forget_after", "metadata"]
    document = read(person, first["id"])
    assert (document["title"], document["forget_after"]) == ("Ferry", None)
    same = person.save("The ferry is blue.", title="Ferry", tags=["sea"])
    assert (same["added_tags"], same["not_taken"]) == ([], [])
    container = person.post("/v1/documents", {"content": "The ferry is blue.", "tags": ["big"]})
    assert (container.status_code, container.json()["added_tags"]) == (200, ["big"])


def test_a_duplicate_memory_says_what_it_takes_and_what_not(person: Person) -> None:
    def save(**fields: Any) -> dict[str, Any]:
        return person.post("/api/memories", {"content": "The ferry is blue.", **fields}).json()

    first = save(tags=["sea"], category="fact")
    again = save(tags=["Sea", "colour"], title="Boat", validUntil=LATER, category="insight")
    assert (again["status"], again["existingId"]) == ("duplicate", first["id"])
    assert again["addedTags"] == ["colour"]
    assert again["notTaken"] == ["title", "category", "validUntil"]
    assert again["memory"]["tags"] == ["sea", "colour"]
    assert (save()["addedTags"], save(category="fact")["notTaken"]) == ([], [])
