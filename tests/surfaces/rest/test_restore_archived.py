"""A document deleted before its project was archived is restored where the others were moved."""

from uuid import UUID

import pytest

from remem.core.ports import Ports
from tests.conftest import Person
from tests.core.memories import wait_for_jobs
from tests.surfaces.rest.test_undo_delete import (
    delete,
    restore,
    scope_of,
    statements,
    wait_until_done,
)
from tests.tools.waiting import until

pytestmark = pytest.mark.anyio

TEXT = "I own a boat called Zorvalia. I work at the harbour of Zorbrecht."


async def save_and_delete(person: Person, ports: Ports, project: str) -> str:
    for slug in ("fleet", "fleet.old", "fleet.old.boats"):
        person.post("/v3/projects", {"name": slug.rpartition(".")[2], "slug": slug})
    id = person.save(TEXT, project=project)["id"]
    await wait_for_jobs(ports, scope_of(person), UUID(id))
    until(lambda: len(statements(person, id)) == 2)
    delete(person, id)
    return id


def archive(person: Person, slug: str) -> None:
    reply = person.post(f"/v1/containers/{slug}/archive", {})
    assert reply.status_code == 200, reply.text


def documents_in(person: Person, slug: str) -> list[str]:
    listed = person.http.get("/v3/documents", params={"project": slug}).json()["documents"]
    return [document["id"] for document in listed]


async def test_it_is_restored_to_where_the_archive_moved_the_others(
    user: Person, ports: Ports
) -> None:
    id = await save_and_delete(user, ports, "fleet.old.boats")
    archive(user, "fleet.old.boats")
    archive(user, "fleet.old")
    restore(user, id)
    wait_until_done(user, id)
    await wait_for_jobs(ports, scope_of(user), UUID(id))
    assert documents_in(user, "fleet") == [id]
    assert user.http.get("/api/memories", params={"project": "fleet"}).json()["total"] == 2
    results = user.recall("boat called Zorvalia", project="fleet")
    assert any(result["id"] == id for result in results)


async def test_the_same_content_in_that_project_is_a_conflict(user: Person, ports: Ports) -> None:
    id = await save_and_delete(user, ports, "fleet.old")
    other = user.save(TEXT, project="fleet")["id"]
    archive(user, "fleet.old")
    reply = user.post(f"/v3/documents/{id}/restore", {})
    assert (reply.status_code, reply.json()["code"]) == (409, "saved_again")
    assert user.http.delete(f"/v3/documents/{other}").status_code == 204
    restore(user, id)
    assert documents_in(user, "fleet") == [id]


async def test_it_is_erased_with_the_project_that_it_was_moved_to(
    user: Person, ports: Ports
) -> None:
    id = await save_and_delete(user, ports, "fleet.old")
    archive(user, "fleet.old")
    reply = user.http.delete("/v3/projects/fleet", params={"recursive": True})
    assert reply.status_code == 204, reply.text
    assert user.post(f"/v3/documents/{id}/restore", {}).status_code == 404
