"""Resolve an id, slug, dotted path, name or nothing to a project."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.errors import Conflict, NotFound
from remem.core.projects import project_store
from remem.core.projects.model import (
    DEFAULT_SLUG,
    REF_LIMIT,
    Project,
    check_name,
    fold,
    fold_to_search,
    has_unique_slug,
    parent_of,
    refuse_empty_part,
    refuse_pattern,
    refuse_reserved,
    slug_of,
    unique_slug,
)
from remem.core.time import new_id
from remem.core.transaction import Tx
from remem.core.validate import check_text

_NO_PROJECT = "list the projects to see their names, create it first, or leave the project out"


async def resolve(tx: Tx, ref: str | UUID | None, *, create: bool = False) -> Project:
    """Resolve a project; nothing means the default one. `create` creates it on first use, and
    refuses an archived one, since the caller is about to write to it."""
    if ref is None or (isinstance(ref, str) and not ref.strip()):
        return await default_project(tx)
    ref = ref.strip() if isinstance(ref, str) else ref
    project = await _find(tx, ref) or await _named_default(tx, ref)
    if project is None and create and isinstance(ref, str):
        refuse_empty_part(ref)
        project = await get_or_create(tx, slug_of(ref), ref)
    if project is None:
        raise NotFound("project", ref, hint=_NO_PROJECT)
    if create:
        refuse_archived(project)
    return project


def refuse_archived(project: Project) -> None:
    if project.archived_at:
        raise Conflict(
            f"The project '{project.slug}' is archived and accepts no new items; use another one.",
            code="archived",
        )


async def resolve_all(
    tx: Tx, ref: str | UUID | None, *, inherit: bool = False
) -> list[UUID] | None:
    """Resolve to project ids: `a.*` is a and all below it, `inherit` adds the parents. Nothing, or
    `*`, means all projects and returns None."""
    if ref is None or ref in ("", "*"):
        return None
    below = isinstance(ref, str) and ref.endswith(".*")
    base = str(ref)[:-2].strip() if below else ref
    projects = await _find_all(tx, base)
    if not projects and (default := await _named_default(tx, base)):
        projects = [default]
    slugs = [project.slug for project in projects]
    if not projects and not (below and not inherit):
        raise NotFound("project", base, hint=_NO_PROJECT)
    ids = [project.id for project in projects]
    for slug in (slugs or [slug_of(str(base))]) if below else []:
        ids += await project_store.at_or_below(tx, slug)
    for slug in slugs if inherit else []:
        ids += await project_store.above(tx, slug)
    return list(dict.fromkeys(ids))


async def write_version(tx: Tx, ids: Sequence[UUID] | None) -> str:
    """A string that changes with every write to any of the projects (to all, when None)."""
    return await project_store.generations(tx, ids)


async def _find(tx: Tx, ref: str | UUID) -> Project | None:
    exact = await _find_exact(tx, ref)
    if exact or isinstance(ref, UUID):
        return exact
    return next(iter(await _find_spellings(tx, ref)), None)


async def _find_all(tx: Tx, ref: str | UUID) -> list[Project]:
    """The project, and those that older versions made of other spellings of its name."""
    exact = await _find_exact(tx, ref)
    if isinstance(ref, UUID) or (exact and (exact.slug != ref or has_unique_slug(exact))):
        return [exact] if exact else []
    spellings = await _find_spellings(tx, ref)
    others = [project for project in spellings if has_unique_slug(project)]
    return [exact, *others] if exact else [*spellings[:1], *others]


async def _find_exact(tx: Tx, ref: str | UUID) -> Project | None:
    """Find by id or slug."""
    id = _as_id(ref)
    project = await project_store.find(tx, id) if id else None
    if project or isinstance(ref, UUID):
        return project
    check_text("project", ref, REF_LIMIT)
    refuse_pattern(ref)
    return await project_store.find_by_slug(tx, ref)


async def _find_spellings(tx: Tx, ref: str) -> list[Project]:
    """Find by a name in any spelling. The first is the one to write to."""
    check_name(ref)
    same = await find_same_name(tx, ref)
    return sorted(same, key=has_unique_slug) or await _find_by_name(tx, ref)


async def find_same_name(tx: Tx, name: str) -> list[Project]:
    """The projects whose slug was made of this name, in any spelling, the oldest first."""
    folded = fold(name)
    if not folded:
        unique = await project_store.find_by_slug(tx, unique_slug(name))
        return [unique] if unique else []
    searched = fold_to_search(name)
    projects = await project_store.find_folded(tx, [searched, searched.replace(".", "")])
    return [
        project
        for project in projects
        if fold(project.name if has_unique_slug(project) else project.slug) == folded
    ]


async def _find_by_name(tx: Tx, name: str) -> list[Project]:
    """The oldest project that was given this name, in any spelling."""
    folded = fold(name)
    ids = [id for id, known in await project_store.names(tx) if folded and fold(known) == folded]
    project = await project_store.find(tx, ids[0]) if ids else None
    return [project] if project else []


async def _named_default(tx: Tx, ref: str | UUID) -> Project | None:
    """The default project by its name, also before anything was saved."""
    is_default = isinstance(ref, str) and fold(ref) == DEFAULT_SLUG
    return await default_project(tx) if is_default else None


async def default_project(tx: Tx) -> Project:
    return await project_store.find_default(tx) or await get_or_create(tx, DEFAULT_SLUG, "Default")


async def get_or_create(tx: Tx, slug: str, name: str, description: str | None = None) -> Project:
    """Get a project, or create it with the missing parents in its path."""
    created = await create_with_parents(tx, slug, name, description)
    project = created or await _find(tx, slug)
    if project is None:
        raise NotFound("project", slug)
    return project


async def create_with_parents(
    tx: Tx, slug: str, name: str, description: str | None = None
) -> Project | None:
    """Create a project and its missing parents; None when the path is taken, in any spelling."""
    refuse_reserved(slug)
    parent_slug, last_part = parent_of(slug), slug.rpartition(".")[2]
    parent = None
    if parent_slug:
        parent = await _find(tx, parent_slug) or await get_or_create(
            tx, parent_slug, parent_slug.rpartition(".")[2]
        )
        slug = f"{parent.slug}.{last_part}"
    await project_store.lock_name(tx, fold(slug))
    if any(not has_unique_slug(project) for project in await find_same_name(tx, slug)):
        return None
    spelling = name if name != slug and slug != DEFAULT_SLUG and fold(name) == fold(slug) else None
    parent_id = parent.id if parent else None
    return await project_store.insert(tx, new_id(), slug, name, description, parent_id, spelling)


def _as_id(ref: str | UUID) -> UUID | None:
    if isinstance(ref, UUID):
        return ref
    try:
        return UUID(ref)
    except ValueError:
        return None
