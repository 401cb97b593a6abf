"""Projects: resolved by id, slug, path, name or as the default; created, changed and deleted."""

import asyncio
import unicodedata
from collections.abc import Awaitable, Callable
from uuid import UUID

import pytest
from hypothesis import example, given
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
from remem.core.projects.model import (
    DEPTH_LIMIT,
    SLUG_LIMIT,
    Project,
    ProjectChanges,
    fold,
    fold_to_search,
    normalise,
    unique_slug,
)
from remem.core.projects.resolve import resolve, resolve_all
from remem.core.scope import Scope
from remem.core.search.model import Query
from remem.core.search.recall import recall
from remem.core.time import new_id
from tests.conftest import new_scope

UNKNOWN_ID = UUID("01900000-0000-7000-8000-000000000000")


async def resolve_project(
    ports: Ports, scope: Scope, ref: str | UUID | None, *, create: bool = False
) -> Project:
    async with ports.db.transaction(scope) as tx:
        return await resolve(tx, ref, create=create)


async def create_at_once(count: int, create: Callable[[], Awaitable[Project]]) -> set[UUID]:
    return {project.id for project in await asyncio.gather(*(create() for _ in range(count)))}


# Paths


@pytest.mark.parametrize(
    ("path", "slug"),
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
def test_a_path_is_normalised(path: str, slug: str) -> None:
    assert normalise(path) == slug


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


def in_every_case(text: str) -> set[str]:
    spellings = {text, text.upper(), text.lower(), text.title(), text.casefold(), text.swapcase()}
    return {
        unicodedata.normalize(form, spelling)
        for spelling in spellings
        for form in ("NFC", "NFD", "NFKC", "NFKD")
    }


@given(st.text(max_size=30))
@example("ΟΔΟΣ ΣΟΦΙΑΣ")
@example("Straße")
@example("ışık")
@example("İstanbul")
@example("ᾷ ῇ ῷ")
@example("Ǆ ŉ ﬁ ẞ K Ω ſ")
def test_case_changes_no_name(name: str) -> None:
    assert len({fold(spelling) for spelling in in_every_case(name)}) == 1


def test_no_letter_of_any_script_changes_with_its_case() -> None:
    letters = (chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000)
    changed = [letter for letter in letters if letter.upper() != letter or letter.lower() != letter]
    assert len(changed) > 2_700
    for letter in changed:
        for word in (f"{letter}k", f"a{letter}b", f"n{letter}"):
            assert len({fold(spelling) for spelling in in_every_case(word)}) == 1, word


@given(st.text(max_size=30))
def test_a_slug_folds_like_its_name(name: str) -> None:
    try:
        slug = normalise(name)
    except Invalid:
        return
    assert fold(slug) == fold(name)


SPELLINGS = [
    ("ΟΔΟΣ", "οδος", "οδοσ", "Οδος", "οδο-ς"),
    ("Οδός", "ΟΔΌΣ", "οδό ς"),
    ("ışık", "IŞIK", "işik", "İŞİK", "Işık"),
    ("Straße", "STRASSE", "strasse", "STRAẞE"),
    ("Ёлка", "ёлка", "ЁЛКА", "е\u0308лка"),
    ("Élan", "e\u0301lan", "ÉLAN"),
    ("ＡＢＣ", "abc", "A b-c"),
    ("ﬁsh", "FISH", "fish"),
    ("हिन्दी", "हिन्दी "),
    ("Հայ", "հայ", "ՀԱՅ"),
    ("ᲛᲪ", "მც"),
    ("Ꮳꭰ", "ᏣᎠ"),
]


@pytest.mark.anyio
@pytest.mark.parametrize("spellings", SPELLINGS, ids=lambda names: names[0])
async def test_every_spelling_is_one_project(
    ports: Ports, scope: Scope, spellings: tuple[str, ...]
) -> None:
    for first in spellings:
        tenant = await new_scope(ports)
        made = await resolve_project(ports, tenant, first, create=True)
        for name in spellings:
            assert (await resolve_project(ports, tenant, name, create=True)).id == made.id
        assert made.ref == first.strip() or fold(made.ref) == fold(first)


@pytest.mark.anyio
async def test_sql_folds_slugs_like_python(ports: Ports, scope: Scope) -> None:
    slugs = {normalise(name) for names in SPELLINGS for name in names} | {
        "οδος",
        "a--b",
        "x_y.z",
        "v1-0_2",
        "1--2-",
    }
    async with ports.db.transaction(scope) as tx:
        for slug in slugs:
            folded = await tx.system.fetchval("SELECT folded_slug($1)", slug)
            assert folded == fold_to_search(slug), slug


@pytest.mark.anyio
@pytest.mark.parametrize(
    "names",
    [("API v1-0", "API v10"), ("2026-11", "202611"), ("Gate 1 1", "Gate 11"), ("١ ٢", "١٢")],
    ids=lambda names: names[0],
)
async def test_a_sign_between_digits_makes_another_project(
    ports: Ports, scope: Scope, names: tuple[str, str]
) -> None:
    first, second = [await resolve_project(ports, scope, name, create=True) for name in names]
    assert first.id != second.id
    for spelling in (names[0].lower(), names[0].replace(" ", "_"), names[0].replace("-", "_")):
        assert (await resolve_project(ports, scope, spelling, create=True)).id == first.id


# Resolving


@pytest.mark.anyio
@pytest.mark.parametrize("ref", ["default", "Default", " DEFAULT "])
async def test_the_default_project_is_found_by_name_before_it_is_used(
    ports: Ports, scope: Scope, ref: str
) -> None:
    async with ports.db.transaction(scope) as tx:
        [id] = await resolve_all(tx, ref) or []
    assert (await resolve_project(ports, scope, ref)).id == id
    assert (await resolve_project(ports, scope, None)).id == id


@pytest.mark.anyio
@pytest.mark.parametrize("ref", [None, ""])
async def test_no_reference_means_the_default_project(
    ports: Ports, scope: Scope, ref: str | None
) -> None:
    default = await resolve_project(ports, scope, ref)
    assert default.is_default
    assert default.slug == "default"
    assert await resolve_project(ports, scope, ref) == default


@pytest.mark.anyio
async def test_a_project_is_found_by_id_slug_path_and_name(ports: Ports, scope: Scope) -> None:
    project = await create_project(ports, scope, "Lab Notes", slug="Work.Lab Notes")
    assert project.slug == "work.lab-notes"
    for ref in (project.id, str(project.id), "work.lab-notes", "Lab Notes"):
        assert (await resolve_project(ports, scope, ref)).id == project.id, ref


@pytest.mark.anyio
async def test_a_slug_takes_precedence_over_a_name(ports: Ports, scope: Scope) -> None:
    named = await create_project(ports, scope, "alpha", slug="beta")
    slugged = await create_project(ports, scope, "gamma", slug="alpha-2")
    await change_project(ports, scope, slugged.id, ProjectChanges("beta"))
    assert (await resolve_project(ports, scope, "beta")).id == named.id


@pytest.mark.anyio
@pytest.mark.parametrize("ref", ["nowhere", "no.where", str(UNKNOWN_ID), UNKNOWN_ID])
async def test_an_unknown_project_is_not_found(ports: Ports, scope: Scope, ref: str | UUID) -> None:
    with pytest.raises(NotFound, match=str(ref)):
        await resolve_project(ports, scope, ref)


@pytest.mark.anyio
async def test_no_project_is_created_for_an_unknown_id(ports: Ports, scope: Scope) -> None:
    with pytest.raises(NotFound):
        await resolve_project(ports, scope, new_id(), create=True)


@pytest.mark.anyio
async def test_a_project_is_created_at_the_first_use_of_its_name(
    ports: Ports, scope: Scope
) -> None:
    project = await resolve_project(ports, scope, "Trip Plans", create=True)
    assert (project.slug, project.name, project.ref) == ("trip-plans", "Trip Plans", "Trip Plans")
    assert await resolve_project(ports, scope, "Trip Plans", create=True) == project
    assert await resolve_project(ports, scope, project.slug, create=True) == project
    for spelling in ("trip plans", "TripPlans", "TRIP-PLANS", "trip_plans!", " tripplans "):
        assert (await resolve_project(ports, scope, spelling, create=True)).id == project.id


@pytest.mark.anyio
async def test_spellings_at_once_create_one_project(ports: Ports, scope: Scope) -> None:
    spellings = iter(("MyApp", "myapp", "my-app", "MYAPP", "My App", "my_app") * 3)
    ids = await create_at_once(
        18, lambda: resolve_project(ports, scope, next(spellings), create=True)
    )
    assert len(ids) == 1


@pytest.mark.anyio
async def test_a_project_is_found_by_its_name_in_any_spelling(ports: Ports, scope: Scope) -> None:
    project = await create_project(ports, scope, "Quarter Plans", slug="work.q3")
    for spelling in ("quarter plans", "QuarterPlans", "quarter-plans", "WORK.Q3", "Work.q-3"):
        assert (await resolve_project(ports, scope, spelling)).id == project.id, spelling
    # The end of a path alone is not its name.
    with pytest.raises(NotFound):
        await resolve_project(ports, scope, "q3")
    with pytest.raises(Conflict, match=r"'work\.q3'"):
        await create_project(ports, scope, "Q3", slug="Work.Q-3")
    below = await resolve_project(ports, scope, "WORK.Q-3.Old Notes", create=True)
    assert (below.slug, below.parent_id) == ("work.q3.old-notes", project.id)


@pytest.mark.anyio
async def test_projects_of_older_versions_are_one_again(ports: Ports, scope: Scope) -> None:
    """They added a hash of the spelling to the slug."""
    spellings = ("MyApp", "MYAPP", "My App")
    for number, spelling in enumerate(spellings):
        project = await create_project(ports, scope, f"old {number}")
        async with ports.db.transaction(scope) as tx:
            await tx.system.execute(
                "UPDATE projects SET slug = $2, name = $3, settings = '{}' WHERE id = $1",
                project.id,
                unique_slug(spelling),
                spelling,
            )
        await ingest(ports, scope, Draft(content=f"Zebra crossing {number}.", project=project.id))
    first = await resolve_project(ports, scope, "MyApp")
    assert first.ref == "MyApp"
    for spelling in (*spellings, "myapp", "my-app"):
        assert (await resolve_project(ports, scope, spelling, create=True)).id == first.id
        found = await recall(ports, scope, Query("zebra crossing", project=spelling))
        assert len(found.results) == 3, spelling
    alone = await recall(ports, scope, Query("zebra crossing", project=unique_slug("MYAPP")))
    assert len(alone.results) == 1


@pytest.mark.anyio
async def test_a_path_is_created_with_its_parents(ports: Ports, scope: Scope) -> None:
    leaf = await resolve_project(ports, scope, "work.deep.notes", create=True)
    deep = await resolve_project(ports, scope, "work.deep")
    work = await resolve_project(ports, scope, "work")
    assert (leaf.parent_id, deep.parent_id, work.parent_id) == (deep.id, work.id, None)


@pytest.mark.anyio
@pytest.mark.parametrize("ref", [None, "shared", "some.deep.path"])
async def test_ten_concurrent_first_uses_create_one_project(
    ports: Ports, scope: Scope, ref: str | None
) -> None:
    ids = await create_at_once(10, lambda: resolve_project(ports, scope, ref, create=True))
    assert len(ids) == 1
    slugs = [project.slug for project in await list_projects(ports, scope)]
    assert len(slugs) == len(set(slugs)) == {None: 1, "shared": 2, "some.deep.path": 4}[ref]


@pytest.mark.anyio
async def test_a_project_of_another_tenant_is_not_found(ports: Ports, scope: Scope) -> None:
    stranger = await new_scope(ports)
    other_project = await create_project(ports, stranger, "Secret", slug="very.secret")
    for ref in (other_project.id, str(other_project.id), "very.secret", "Secret"):
        with pytest.raises(NotFound):
            await resolve_project(ports, scope, ref)
    own_project = await resolve_project(ports, scope, "very.secret", create=True)
    assert own_project.id != other_project.id
    for change in (get_project, delete_project):
        with pytest.raises(NotFound):
            await change(ports, scope, other_project.id)
    with pytest.raises(NotFound):
        await change_project(ports, scope, other_project.id, ProjectChanges("Mine"))
    assert (await resolve_project(ports, stranger, other_project.id)).name == "Secret"


# Changing


@pytest.mark.anyio
async def test_a_taken_slug_is_refused(ports: Ports, scope: Scope) -> None:
    await create_project(ports, scope, "Notes")
    for name in ("NOTES", "No tes", "no-tes"):
        with pytest.raises(Conflict, match="'notes'"):
            await create_project(ports, scope, name)


@pytest.mark.anyio
async def test_a_dot_in_a_name_is_no_path(ports: Ports, scope: Scope) -> None:
    project = await create_project(ports, scope, "node.js")
    assert (project.slug, project.parent_id) == ("node-js", None)


@pytest.mark.anyio
@pytest.mark.parametrize("name", ["", "  ", "x" * 201])
async def test_a_name_that_is_empty_or_too_long_is_refused(
    ports: Ports, scope: Scope, name: str
) -> None:
    with pytest.raises(Invalid, match="name"):
        await create_project(ports, scope, name)


@pytest.mark.anyio
async def test_projects_are_listed_with_their_document_counts(ports: Ports, scope: Scope) -> None:
    project = await create_project(ports, scope, "Counted")
    for text in ("one", "two"):
        await ingest(ports, scope, Draft(content=text, project=project.id))
    counts = {project.slug: project.document_count for project in await list_projects(ports, scope)}
    assert counts == {"default": 0, "counted": 2}
    assert (await get_project(ports, scope, "counted")).document_count == 2


@pytest.mark.anyio
async def test_a_change_keeps_other_fields(ports: Ports, scope: Scope) -> None:
    project = await create_project(ports, scope, "Before", "What it is for")
    changed = await change_project(ports, scope, project.id, ProjectChanges("After"))
    assert (changed.name, changed.description, changed.slug) == (
        "After",
        "What it is for",
        "before",
    )


@pytest.mark.anyio
async def test_the_default_project_cannot_be_deleted(ports: Ports, scope: Scope) -> None:
    with pytest.raises(Conflict, match="default"):
        await delete_project(ports, scope, (await resolve_project(ports, scope, None)).id)


@pytest.mark.anyio
async def test_a_project_with_subprojects_cannot_be_deleted(ports: Ports, scope: Scope) -> None:
    await resolve_project(ports, scope, "above.below", create=True)
    with pytest.raises(Conflict, match=r"above\.below"):
        await delete_project(ports, scope, "above")


@pytest.mark.anyio
async def test_a_deleted_project_leaves_nothing_to_find(ports: Ports, scope: Scope) -> None:
    doomed = await create_project(ports, scope, "Doomed")
    kept = await ingest(ports, scope, Draft(content="zebra crossing, kept"))
    await ingest(ports, scope, Draft(content="zebra crossing, doomed", project=doomed.id))
    await delete_project(ports, scope, doomed.id)
    results = (await recall(ports, scope, Query("zebra crossing"))).results
    assert [result.document.document_id for result in results] == [kept.document.id]
    async with ports.db.transaction(scope) as tx:
        for table in ("documents", "chunks", "postings", "embeddings", "text_totals"):
            remaining = await tx.system.fetchval(
                f"SELECT count(*) FROM {table} WHERE project_id = $1", doomed.id
            )
            assert remaining == 0, table


@pytest.mark.anyio
async def test_every_write_raises_the_generation(ports: Ports, scope: Scope) -> None:
    before = await resolve_project(ports, scope, None)
    await ingest(ports, scope, Draft(content="something new"))
    assert (await resolve_project(ports, scope, None)).generation > before.generation
