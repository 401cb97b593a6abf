"""Concurrent and repeated deletions: an undo stays possible, and what was erased stays erased."""

from typing import Any
from uuid import UUID

import pytest

from remem.core.documents.distil import distil_document
from remem.core.evolution.upkeep.consolidate import consolidate
from remem.core.memories.derive import derive_memory
from remem.core.ports import Ports
from tests.conftest import Person
from tests.core.memories import wait_for_jobs
from tests.surfaces.rest.rows import rows_of
from tests.surfaces.rest.test_undo_delete import delete, restore, scope_of
from tests.tools.contention import call_while_locked

pytestmark = pytest.mark.anyio

LOCK = "SELECT FROM documents FOR UPDATE"


def remember(person: Person, content: str, **fields: Any) -> str:
    reply = person.post("/api/memories", {"content": content, **fields})
    assert reply.status_code == 201, reply.text
    return reply.json()["id"]


def erase(person: Person, memory: str) -> None:
    reply = person.http.delete(f"/api/memories/{memory}", params={"hard": True})
    assert reply.status_code == 204, reply.text


async def save_and_distil(ports: Ports, person: Person, text: str) -> str:
    id = person.save(text)["id"]
    await wait_for_jobs(ports, scope_of(person), UUID(id))
    await distil_document(ports, scope_of(person), UUID(id))
    return id


async def test_two_concurrent_deletes_leave_one_undo(user: Person, ports: Ports) -> None:
    id = user.save("The precious count of otters.")["id"]
    scope = scope_of(user)
    await wait_for_jobs(ports, scope, UUID(id))
    replies = await call_while_locked(
        ports,
        scope,
        LOCK,
        [lambda: user.http.delete(f"/v3/documents/{id}", params={"undo": True})] * 2,
    )
    assert sorted(reply.status_code for reply in replies) == [204, 404]
    assert restore(user, id)["id"] == id


async def test_two_concurrent_bulk_deletes_leave_one_undo(user: Person, ports: Ports) -> None:
    id = user.save("The precious count of otters.")["id"]
    scope = scope_of(user)
    await wait_for_jobs(ports, scope, UUID(id))
    body = {"ids": [id], "action": "delete"}
    replies = await call_while_locked(
        ports, scope, LOCK, [lambda: user.post("/v3/documents/bulk", body)] * 2
    )
    assert sorted(reply.json()["done"] for reply in replies) == [0, 1]
    assert restore(user, id)["id"] == id


async def test_a_deletion_that_could_be_undone_is_made_final(user: Person, ports: Ports) -> None:
    first, second = (user.save(f"The secret of otter {n}.")["id"] for n in range(2))
    for id in (first, second):
        delete(user, id)
    body = {"ids": [first], "action": "delete", "undo": False}
    assert user.post("/v3/documents/bulk", body).json()["done"] == 1
    assert user.http.delete(f"/v3/documents/{second}").status_code == 204
    assert (await rows_of(ports, user.tenant_id))["deleted_rows"] == []
    for id in (first, second):
        assert user.post(f"/v3/documents/{id}/restore", {}).status_code == 404
        assert user.http.delete(f"/v3/documents/{id}").status_code == 404


async def test_an_erased_memory_does_not_come_back_with_a_document(
    user: Person, ports: Ports
) -> None:
    id = await save_and_distil(ports, user, "I live in Ghent.")
    successor = remember(user, "I live in Antwerp now, at Secretstreet 12.")
    delete(user, id)
    assert "Secretstreet" not in str((await rows_of(ports, user.tenant_id))["deleted_rows"])
    erase(user, successor)
    restore(user, id)
    assert user.http.get(f"/api/memories/{successor}").status_code == 404
    assert "Secretstreet" not in str(await rows_of(ports, user.tenant_id))


async def test_a_successor_refers_again_to_the_restored_memory(user: Person, ports: Ports) -> None:
    id = await save_and_distil(ports, user, "I live in Ghent.")
    successor = remember(user, "I live in Antwerp now.")
    replaced = user.http.get(f"/api/memories/{successor}").json()["supersedesId"]
    assert replaced
    delete(user, id)
    assert user.http.get(f"/api/memories/{successor}").json()["supersedesId"] is None
    restore(user, id)
    assert user.http.get(f"/api/memories/{successor}").json()["supersedesId"] == replaced


async def test_a_memory_that_was_deleted_with_its_document_can_be_erased(
    user: Person, ports: Ports
) -> None:
    id = await save_and_distil(ports, user, "I own a boat called Zorvalia.")
    memories = user.http.get("/api/memories", params={"document_id": id}).json()["memories"]
    delete(user, id)
    erase(user, memories[0]["id"])
    restore(user, id)
    assert user.http.get(f"/api/memories/{memories[0]['id']}").status_code == 404


TREATMENT = "My therapist Dr Weiss treats me every Friday afternoon in Leuven"
SAME_TREATMENT = "Every Friday afternoon, my therapist Dr Weiss treats me in Leuven"


async def save_and_merge(ports: Ports, person: Person) -> tuple[str, str]:
    """Save two memories with the same meaning; return the kept one and the merged one."""
    ids = [remember(person, text) for text in (TREATMENT, SAME_TREATMENT)]
    project = project_of(person, ids[0])
    await consolidate(ports, scope_of(person), project, float("inf"))
    [action] = person.http.get("/api/evolve/actions").json()["actions"]
    return action["intoId"], action["memoryId"]


def project_of(person: Person, memory: str) -> UUID:
    return UUID(person.http.get(f"/api/memories/{memory}").json()["projectId"])


async def test_erasing_a_memory_erases_what_was_merged_into_it(user: Person, ports: Ports) -> None:
    kept, copy = await save_and_merge(ports, user)
    erase(user, kept)
    assert user.http.get(f"/api/memories/{copy}").status_code == 404
    rows = await rows_of(ports, user.tenant_id)
    assert "Weiss" not in str(rows) and rows["consolidations"] == []
    assert "Weiss" not in user.http.get("/v3/export").text


async def test_a_deleted_memory_hides_what_was_merged_into_it_until_it_is_restored(
    user: Person, ports: Ports
) -> None:
    kept, copy = await save_and_merge(ports, user)
    old_state = user.http.get(f"/api/memories/{copy}").json()["state"]
    assert user.http.delete(f"/api/memories/{kept}").status_code == 204
    assert "Weiss" not in user.http.get("/v3/export").text
    assert user.post(f"/api/memories/{kept}/restore", {}).status_code == 200
    assert user.http.get(f"/api/memories/{copy}").json()["state"] == old_state == "superseded"


async def test_a_merged_memory_that_was_restored_is_not_erased(user: Person, ports: Ports) -> None:
    kept, copy = await save_and_merge(ports, user)
    [action] = user.http.get("/api/evolve/actions").json()["actions"]
    assert user.post(f"/api/evolve/actions/{action['id']}/undo", {}).status_code == 200
    erase(user, kept)
    assert user.http.get(f"/api/memories/{copy}").json()["state"] == "active"


async def test_erasing_a_memory_erases_what_was_derived_from_it(user: Person, ports: Ports) -> None:
    whole = remember(user, "Ada plays the cello on Sundays and Ben lives in Zorbrecht.")
    derived = await derive_memory(ports, scope_of(user), UUID(whole))
    assert derived.facts
    erase(user, whole)
    assert "Zorbrecht" not in str(await rows_of(ports, user.tenant_id))
