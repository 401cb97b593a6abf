"""Projects in the platform dialect."""

from typing import Any

import pytest

from remem.core.ports import Ports
from remem.core.time import new_id
from tests.conftest import Person
from tests.surfaces.rest.rows import Rows, rows_of
from tests.surfaces.rest.things import AT_ONCE, at_once, paragraphs, titles

pytestmark = pytest.mark.anyio


def make_project(user: Person, **fields: Any) -> dict[str, Any]:
    reply = user.post("/v3/projects", fields)
    assert reply.status_code == 201, reply.text
    return reply.json()


def slugs(user: Person) -> list[str]:
    return [project["slug"] for project in user.http.get("/v3/projects").json()["projects"]]


def test_a_project_is_created_read_changed_and_deleted(user: Person) -> None:
    project = make_project(user, name="Reading List", description="Later.")
    assert (project["slug"], project["document_count"], project["is_default"]) == (
        "reading-list",
        0,
        False,
    )
    user.save("A book.", project_id=project["id"])
    for reference in (project["id"], "reading-list", "Reading%20List"):
        detail = user.http.get(f"/v3/projects/{reference}").json()
        assert (detail["id"], detail["document_count"]) == (project["id"], 1)
    reply = user.http.patch(f"/v3/projects/{project['id']}", json={"name": "Books"})
    changed = reply.json()
    assert (changed["name"], changed["description"]) == ("Books", "Later.")
    assert (changed["slug"], changed["document_count"]) == ("reading-list", 1)
    assert user.http.delete("/v3/projects/reading-list").status_code == 204
    assert user.http.get(f"/v3/projects/{project['id']}").status_code == 404
    assert slugs(user) == ["default"]


async def test_deleting_a_project_erases_what_is_in_it(user: Person, ports: Ports) -> None:
    user.save("This one stays.")
    before = await rows_of(ports, user.tenant_id)
    project = make_project(user, name="Doomed")
    saved = user.save(paragraphs(6), project_id=project["id"])
    assert user.http.delete(f"/v3/projects/{project['id']}").status_code == 204
    after = await rows_of(ports, user.tenant_id)
    assert without(after, "events", "api_keys") == without(before, "events", "api_keys")
    assert user.http.get(f"/v3/documents/{saved['id']}").status_code == 404
    assert titles(user.recall("engine wheel", weak=True)) == ["This one stays."]


def without(rows: Rows, *tables: str) -> Rows:
    return {table: table_rows for table, table_rows in rows.items() if table not in tables}


def test_the_default_project_cannot_be_deleted(user: Person) -> None:
    user.save("At home.")
    reply = user.http.delete("/v3/projects/default")
    assert reply.status_code == 409
    assert "The default project cannot be deleted" in reply.json()["error"]
    assert titles(user.recall("home")) == ["At home."]


def test_a_dotted_slug_creates_its_parents(user: Person) -> None:
    make_project(user, name="Notes", slug="Work.Client One.Notes")
    assert slugs(user) == ["default", "work", "work.client-one", "work.client-one.notes"]
    reply = user.http.delete("/v3/projects/work")
    assert reply.status_code == 409
    assert "work.client-one" in reply.json()["error"]
    for slug in ("work.client-one.notes", "work.client-one", "work"):
        assert user.http.delete(f"/v3/projects/{slug}").status_code == 204
    assert slugs(user) == ["default"]


