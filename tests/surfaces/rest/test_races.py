"""Two concurrent requests: one wins, and the other gets a clear error."""

from typing import Any

import pytest

from remem.core.ports import Ports
from tests.conftest import Person
from tests.surfaces.rest.problems import assert_problem
from tests.surfaces.rest.test_undo_delete import scope_of
from tests.tools.contention import call_while_locked

pytestmark = pytest.mark.anyio


def new_project(person: Person, name: str) -> str:
    reply = person.post("/v3/projects", {"name": name})
    assert reply.status_code == 201, reply.text
    return reply.json()["id"]


async def test_two_projects_take_the_same_slug(user: Person, ports: Ports) -> None:
    first, second = new_project(user, "one"), new_project(user, "two")

    def rename(id: str) -> Any:
        return lambda: user.http.patch(f"/v3/projects/{id}", json={"slug": "race"})

    replies = await call_while_locked(
        ports, scope_of(user), "SELECT FROM projects FOR UPDATE", [rename(first), rename(second)]
    )
    winner, loser = sorted(replies, key=lambda reply: reply.status_code)
    assert winner.status_code == 200 and winner.json()["slug"] == "race"
    assert_problem(loser, 409, "taken", "try again")


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
    path: str, body: dict[str, Any], field: str, user: Person, ports: Ports
) -> None:
    project = new_project(user, "gone")
    [reply] = await call_while_locked(
        ports,
        scope_of(user),
        f"DELETE FROM projects WHERE id = '{project}'",
        [lambda: user.post(path, {**body, field: project})],
    )
    assert_problem(reply, 404, "not_found", "project")
