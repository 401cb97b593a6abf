"""Deletions that meet: what can be undone stays undoable, and what was erased stays erased."""

from typing import Any
from uuid import UUID

import pytest

from remem.core.documents.distil import distil_document
from remem.core.evolution.upkeep.consolidate import consolidate
from remem.core.memories.derive import derive_memory
from remem.core.ports import Ports
from tests.conftest import Person
from tests.core.memories import settled_jobs
from tests.surfaces.rest.rows import rows_of
from tests.surfaces.rest.test_undo_delete import delete, restore, scope_of
from tests.tools.contention import all_wait_for

pytestmark = pytest.mark.anyio

LOCK = "SELECT FROM documents FOR UPDATE"


def remember(person: Person, content: str, **fields: Any) -> str:
    reply = person.post("/api/memories", {"content": content, **fields})
    assert reply.status_code == 201, reply.text
    return reply.json()["id"]


def erase(person: Person, memory: str) -> None:
    reply = person.http.delete(f"/api/memories/{memory}", params={"hard": True})
    assert reply.status_code == 204, reply.text


async def read_and_distilled(ports: Ports, person: Person, text: str) -> str:
    id = person.save(text)["id"]
    await settled_jobs(ports, scope_of(person), UUID(id))
    await distil_document(ports, scope_of(person), UUID(id))
    return id


async def test_two_deletes_at_once_leave_one_undo(keeper: Person, ports: Ports) -> None:
    id = keeper.save("The precious count of otters.")["id"]
    scope = scope_of(keeper)
    await settled_jobs(ports, scope, UUID(id))
    replies = await all_wait_for(
        ports,
        scope,
        LOCK,
        [lambda: keeper.http.delete(f"/v3/documents/{id}", params={"undo": True})] * 2,
    )
    assert sorted(reply.status_code for reply in replies) == [204, 404]
    assert restore(keeper, id)["id"] == id


async def test_two_bulk_deletes_at_once_leave_one_undo(keeper: Person, ports: Ports) -> None:
    id = keeper.save("The precious count of otters.")["id"]
    scope = scope_of(keeper)
    await settled_jobs(ports, scope, UUID(id))
    body = {"ids": [id], "action": "delete"}
    replies = await all_wait_for(
        ports, scope, LOCK, [lambda: keeper.post("/v3/documents/bulk", body)] * 2
    )
    assert sorted(reply.json()["done"] for reply in replies) == [0, 1]
    assert restore(keeper, id)["id"] == id


async def test_a_deletion_that_could_be_undone_is_made_final(keeper: Person, ports: Ports) -> None:
    one, two = (keeper.save(f"The secret of otter {n}.")["id"] for n in range(2))
    for id in (one, two):
        delete(keeper, id)
    body = {"ids": [one], "action": "delete", "undo": False}
    assert keeper.post("/v3/documents/bulk", body).json()["done"] == 1
    assert keeper.http.delete(f"/v3/documents/{two}").status_code == 204
    assert (await rows_of(ports, keeper.tenant_id))["deleted_rows"] == []
    for id in (one, two):
        assert keeper.post(f"/v3/documents/{id}/restore", {}).status_code == 404
        assert keeper.http.delete(f"/v3/documents/{id}").status_code == 404


async def test_an_erased_memory_does_not_come_back_with_a_document(
    keeper: Person, ports: Ports
) -> None:
    id = await read_and_distilled(ports, keeper, "I live in Ghent.")
    successor = remember(keeper, "I live in Antwerp now, at Secretstreet 12.")
    delete(keeper, id)
    assert "Secretstreet" not in str((await rows_of(ports, keeper.tenant_id))["deleted_rows"])
    erase(keeper, successor)
    restore(keeper, id)
    assert keeper.http.get(f"/api/memories/{successor}").status_code == 404
    assert "Secretstreet" not in str(await rows_of(ports, keeper.tenant_id))


async def test_a_successor_names_what_it_replaced_again(keeper: Person, ports: Ports) -> None:
    id = await read_and_distilled(ports, keeper, "I live in Ghent.")
    successor = remember(keeper, "I live in Antwerp now.")
    before = keeper.http.get(f"/api/memories/{successor}").json()["supersedesId"]
    assert before
    delete(keeper, id)
    assert keeper.http.get(f"/api/memories/{successor}").json()["supersedesId"] is None
    restore(keeper, id)
    assert keeper.http.get(f"/api/memories/{successor}").json()["supersedesId"] == before


async def test_a_memory_that_went_with_its_document_is_erased_too(
    keeper: Person, ports: Ports
) -> None:
    id = await read_and_distilled(ports, keeper, "I own a boat called Zorvalia.")
    listed = keeper.http.get("/api/memories", params={"document_id": id}).json()["memories"]
    delete(keeper, id)
    erase(keeper, listed[0]["id"])
    restore(keeper, id)
    assert keeper.http.get(f"/api/memories/{listed[0]['id']}").status_code == 404


ONE = "My therapist Dr Weiss treats me every Friday afternoon in Leuven"
OTHER = "Every Friday afternoon, my therapist Dr Weiss treats me in Leuven"


async def merged(ports: Ports, person: Person) -> tuple[str, str]:
    """The kept one of two that say the same, and the one that was merged into it."""
    ids = [remember(person, text) for text in (ONE, OTHER)]
    project = keeper_project(person, ids[0])
    await consolidate(ports, scope_of(person), project, float("inf"))
    [action] = person.http.get("/api/evolve/actions").json()["actions"]
    return action["intoId"], action["memoryId"]


def keeper_project(person: Person, memory: str) -> UUID:
    return UUID(person.http.get(f"/api/memories/{memory}").json()["projectId"])


async def test_erasing_a_memory_erases_what_was_merged_into_it(
    keeper: Person, ports: Ports
) -> None:
    kept, copy = await merged(ports, keeper)
    erase(keeper, kept)
    assert keeper.http.get(f"/api/memories/{copy}").status_code == 404
    rows = await rows_of(ports, keeper.tenant_id)
    assert "Weiss" not in str(rows) and rows["consolidations"] == []
    assert "Weiss" not in keeper.http.get("/v3/export").text


async def test_a_deleted_memory_hides_what_was_merged_into_it_until_it_is_restored(
    keeper: Person, ports: Ports
) -> None:
    kept, copy = await merged(ports, keeper)
    before = keeper.http.get(f"/api/memories/{copy}").json()["state"]
    assert keeper.http.delete(f"/api/memories/{kept}").status_code == 204
    assert "Weiss" not in keeper.http.get("/v3/export").text
    assert keeper.post(f"/api/memories/{kept}/restore", {}).status_code == 200
    assert keeper.http.get(f"/api/memories/{copy}").json()["state"] == before == "superseded"


async def test_what_was_restored_since_is_not_erased(keeper: Person, ports: Ports) -> None:
    kept, copy = await merged(ports, keeper)
    [action] = keeper.http.get("/api/evolve/actions").json()["actions"]
    assert keeper.post(f"/api/evolve/actions/{action['id']}/undo", {}).status_code == 200
    erase(keeper, kept)
    assert keeper.http.get(f"/api/memories/{copy}").json()["state"] == "active"


async def test_erasing_a_memory_erases_what_was_derived_from_it(
    keeper: Person, ports: Ports
) -> None:
    whole = remember(keeper, "Ada plays the cello on Sundays and Ben lives in Zorbrecht.")
    derived = await derive_memory(ports, scope_of(keeper), UUID(whole))
    assert derived.facts
    erase(keeper, whole)
    assert "Zorbrecht" not in str(await rows_of(ports, keeper.tenant_id))
