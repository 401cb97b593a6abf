"""Unread, favourite and archived: the flags that each member sets on documents for themselves."""

from typing import Any

import pytest

from tests.conftest import Person
from tests.transfer.stores import export_lines, import_lines, of_kind
from tests.transfer.test_private_sessions import members as members

FERRY = "The ferry to Texel leaves at nine."
BREAD = "Bread needs a night in the fridge."


def listed(person: Person, **params: Any) -> list[str]:
    page = person.http.get("/v3/documents", params=params).json()
    assert page["total"] == len(page["documents"])
    return [document["title"] for document in page["documents"]]


def flags_of(person: Person, id: str) -> set[str]:
    document = person.http.get(f"/v3/documents/{id}").json()
    return {flag for flag in ("unread", "favourite", "archived") if document[flag]}


def mark(person: Person, id: str, **flags: bool) -> None:
    reply = person.http.patch(f"/v3/documents/{id}", json=flags)
    assert reply.status_code == 200, reply.text


@pytest.fixture
def ferry(person: Person) -> str:
    return person.save(FERRY, title="Ferry", unread=True)["id"]


@pytest.fixture
def bread(person: Person) -> str:
    return person.save(BREAD, title="Bread")["id"]


def test_lists_are_filtered_by_flags(person: Person, ferry: str, bread: str) -> None:
    assert listed(person, **{"is": "unread"}) == ["Ferry"]
    mark(person, bread, unread=True, favourite=True)
    assert listed(person, **{"is": "unread"}) == ["Bread", "Ferry"]
    assert listed(person, **{"is": ["unread", "favourite"]}) == ["Bread"]
    mark(person, ferry, unread=False)
    assert listed(person, **{"is": "unread"}) == ["Bread"]
    lines = person.post("/v1/documents/list", {"flags": ["favourite"]}).json()["documents"]
    assert [line["title"] for line in lines] == ["Bread"]


def test_what_is_archived_is_not_listed_but_found(person: Person, ferry: str, bread: str) -> None:
    mark(person, ferry, archived=True)
    assert flags_of(person, ferry) == {"archived"}, "it is read then"
    assert listed(person) == ["Bread"]
    assert listed(person, archived=True) == ["Bread", "Ferry"]
    assert listed(person, **{"is": "archived"}) == ["Ferry"]
    assert [result["title"] for result in person.recall("When does the ferry leave?")] == ["Ferry"]
    rent = person.save("Mr. Haas agreed to lower the rent to 940 euros.", title="Rent")["id"]
    mark(person, rent, archived=True)
    question = {"question": "What rent did Mr. Haas agree to?"}
    assert "940" in person.post("/api/agent/ask", question).json()["answer"]
    mark(person, ferry, unread=True)
    assert listed(person) == ["Bread", "Ferry"], "what is to be read is not archived"


@pytest.mark.parametrize("query", ["is:unread", "is:unread leaves", "leaves IS:UNREAD"])
def test_a_query_names_a_flag(person: Person, ferry: str, bread: str, query: str) -> None:
    person.save("Another ferry leaves at noon.", title="Other")
    assert {result["document_id"] for result in person.recall(query)} == {ferry}
    mark(person, ferry, unread=False)
    assert person.recall(query) == []


def test_a_recall_is_filtered_by_flags(person: Person, ferry: str, bread: str) -> None:
    mark(person, bread, favourite=True)
    found = person.recall("", filters={"flags": ["favourite"]}, kinds=["document"])
    assert [result["title"] for result in found] == ["Bread"]
    assert person.recall("is:favorite", kinds=["document"]) == found


def test_each_member_has_their_own_flags(members: tuple[Person, Person]) -> None:
    owner, member = members
    id = owner.save(FERRY, title="Ferry", unread=True)["id"]
    assert (flags_of(owner, id), flags_of(member, id)) == ({"unread"}, set())
    mark(member, id, archived=True, favourite=True)
    assert (listed(owner), listed(member)) == (["Ferry"], [])
    [row] = of_kind(export_lines(member), "document")
    assert (row["unread_by"], row["favourite_of"]) == (None, [member.user_id])


def test_a_new_version_keeps_the_flags(person: Person) -> None:
    url = "https://example.org/ferry"
    first = person.save(FERRY, source_url=url, unread=True)["id"]
    mark(person, first, favourite=True)
    second = person.save(f"{FERRY} It returns at five.", source_url=url)["id"]
    assert second != first
    assert flags_of(person, second) == {"unread", "favourite"}
    mark(person, first, unread=False)
    assert flags_of(person, second) == {"favourite"}, "of the document, whichever version is named"


def test_saving_again_marks_it_as_unread_again(person: Person, ferry: str) -> None:
    mark(person, ferry, archived=True)
    assert person.save(FERRY, unread=True)["duplicate"]
    assert flags_of(person, ferry) == {"unread"}


def test_flags_survive_the_trash_and_an_import(
    person: Person, stranger: Person, ferry: str
) -> None:
    mark(person, ferry, favourite=True)
    assert person.http.delete(f"/v3/documents/{ferry}", params={"undo": True}).status_code == 204
    assert person.post(f"/v3/documents/{ferry}/restore", {}).status_code == 200
    assert flags_of(person, ferry) == {"unread", "favourite"}
    assert import_lines(stranger, export_lines(person))["problems"] == []
    assert flags_of(stranger, ferry) == {"unread", "favourite"}


def test_many_are_flagged_at_once(person: Person, ferry: str, bread: str) -> None:
    body = {"ids": [ferry, bread], "action": "flag", "flags": ["archived"]}
    assert person.post("/v3/documents/bulk", body).json()["done"] == 2
    assert listed(person) == []
    body["action"] = "unflag"
    assert person.post("/v3/documents/bulk", body).json()["done"] == 2
    assert listed(person) == ["Bread", "Ferry"]


def test_a_flag_is_no_change_of_the_document(person: Person, bread: str) -> None:
    before = person.http.get(f"/v3/documents/{bread}").json()
    mark(person, bread, favourite=True)
    after = person.http.get(f"/v3/documents/{bread}").json()
    assert after == before | {"favourite": True}