async def test_a_parent_is_found_by_its_path_and_not_by_its_name(
    user: Person, ports: Ports
) -> None:
    make_project(user, name="work", slug="old.work")
    project = make_project(user, name="Notes", slug="work.notes")
    top = make_project(user, name="Old", slug="elsewhere.old")
    rows = {row["slug"]: row for row in (await rows_of(ports, user.tenant_id))["projects"]}
    assert rows["work.notes"]["parent_id"] == rows["work"]["id"]
    assert rows["work"]["parent_id"] is None
    assert user.http.get("/v3/projects/old").json()["id"] not in (project["id"], top["id"])


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("  My   Notes ", "my-notes"),
        ("Ünïcödé", "ünïcödé"),
        ("日本語", "日本語"),
        ("ＦＵＬＬ", "full"),
        ("a/b\\c?d#e%f", "abcdef"),
        ("v1.0 plans", "v1-0-plans"),
        ("snake_case", "snake_case"),
        ("--dashes--", "dashes"),
    ],
)
def test_a_projects_name_is_normalised(name: str, slug: str, user: Person) -> None:
    project = make_project(user, name=name)
    assert (project["slug"], project["name"]) == (slug, name.strip())
    for reference in (slug, name):
        assert user.save(f"Into {reference}.", project=reference)["project_id"] == project["id"]


@pytest.mark.parametrize(
    "again", ["Reading list", "READING LIST", "reading-list", " reading  list "]
)
def test_a_project_name_is_unique(again: str, user: Person) -> None:
    make_project(user, name="Reading list")
    reply = user.post("/v3/projects", {"name": again})
    assert reply.status_code == 409
    assert reply.json()["code"] == "conflict"
    assert "reading-list" in reply.json()["error"]


def test_a_project_name_is_unique_in_simultaneous_requests(user: Person) -> None:
    replies = at_once(user, "/v3/projects", [{"name": "Race"}] * AT_ONCE)
    assert sorted(reply.status_code for reply in replies) == [201] + [409] * (AT_ONCE - 1)


def test_a_project_named_like_an_id_is_found(user: Person) -> None:
    name = str(new_id())
    project = make_project(user, name=name)
    assert user.http.get(f"/v3/projects/{name}").json()["id"] == project["id"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "  "}, "name"),
        ({"name": "!?"}, "name"),
        ({"name": "n" * 201}, "name"),
        ({"name": "N", "slug": "..."}, "slug"),
        ({"name": "N", "slug": "a.b.c.d.e.f.g.h.i.j.k"}, "slug"),
        ({"name": "N", "slug": "s" * 256}, "slug"),
        ({"name": "N", "description": "d" * 2_001}, "description"),
        ({}, "name"),
    ],
)
def test_a_bad_project_is_not_created(body: dict[str, str], field: str, user: Person) -> None:
    reply = user.post("/v3/projects", body)
    assert reply.status_code == 400, reply.text
    assert reply.json()["details"]["field"] == field
    assert slugs(user) == ["default"]


def test_changing_a_slug_changes_the_slugs_of_its_children(user: Person) -> None:
    for slug in ("fleet", "fleet.boats", "fleets", "port"):
        user.post("/v3/projects", {"name": slug, "slug": slug})
    reply = user.http.patch("/v3/projects/fleet", json={"slug": "Navy"})
    assert (reply.status_code, reply.json()["slug"]) == (200, "navy"), reply.text
    slugs = {project["slug"] for project in user.http.get("/v3/projects").json()["projects"]}
    assert slugs >= {"navy", "navy.boats", "fleets"} and not slugs & {"fleet", "fleet.boats"}
    child = user.http.patch("/v3/projects/navy.boats", json={"slug": "ships"}).json()
    assert (child["slug"], child["parent"]) == ("navy.ships", "navy")


@pytest.mark.parametrize(("slug", "status"), [("port", 409), ("a.b", 400), ("...", 400)])
def test_a_taken_or_invalid_slug_is_refused(slug: str, status: int, user: Person) -> None:
    for name in ("Fleet", "Port"):
        user.post("/v3/projects", {"name": name})
    reply = user.http.patch("/v3/projects/fleet", json={"slug": slug})
    assert reply.status_code == status, reply.text


def test_the_default_project_keeps_its_slug(user: Person) -> None:
    user.http.get("/v3/projects")
    assert user.http.patch("/v3/projects/default", json={"slug": "x"}).status_code == 409
