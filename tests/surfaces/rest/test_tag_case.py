"""Tags are case-insensitive, wherever they are filtered, changed or removed."""

from typing import Any
from uuid import UUID

import pytest

from remem.core.ports import Ports
from remem.core.time import iso, now
from tests.conftest import Person
from tests.core.memories import wait_for_jobs
from tests.surfaces.rest.test_delete_races import remember
from tests.surfaces.rest.test_undo_delete import delete, read, restore, scope_of, statements
from tests.tools.waiting import until

pytestmark = pytest.mark.anyio

BOAT = "I own a boat called Zorvalia."


async def save_and_settle(person: Person, ports: Ports, content: str, tags: list[str]) -> str:
    id = person.save(content, tags=tags)["id"]
    await wait_for_jobs(ports, scope_of(person), UUID(id))
    until(lambda: statements(person, id))
    return id


def tags_of_statements(person: Person, id: str) -> list[list[str]]:
    return [statement["tags"] for statement in statements(person, id)]


def change(person: Person, id: str, **fields: Any) -> None:
    reply = person.http.patch(f"/v3/documents/{id}", json=fields)
    assert reply.status_code == 200, reply.text


def bulk(person: Person, id: str, action: str, tags: list[str]) -> None:
    reply = person.post("/v3/documents/bulk", {"ids": [id], "action": action, "tags": tags})
    assert reply.json()["results"] == [{"id": id, "ok": True, "code": None, "error": None}]


async def test_a_tag_is_removed_in_whatever_case(user: Person, ports: Ports) -> None:
    id = await save_and_settle(user, ports, BOAT, ["Work", "sea"])
    bulk(user, id, "tag", ["WORK"])
    assert read(user, id)["tags"] == ["Work", "sea"]
    bulk(user, id, "untag", ["work"])
    assert read(user, id)["tags"] == ["sea"]
    assert tags_of_statements(user, id) == [["sea"]]


async def test_a_memory_of_two_documents_has_a_tag_once(user: Person, ports: Ports) -> None:
    first = await save_and_settle(user, ports, f"{BOAT} It is blue.", ["Work"])
    second = await save_and_settle(user, ports, f"{BOAT} It has a sail.", ["work"])
    assert [shared_tags(user, id) for id in (first, second)] == [["Work"], ["Work"]]
    change(user, second, tags=["WORK", "sea"])
    assert shared_tags(user, first) == ["Work", "sea"]


def shared_tags(person: Person, id: str) -> list[str]:
    [tags] = [memory["tags"] for memory in statements(person, id) if memory["content"] == BOAT]
    return tags


async def test_a_tag_stays_while_another_document_has_it(user: Person, ports: Ports) -> None:
    first = await save_and_settle(user, ports, f"{BOAT} It is blue.", ["Work"])
    second = await save_and_settle(user, ports, f"{BOAT} It has a sail.", ["work"])
    delete(user, first)
    assert shared_tags(user, second) == ["Work"]
    restore(user, first)
    assert shared_tags(user, second) == ["Work"]
    assert user.http.delete(f"/v3/documents/{first}").status_code == 204
    change(user, second, tags=["sea"])
    assert shared_tags(user, second) == ["sea"]


async def test_a_persons_own_statement_has_no_tags_of_documents(user: Person, ports: Ports) -> None:
    await save_and_settle(user, ports, f"{BOAT} It is blue.", ["Work"])
    second = await save_and_settle(user, ports, f"{BOAT} It has a sail.", ["work"])
    assert shared_tags(user, second) == ["Work"]
    change(user, second, tags=["WORK"])
    assert user.post("/api/memories", {"content": BOAT, "tags": ["mine"]}).status_code == 200
    listed = user.http.get("/api/memories", params={"tags": "mine"}).json()["memories"]
    assert [memory["tags"] for memory in listed] == [["mine"]]


async def test_every_filter_takes_a_tag_in_whatever_case(user: Person, ports: Ports) -> None:
    memory = remember(user, "The boat Zorvalia is blue.", tags=["Work"])
    id = await save_and_settle(user, ports, "I keep the sails of Zorbrecht in the shed.", ["Work"])
    tagged = {"tags": "wORK", "as_of": iso(now())}
    for path, params in (
        ("/api/memories", {"tags": "wORK"}),
        ("/api/memories", {"q": "boat", "tags": "wORK"}),
        ("/api/memories", {"q": "boat", **tagged}),
        ("/api/memories/search-index", {"query": "boat", "tags": "wORK"}),
    ):
        reply = user.http.get(path, params=params)
        assert reply.status_code == 200 and memory in reply.text, (path, params, reply.text)
    listed = user.http.get("/v3/documents", params={"tags": "wORK"}).json()["documents"]
    assert [document["id"] for document in listed] == [id]
    assert any(result["id"] == id for result in user.recall("sails", filters={"tags": ["wORK"]}))
    reply = user.post("/v1/search", {"query": "boat", "filters": {"tags": ["wORK"]}})
    assert memory in reply.text, reply.text
