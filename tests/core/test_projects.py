"""Projects: an id, a slug, a path, a name or nothing leads to the one that is meant."""

import asyncio
from collections.abc import Awaitable, Callable
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remem.core.documents.ingest import ingest
from remem.core.documents.model import Draft
from remem.core.errors import Conflict, Invalid, NotFound
from remem.core.ports import Ports
from remem.core.projects.manage import (
    change_project,
    create_project,
    delete_project,
    get_project,
    list_projects,
)
from remem.core.projects.model import DEPTH_LIMIT, SLUG_LIMIT, Project, ProjectChanges, normalise
from remem.core.projects.resolve import resolve
from remem.core.scope import Scope
from remem.core.search.model import Query
from remem.core.search.recall import recall
from remem.core.time import new_id
from tests.conftest import new_scope

NOBODYS = UUID("01900000-0000-7000-8000-000000000000")


async def meant(
    ports: Ports, scope: Scope, ref: str | UUID | None, *, create: bool = False
) -> Project:
    async with ports.db.transaction(scope) as tx:
        return await resolve(tx, scope, ref, create=create)


async def at_once(count: int, make: Callable[[], Awaitable[Project]]) -> set[UUID]:
    return {made.id for made in await asyncio.gather(*(make() for _ in range(count)))}


# How names are written


@pytest.mark.parametrize(
    ("given_path", "slug"),
    [
        ("Notes", "notes"),
        ("My Agent.Notes", "my-agent.notes"),
        ("  padded  ", "padded"),
        ("a  b\tc", "a-b-c"),
        ("Work..Deep.", "work.deep"),
        ("Café", "café"),
        ("日本 語", "日本-語"),
        ("under_score", "under_score"),
        ("a/b!c", "abc"),
        ("-edge-", "edge"),
        ("ＦＵＬＬ", "full"),
    ],
)
def test_a_path_is_normalised(given_path: str, slug: str) -> None:
    assert normalise(given_path) == slug


@pytest.mark.parametrize("path", ["", " ", ".", "!?", " . . ", "---"])
def test_a_path_without_a_letter_or_digit_is_refused(path: str) -> None:
    with pytest.raises(Invalid, match="at least one letter"):
        normalise(path)


@pytest.mark.parametrize("path", ["x" * (SLUG_LIMIT + 1), ".".join("x" * (DEPTH_LIMIT + 1))])
def test_a_path_that_is_too_long_or_deep_is_refused(path: str) -> None:
    with pytest.raises(Invalid, match="at most"):
        normalise(path)


def test_the_longest_and_the_deepest_path_are_taken() -> None:
    assert len(normalise("x" * SLUG_LIMIT)) == SLUG_LIMIT
    assert normalise(".".join("x" * DEPTH_LIMIT)).count(".") == DEPTH_LIMIT - 1


@given(st.text(max_size=40))
def test_normalising_twice_changes_nothing_more(path: str) -> None:
    try:
        slug = normalise(path)
    except Invalid:
        return
    assert normalise(slug) == slug
    assert not any(char.isspace() or char.isupper() for char in slug)
    assert not slug.startswith(".")
    assert not slug.endswith(".")


# What is meant


@pytest.mark.anyio
@pytest.mark.parametrize("nothing", [None, ""])
async def test_nothing_means_the_default_project(
    ports: Ports, scope: Scope, nothing: str | None
) -> None:
    default = await meant(ports, scope, nothing)
    assert default.is_default
    assert default.slug == "default"
    assert await meant(ports, scope, nothing) == default


@pytest.mark.anyio
async def test_a_project_is_found_by_id_slug_path_and_name(ports: Ports, scope: Scope) -> None:
    made = await create_project(ports, scope, "Lab Notes", slug="Work.Lab Notes")
    assert made.slug == "work.lab-notes"
    for ref in (made.id, str(made.id), "work.lab-notes", "Lab Notes"):
        assert (await meant(ports, scope, ref)).id == made.id, ref


@pytest.mark.anyio
async def test_a_slug_comes_before_a_name(ports: Ports, scope: Scope) -> None:
    named = await create_project(ports, scope, "alpha", slug="beta")
    slugged = await create_project(ports, scope, "gamma", slug="alpha-2")
    await change_project(ports, scope, slugged.id, ProjectChanges("beta"))
    assert (await meant(ports, scope, "beta")).id == named.id


@pytest.mark.anyio
@pytest.mark.parametrize("ref", ["nowhere", "no.where", str(NOBODYS), NOBODYS])
async def test_what_is_not_there_is_said_so(ports: Ports, scope: Scope, ref: str | UUID) -> None:
    with pytest.raises(NotFound, match=str(ref)):
        await meant(ports, scope, ref)


@pytest.mark.anyio
async def test_an_unknown_id_is_never_made_into_a_name(ports: Ports, scope: Scope) -> None:
    with pytest.raises(NotFound):
        await meant(ports, scope, new_id(), create=True)


@pytest.mark.anyio
async def test_a_name_is_made_on_its_first_use(ports: Ports, scope: Scope) -> None:
    made = await meant(ports, scope, "Trip Plans", create=True)
    assert (made.slug, made.name) == ("trip-plans--4e8e6a5ce78c", "Trip Plans")
    assert await meant(ports, scope, "Trip Plans", create=True) == made
    assert await meant(ports, scope, made.slug, create=True) == made
    assert (await meant(ports, scope, "trip plans", create=True)).id != made.id


