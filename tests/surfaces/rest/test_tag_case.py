"""Tags are compared without case, wherever they are filtered by, changed or removed."""

from typing import Any
from uuid import UUID

import pytest

from remem.core.ports import Ports
from remem.core.time import iso, now
from tests.conftest import Person
from tests.core.memories import settled_jobs
from tests.surfaces.rest.test_delete_races import remember
from tests.surfaces.rest.test_undo_delete import delete, read, restore, scope_of, statements
from tests.tools.waiting import until

pytestmark = pytest.mark.anyio

BOAT = "I own a boat called Zorvalia."


async def saved(person: Person, ports: Ports, content: str, tags: list[str]) -> str:
    id = person.save(content, tags=tags)["id"]
    await settled_jobs(ports, scope_of(person), UUID(id))
    until(lambda: statements(person, id))
    return id


def tags_of_statements(person: Person, id: str) -> list[list[str]]:
    return [one["tags"] for one in statements(person, id)]


def change(person: Person, id: str, **fields: Any) -> None:
    reply = person.http.patch(f"/v3/documents/{id}", json=fields)
    assert reply.status_code == 200, reply.text


def bulk(person: Person, id: str, action: str, tags: list[str]) -> None:
    reply = person.post("/v3/documents/bulk", {"ids": [id], "action": action, "tags": tags})
    assert reply.json()["results"] == [{"id": id, "ok": True, "code": None, "error": None}]


async def test_a_tag_is_removed_in_whatever_case(keeper: Person, ports: Ports) -> None:
    id = await saved(keeper, ports, BOAT, ["Work", "sea"])
    bulk(keeper, id, "tag", ["WORK"])
    assert read(keeper, id)["tags"] == ["Work", "sea"]
    bulk(keeper, id, "untag", ["work"])
    assert read(keeper, id)["tags"] == ["sea"]
    assert tags_of_statements(keeper, id) == [["sea"]]


async def test_a_memory_of_two_documents_has_a_tag_once(keeper: Person, ports: Ports) -> None:
    one = await saved(keeper, ports, f"{BOAT} It is blue.", ["Work"])
    other = await saved(keeper, ports, f"{BOAT} It has a sail.", ["work"])
    assert [both_say(keeper, id) for id in (one, other)] == [["Work"], ["Work"]]
    change(keeper, other, tags=["WORK", "sea"])
    assert both_say(keeper, one) == ["Work", "sea"]


def both_say(person: Person, id: str) -> list[str]:
    [tags] = [memory["tags"] for memory in statements(person, id) if memory["content"] == BOAT]
    return tags


async def test_a_tag_stays_while_another_document_has_it(keeper: Person, ports: Ports) -> None:
    one = await saved(keeper, ports, f"{BOAT} It is blue.", ["Work"])
    other = await saved(keeper, ports, f"{BOAT} It has a sail.", ["work"])
    delete(keeper, one)
    assert both_say(keeper, other) == ["Work"]
    restore(keeper, one)
    assert both_say(keeper, other) == ["Work"]
    assert keeper.http.delete(f"/v3/documents/{one}").status_code == 204
    change(keeper, other, tags=["sea"])
    assert both_say(keeper, other) == ["sea"]


async def test_what_a_person_says_themselves_has_no_tag_of_a_document(
    keeper: Person, ports: Ports
) -> None:
    await saved(keeper, ports, f"{BOAT} It is blue.", ["Work"])
    other = await saved(keeper, ports, f"{BOAT} It has a sail.", ["work"])
    assert both_say(keeper, other) == ["Work"]
    change(keeper, other, tags=["WORK"])
    assert keeper.post("/api/memories", {"content": BOAT, "tags": ["mine"]}).status_code == 200
    listed = keeper.http.get("/api/memories", params={"tags": "mine"}).json()["memories"]
    assert [one["tags"] for one in listed] == [["mine"]]


async def test_every_filter_takes_a_tag_in_whatever_case(keeper: Person, ports: Ports) -> None:
    memory = remember(keeper, "The boat Zorvalia is blue.", tags=["Work"])
    id = await saved(keeper, ports, "I keep the sails of Zorbrecht in the shed.", ["Work"])
    asked = {"tags": "wORK", "as_of": iso(now())}
    for path, params in (
        ("/api/memories", {"tags": "wORK"}),
        ("/api/memories", {"q": "boat", "tags": "wORK"}),
        ("/api/memories", {"q": "boat", **asked}),
        ("/api/memories/search-index", {"query": "boat", "tags": "wORK"}),
    ):
        reply = keeper.http.get(path, params=params)
        assert reply.status_code == 200 and memory in reply.text, (path, params, reply.text)
    listed = keeper.http.get("/v3/documents", params={"tags": "wORK"}).json()["documents"]
    assert [one["id"] for one in listed] == [id]
    assert any(one["id"] == id for one in keeper.recall("sails", filters={"tags": ["wORK"]}))
    found = keeper.post("/v1/search", {"query": "boat", "filters": {"tags": ["wORK"]}})
    assert memory in found.text, found.text
