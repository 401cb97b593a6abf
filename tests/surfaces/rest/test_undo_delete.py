"""Undoable deletion: hidden from every API, complete after a restore, erased in the end."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest

from remem.core.documents.distil import distil_document
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.upkeep.expire import forget_expired
from tests.conftest import Person
from tests.core.memories import wait_for_jobs
from tests.tools.waiting import until

pytestmark = pytest.mark.anyio

TEXT = "I own a boat called Zorvalia. I work at the harbour of Zorbrecht."


def scope_of(person: Person) -> Scope:
    return Scope(tenant_id=UUID(person.tenant_id), user_id=UUID(person.user_id), actor="test")


def delete(person: Person, id: str) -> None:
    assert person.http.delete(f"/v3/documents/{id}", params={"undo": True}).status_code == 204


def restore(person: Person, id: str) -> dict[str, Any]:
    reply = person.post(f"/v3/documents/{id}/restore", {})
    assert reply.status_code == 200, reply.text
    return reply.json()


def read(person: Person, id: str) -> dict[str, Any]:
    reply = person.http.get(f"/v3/documents/{id}", params={"include_versions": True})
    assert reply.status_code == 200, reply.text
    return reply.json()


def wait_until_done(person: Person, id: str) -> dict[str, Any]:
    return until(lambda: (document := read(person, id))["status"] == "done" and document)


def statements(person: Person, id: str) -> list[dict[str, Any]]:
    """The statements of a document, without the fields that reading changes."""
    listed = person.http.get("/api/memories", params={"document_id": id}).json()["memories"]
    changing = ("updated_at", "access_count", "last_accessed_at")
    stable = [{name: memory[name] for name in memory if name not in changing} for memory in listed]
    return sorted(stable, key=lambda statement: statement["id"])


async def saved_with_statements(person: Person, ports: Ports) -> str:
    id = person.save(TEXT, title="Boats", tags=["sea"])["id"]
    scope = scope_of(person)
    await wait_for_jobs(ports, scope, UUID(id))
    await distil_document(ports, scope, UUID(id))
    assert statements(person, id)
    return id


async def test_a_restored_document_is_as_it_was(person: Person, ports: Ports) -> None:
    first = await saved_with_statements(person, ports)
    reply = person.http.patch(f"/v3/documents/{first}", json={"content": f"{TEXT} It is blue."})
    id = reply.json()["id"]
    before = wait_until_done(person, id)
    await wait_for_jobs(ports, scope_of(person), UUID(id))
    await distil_document(ports, scope_of(person), UUID(id))
    expected = statements(person, id)
    assert expected and len(before["versions"]) == 2
    delete(person, id)
    assert "Zorvalia" not in person.http.get("/v3/export").text
    assert person.recall("boat called Zorvalia") == []
    assert person.http.get(f"/v3/documents/{id}").status_code == 404
    restore(person, first)
    after = wait_until_done(person, id)
    changing = ("status", "updated_at", "last_accessed_at")
    assert {k: v for k, v in after.items() if k not in changing} == {
        k: v for k, v in before.items() if k not in changing
    }
    assert statements(person, id) == expected
    until(lambda: any(result["id"] == id for result in person.recall("boat called Zorvalia")))
    assert person.post(f"/v3/documents/{id}/restore", {}).status_code == 404


async def test_another_user_cannot_restore_it(
    person: Person, make_person: Callable[[], Person]
) -> None:
    id = person.save(TEXT)["id"]
    delete(person, id)
    assert make_person().post(f"/v3/documents/{id}/restore", {}).status_code == 404
    assert restore(person, id)["id"] == id


async def test_a_plain_delete_keeps_nothing(person: Person, ports: Ports) -> None:
    id = person.save(TEXT)["id"]
    assert person.http.delete(f"/v3/documents/{id}").status_code == 204
    assert person.post(f"/v3/documents/{id}/restore", {}).status_code == 404
    async with ports.db.transaction(scope_of(person)) as tx:
        assert await tx.system.fetchval("SELECT count(*) FROM deleted_rows") == 0


async def test_a_document_that_was_saved_again_is_not_duplicated(person: Person) -> None:
    id = person.save(TEXT)["id"]
    delete(person, id)
    again = person.save(TEXT)
    assert not again["duplicate"]
    reply = person.post(f"/v3/documents/{id}/restore", {})
    assert (reply.status_code, reply.json()["code"]) == (409, "saved_again")
    assert person.http.delete(f"/v3/documents/{again['id']}").status_code == 204
    assert restore(person, id)["title"]


async def test_the_original_is_restored_and_is_erased_after_the_undo_period(
    person: Person, ports: Ports
) -> None:
    file = {"file": ("boats.txt", TEXT.encode(), "text/plain")}
    id = person.http.post("/v3/documents/upload", files=file).json()["id"]
    wait_until_done(person, id)
    original = f"/v3/documents/{id}/original"
    delete(person, id)
    assert person.http.get(original).status_code == 404
    scope = scope_of(person)
    await forget_expired(ports, scope, scope.tenant_id)
    restore(person, id)
    assert person.http.get(original).content == TEXT.encode()
    delete(person, id)
    await _expire(ports, scope)
    assert person.post(f"/v3/documents/{id}/restore", {}).status_code == 404
    await forget_expired(ports, scope, scope.tenant_id)
    await wait_for_jobs(ports, scope, scope.tenant_id)
    async with ports.db.transaction(scope) as tx:
        for table in ("deleted_rows", "blobs", "documents", "chunks", "memories"):
            assert await tx.system.fetchval(f"SELECT count(*) FROM {table}") == 0, table


async def _expire(ports: Ports, scope: Scope) -> None:
    async with ports.db.transaction(scope) as tx:
        await tx.system.execute("UPDATE deleted_rows SET expires_at = now() - interval '1 second'")
        await tx.system.execute("UPDATE blobs SET released_at = now() - interval '1 second'")


async def test_a_restored_statement_replaces_the_old_one_again(
    person: Person, ports: Ports
) -> None:
    old = person.post("/api/memories", {"content": "I work at the harbour of Lisbon."}).json()
    id = person.save("I work at the harbour of Hamburg.")["id"]
    await wait_for_jobs(ports, scope_of(person), UUID(id))
    await distil_document(ports, scope_of(person), UUID(id))
    path = f"/api/memories/{old['id']}"
    state = person.http.get(path).json()["state"]
    delete(person, id)
    assert person.http.get(path).json()["state"] == "active"
    restore(person, id)
    assert person.http.get(path).json()["state"] == state == "superseded"


async def test_bulk_actions_report_a_result_per_id(person: Person) -> None:
    ids = [person.save(f"{TEXT} {number}")["id"] for number in range(3)]
    unknown = str(UUID(int=7))

    def bulk(action: str, **fields: Any) -> dict[str, Any]:
        body = {"ids": [*ids, unknown], "action": action, **fields}
        reply = person.post("/v3/documents/bulk", body)
        assert reply.status_code == 200, reply.text
        answer = reply.json()
        assert [result["id"] for result in answer["results"]] == [*ids, unknown]
        assert [result["ok"] for result in answer["results"]] == [True, True, True, False]
        assert answer["results"][3]["code"] == "not_found"
        return answer

    person.post("/v3/projects", {"name": "Fleet"})
    bulk("move", project="fleet")
    bulk("tag", tags=["sea", "boat"])
    bulk("untag", tags=["sea"])
    listed = person.http.get("/v3/documents", params={"project": "fleet"}).json()["documents"]
    assert [{"sea", "boat"} & set(document["tags"]) for document in listed] == [{"boat"}] * 3
    bulk("delete")
    assert person.http.get("/v3/documents").json()["total"] == 0
    bulk("restore")
    assert person.http.get("/v3/documents").json()["total"] == 3


@pytest.mark.parametrize(
    "body",
    [
        {"action": "move"},
        {"action": "tag"},
        {"action": "tag", "tags": [""]},
        {"action": "untag", "tags": ["x" * 1_000]},
        {"action": "fly"},
    ],
)
async def test_an_incomplete_or_unknown_action_is_refused(
    person: Person, body: dict[str, Any]
) -> None:
    reply = person.post("/v3/documents/bulk", {"ids": [str(UUID(int=7))], **body})
    assert reply.status_code == 400, reply.text