@pytest.mark.anyio
async def test_a_path_is_made_with_its_parents(ports: Ports, scope: Scope) -> None:
    leaf = await meant(ports, scope, "work.deep.notes", create=True)
    deep = await meant(ports, scope, "work.deep")
    work = await meant(ports, scope, "work")
    assert (leaf.parent_id, deep.parent_id, work.parent_id) == (deep.id, work.id, None)


@pytest.mark.anyio
@pytest.mark.parametrize("ref", [None, "shared", "some.deep.path"])
async def test_ten_first_uses_at_once_make_one(ports: Ports, scope: Scope, ref: str | None) -> None:
    made = await at_once(10, lambda: meant(ports, scope, ref, create=True))
    assert len(made) == 1
    slugs = [project.slug for project in await list_projects(ports, scope)]
    assert len(slugs) == len(set(slugs)) == {None: 1, "shared": 2, "some.deep.path": 4}[ref]


@pytest.mark.anyio
async def test_another_tenants_project_is_not_there(ports: Ports, scope: Scope) -> None:
    stranger = await new_scope(ports)
    theirs = await create_project(ports, stranger, "Secret", slug="very.secret")
    for ref in (theirs.id, str(theirs.id), "very.secret", "Secret"):
        with pytest.raises(NotFound):
            await meant(ports, scope, ref)
    ours = await meant(ports, scope, "very.secret", create=True)
    assert ours.id != theirs.id
    for change in (get_project, delete_project):
        with pytest.raises(NotFound):
            await change(ports, scope, theirs.id)
    with pytest.raises(NotFound):
        await change_project(ports, scope, theirs.id, ProjectChanges("Mine"))
    assert (await meant(ports, stranger, theirs.id)).name == "Secret"


# What is done with them


@pytest.mark.anyio
async def test_a_taken_slug_is_refused(ports: Ports, scope: Scope) -> None:
    await create_project(ports, scope, "Notes")
    with pytest.raises(Conflict, match="'notes'"):
        await create_project(ports, scope, "NOTES")


@pytest.mark.anyio
async def test_a_dot_in_a_name_is_no_path(ports: Ports, scope: Scope) -> None:
    made = await create_project(ports, scope, "node.js")
    assert (made.slug, made.parent_id) == ("node-js", None)


@pytest.mark.anyio
@pytest.mark.parametrize("name", ["", "  ", "x" * 201])
async def test_a_name_is_bounded(ports: Ports, scope: Scope, name: str) -> None:
    with pytest.raises(Invalid, match="name"):
        await create_project(ports, scope, name)


@pytest.mark.anyio
async def test_projects_are_listed_with_how_much_is_in_them(ports: Ports, scope: Scope) -> None:
    made = await create_project(ports, scope, "Counted")
    for text in ("one", "two"):
        await ingest(ports, scope, Draft(content=text, project=made.id))
    counts = {one.slug: one.document_count for one in await list_projects(ports, scope)}
    assert counts == {"default": 0, "counted": 2}
    assert (await get_project(ports, scope, "counted")).document_count == 2


@pytest.mark.anyio
async def test_a_change_keeps_what_it_does_not_name(ports: Ports, scope: Scope) -> None:
    made = await create_project(ports, scope, "Before", "What it is for")
    changed = await change_project(ports, scope, made.id, ProjectChanges("After"))
    assert (changed.name, changed.description, changed.slug) == (
        "After",
        "What it is for",
        "before",
    )


@pytest.mark.anyio
async def test_the_default_project_stays(ports: Ports, scope: Scope) -> None:
    with pytest.raises(Conflict, match="default"):
        await delete_project(ports, scope, (await meant(ports, scope, None)).id)


@pytest.mark.anyio
async def test_a_project_with_others_below_it_stays(ports: Ports, scope: Scope) -> None:
    await meant(ports, scope, "above.below", create=True)
    with pytest.raises(Conflict, match=r"above\.below"):
        await delete_project(ports, scope, "above")


@pytest.mark.anyio
async def test_a_deleted_project_leaves_nothing_to_find(ports: Ports, scope: Scope) -> None:
    made = await create_project(ports, scope, "Doomed")
    kept = await ingest(ports, scope, Draft(content="zebra crossing, kept"))
    await ingest(ports, scope, Draft(content="zebra crossing, doomed", project=made.id))
    await delete_project(ports, scope, made.id)
    found = (await recall(ports, scope, Query("zebra crossing"))).results
    assert [one.document.document_id for one in found] == [kept.document.id]
    async with ports.db.transaction(scope) as tx:
        for table in ("documents", "chunks", "postings", "embeddings", "text_totals"):
            left = await tx.fetchval(f"SELECT count(*) FROM {table} WHERE project_id = $1", made.id)
            assert left == 0, table


@pytest.mark.anyio
async def test_every_write_raises_the_generation(ports: Ports, scope: Scope) -> None:
    before = await meant(ports, scope, None)
    await ingest(ports, scope, Draft(content="something new"))
    assert (await meant(ports, scope, None)).generation > before.generation
