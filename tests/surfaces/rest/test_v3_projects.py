"""Projects in the platform dialect."""

from typing import Any

import pytest

from remem.core.ports import Ports
from remem.core.time import new_id
from tests.conftest import Person
from tests.surfaces.rest.rows import Rows, rows_of
from tests.surfaces.rest.things import AT_ONCE, at_once, paragraphs, titles

pytestmark = pytest.mark.anyio


def make_project(keeper: Person, **fields: Any) -> dict[str, Any]:
    reply = keeper.post("/v3/projects", fields)
    assert reply.status_code == 201, reply.text
    return reply.json()


def slugs(keeper: Person) -> list[str]:
    return [one["slug"] for one in keeper.http.get("/v3/projects").json()["projects"]]


def test_a_project_is_made_read_changed_and_deleted(keeper: Person) -> None:
    made = make_project(keeper, name="Reading List", description="Later.")
    assert (made["slug"], made["document_count"], made["is_default"]) == ("reading-list", 0, False)
    keeper.save("A book.", project_id=made["id"])
    for reference in (made["id"], "reading-list", "Reading%20List"):
        found = keeper.http.get(f"/v3/projects/{reference}").json()
        assert (found["id"], found["document_count"]) == (made["id"], 1)
    reply = keeper.http.patch(f"/v3/projects/{made['id']}", json={"name": "Books"})
    changed = reply.json()
    assert (changed["name"], changed["description"]) == ("Books", "Later.")
    assert (changed["slug"], changed["document_count"]) == ("reading-list", 1)
    assert keeper.http.delete("/v3/projects/reading-list").status_code == 204
    assert keeper.http.get(f"/v3/projects/{made['id']}").status_code == 404
    assert slugs(keeper) == ["default"]


async def test_deleting_a_project_erases_what_is_in_it(keeper: Person, ports: Ports) -> None:
    keeper.save("This one stays.")
    before = await rows_of(ports, keeper.tenant_id)
    made = make_project(keeper, name="Doomed")
    saved = keeper.save(paragraphs(6), project_id=made["id"])
    assert keeper.http.delete(f"/v3/projects/{made['id']}").status_code == 204
    after = await rows_of(ports, keeper.tenant_id)
    assert without(after, "events", "api_keys") == without(before, "events", "api_keys")
    assert keeper.http.get(f"/v3/documents/{saved['id']}").status_code == 404
    assert titles(keeper.recall("engine wheel", weak=True)) == ["This one stays."]


def without(rows: Rows, *tables: str) -> Rows:
    return {table: found for table, found in rows.items() if table not in tables}


def test_the_default_project_cannot_be_deleted(keeper: Person) -> None:
    keeper.save("At home.")
    reply = keeper.http.delete("/v3/projects/default")
    assert reply.status_code == 409
    assert "The default project cannot be deleted" in reply.json()["error"]
    assert titles(keeper.recall("home")) == ["At home."]


def test_a_dotted_slug_makes_its_parents(keeper: Person) -> None:
    make_project(keeper, name="Notes", slug="Work.Client One.Notes")
    assert slugs(keeper) == ["default", "work", "work.client-one", "work.client-one.notes"]
    reply = keeper.http.delete("/v3/projects/work")
    assert reply.status_code == 409
    assert "work.client-one" in reply.json()["error"]
    for slug in ("work.client-one.notes", "work.client-one", "work"):
        assert keeper.http.delete(f"/v3/projects/{slug}").status_code == 204
    assert slugs(keeper) == ["default"]


async def test_a_parent_is_known_by_its_path_and_not_by_a_name(
    keeper: Person, ports: Ports
) -> None:
    make_project(keeper, name="work", slug="old.work")
    made = make_project(keeper, name="Notes", slug="work.notes")
    top = make_project(keeper, name="Old", slug="elsewhere.old")
    rows = {one["slug"]: one for one in (await rows_of(ports, keeper.tenant_id))["projects"]}
    assert rows["work.notes"]["parent_id"] == rows["work"]["id"]
    assert rows["work"]["parent_id"] is None
    assert keeper.http.get("/v3/projects/old").json()["id"] not in (made["id"], top["id"])


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
def test_a_projects_name_is_normalised(name: str, slug: str, keeper: Person) -> None:
    made = make_project(keeper, name=name)
    assert (made["slug"], made["name"]) == (slug, name.strip())
    for reference in (slug, name):
        assert keeper.save(f"Into {reference}.", project=reference)["project_id"] == made["id"]


@pytest.mark.parametrize(
    "again", ["Reading list", "READING LIST", "reading-list", " reading  list "]
)
def test_a_projects_name_is_taken_once(again: str, keeper: Person) -> None:
    make_project(keeper, name="Reading list")
    reply = keeper.post("/v3/projects", {"name": again})
    assert reply.status_code == 409
    assert reply.json()["code"] == "conflict"
    assert "reading-list" in reply.json()["error"]


def test_a_projects_name_is_taken_once_by_simultaneous_requests(keeper: Person) -> None:
    replies = at_once(keeper, "/v3/projects", [{"name": "Race"}] * AT_ONCE)
    assert sorted(one.status_code for one in replies) == [201] + [409] * (AT_ONCE - 1)


def test_a_project_named_like_an_id_is_found(keeper: Person) -> None:
    name = str(new_id())
    made = make_project(keeper, name=name)
    assert keeper.http.get(f"/v3/projects/{name}").json()["id"] == made["id"]


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
def test_a_bad_project_is_not_made(body: dict[str, str], field: str, keeper: Person) -> None:
    reply = keeper.post("/v3/projects", body)
    assert reply.status_code == 400, reply.text
    assert reply.json()["details"]["field"] == field
    assert slugs(keeper) == ["default"]


def test_a_slug_is_changed_with_those_below_it(keeper: Person) -> None:
    for slug in ("fleet", "fleet.boats", "fleets", "port"):
        keeper.post("/v3/projects", {"name": slug, "slug": slug})
    reply = keeper.http.patch("/v3/projects/fleet", json={"slug": "Navy"})
    assert (reply.status_code, reply.json()["slug"]) == (200, "navy"), reply.text
    slugs = {one["slug"] for one in keeper.http.get("/v3/projects").json()["projects"]}
    assert slugs >= {"navy", "navy.boats", "fleets"} and not slugs & {"fleet", "fleet.boats"}
    inner = keeper.http.patch("/v3/projects/navy.boats", json={"slug": "ships"}).json()
    assert (inner["slug"], inner["parent"]) == ("navy.ships", "navy")


@pytest.mark.parametrize(("slug", "status"), [("port", 409), ("a.b", 400), ("...", 400)])
def test_a_slug_that_cannot_be_is_refused(slug: str, status: int, keeper: Person) -> None:
    for name in ("Fleet", "Port"):
        keeper.post("/v3/projects", {"name": name})
    reply = keeper.http.patch("/v3/projects/fleet", json={"slug": slug})
    assert reply.status_code == status, reply.text


def test_the_default_project_keeps_its_slug(keeper: Person) -> None:
    keeper.http.get("/v3/projects")
    assert keeper.http.patch("/v3/projects/default", json={"slug": "x"}).status_code == 409
