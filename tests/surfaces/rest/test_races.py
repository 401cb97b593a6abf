"""Two requests at once: one wins, and the other learns so."""

from typing import Any

import pytest

from remem.core.ports import Ports
from tests.conftest import Person
from tests.surfaces.rest.problems import assert_problem
from tests.surfaces.rest.test_undo_delete import scope_of
from tests.tools.contention import all_wait_for

pytestmark = pytest.mark.anyio


def new_project(person: Person, name: str) -> str:
    reply = person.post("/v3/projects", {"name": name})
    assert reply.status_code == 201, reply.text
    return reply.json()["id"]


async def test_two_projects_take_the_same_slug(keeper: Person, ports: Ports) -> None:
    one, two = new_project(keeper, "one"), new_project(keeper, "two")

    def rename(id: str) -> Any:
        return lambda: keeper.http.patch(f"/v3/projects/{id}", json={"slug": "race"})

    replies = await all_wait_for(
        ports, scope_of(keeper), "SELECT FROM projects FOR UPDATE", [rename(one), rename(two)]
    )
    won, lost = sorted(replies, key=lambda reply: reply.status_code)
    assert won.status_code == 200 and won.json()["slug"] == "race"
    assert_problem(lost, 409, "taken", "try again")


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("/v3/memory", {"content": "Into a project that goes."}, "project_id"),
        ("/api/memories", {"content": "Into a project that goes."}, "projectId"),
        ("/api/sessions", {"title": "Into a project that goes"}, "projectId"),
        ("/api/feeds", {"url": "https://example.org/feed"}, "projectId"),
    ],
)
async def test_a_project_is_deleted_while_something_is_saved_in_it(
    path: str, body: dict[str, Any], field: str, keeper: Person, ports: Ports
) -> None:
    project = new_project(keeper, "gone")
    [reply] = await all_wait_for(
        ports,
        scope_of(keeper),
        f"DELETE FROM projects WHERE id = '{project}'",
        [lambda: keeper.post(path, {**body, field: project})],
    )
    assert_problem(reply, 404, "not_found", "project")
