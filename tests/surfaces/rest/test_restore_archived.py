"""A document was deleted before its project was archived: it is restored where the rest is."""

from uuid import UUID

import pytest

from remem.core.ports import Ports
from tests.conftest import Person
from tests.core.memories import settled_jobs
from tests.surfaces.rest.test_undo_delete import delete, done, restore, scope_of, statements
from tests.tools.waiting import until

pytestmark = pytest.mark.anyio

TEXT = "I own a boat called Zorvalia. I work at the harbour of Zorbrecht."


async def deleted(person: Person, ports: Ports, project: str) -> str:
    for slug in ("fleet", "fleet.old", "fleet.old.boats"):
        person.post("/v3/projects", {"name": slug.rpartition(".")[2], "slug": slug})
    id = person.save(TEXT, project=project)["id"]
    await settled_jobs(ports, scope_of(person), UUID(id))
    until(lambda: len(statements(person, id)) == 2)
    delete(person, id)
    return id


def archive(person: Person, slug: str) -> None:
    reply = person.post(f"/v1/containers/{slug}/archive", {})
    assert reply.status_code == 200, reply.text


def documents_in(person: Person, slug: str) -> list[str]:
    listed = person.http.get("/v3/documents", params={"project": slug}).json()["documents"]
    return [one["id"] for one in listed]


async def test_it_is_restored_to_where_the_archive_moved_the_rest(
    keeper: Person, ports: Ports
) -> None:
    id = await deleted(keeper, ports, "fleet.old.boats")
    archive(keeper, "fleet.old.boats")
    archive(keeper, "fleet.old")
    restore(keeper, id)
    done(keeper, id)
    await settled_jobs(ports, scope_of(keeper), UUID(id))
    assert documents_in(keeper, "fleet") == [id]
    assert keeper.http.get("/api/memories", params={"project": "fleet"}).json()["total"] == 2
    found = keeper.recall("boat called Zorvalia", project="fleet")
    assert any(one["id"] == id for one in found)


async def test_the_same_content_in_that_project_says_what_to_do(
    keeper: Person, ports: Ports
) -> None:
    id = await deleted(keeper, ports, "fleet.old")
    other = keeper.save(TEXT, project="fleet")["id"]
    archive(keeper, "fleet.old")
    reply = keeper.post(f"/v3/documents/{id}/restore", {})
    assert (reply.status_code, reply.json()["code"]) == (409, "saved_again")
    assert keeper.http.delete(f"/v3/documents/{other}").status_code == 204
    restore(keeper, id)
    assert documents_in(keeper, "fleet") == [id]


async def test_it_goes_with_the_project_that_it_was_moved_to(keeper: Person, ports: Ports) -> None:
    id = await deleted(keeper, ports, "fleet.old")
    archive(keeper, "fleet.old")
    reply = keeper.http.delete("/v3/projects/fleet", params={"recursive": True})
    assert reply.status_code == 204, reply.text
    assert keeper.post(f"/v3/documents/{id}/restore", {}).status_code == 404
