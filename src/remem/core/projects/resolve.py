"""From an id, a slug, a dotted path, a name or nothing to the project that is meant."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.db import Tx
from remem.core.errors import Conflict, NotFound
from remem.core.projects import store
from remem.core.projects.model import (
    DEFAULT_SLUG,
    REF_LIMIT,
    Project,
    is_reserved,
    parent_of,
    refuse_gap,
    refuse_pattern,
    refuse_reserved,
    slug_of,
)
from remem.core.scope import Scope
from remem.core.time import new_id
from remem.core.validate import check_text

_NO_PROJECT = "list the projects to see their names, create it first, or leave the project out"


async def resolve(tx: Tx, scope: Scope, ref: str | UUID | None, *, create: bool = False) -> Project:
    """Nothing means the default project. `create` makes a named one on its first use, and refuses
    one that is archived: it is about to be written to."""
    if ref is None or (isinstance(ref, str) and not ref.strip()):
        return await default_project(tx, scope)
    ref = ref.strip() if isinstance(ref, str) else ref
    found = await _find(tx, scope, ref)
    if found is None and create and isinstance(ref, str):
        refuse_gap(ref)
        found = await make(tx, scope, slug_of(ref), ref)
    if found is None:
        raise NotFound("project", ref, hint=_NO_PROJECT)
    if create:
        refuse_archived(found)
    return found


def refuse_archived(project: Project) -> None:
    if project.archived_at:
        raise Conflict(
            f"The project '{project.slug}' is archived and accepts no new items; use another one.",
            code="archived",
        )


async def resolve_all(
    tx: Tx, scope: Scope, ref: str | UUID | None, *, inherit: bool = False
) -> list[UUID] | None:
    """The projects that are meant: `a.*` is a and all below it, `inherit` adds the parents.
    Nothing, or `*`, means all there are, and gives None."""
    if ref is None or ref in ("", "*"):
        return None
    below = isinstance(ref, str) and ref.endswith(".*")
    if below and not inherit:
        base = str(ref)[:-2].strip()
        found = await _find(tx, scope, base)
        return await store.at_or_below(tx, scope, found.slug if found else slug_of(base))
    project = await resolve(tx, scope, str(ref)[:-2] if below else ref)
    found = await store.at_or_below(tx, scope, project.slug) if below else [project.id]
    return found + (await store.above(tx, scope, project.slug) if inherit else [])


async def written(tx: Tx, scope: Scope, ids: Sequence[UUID] | None) -> str:
    """A word that changes with every write in any of the projects (in all, when None)."""
    return await store.generations(tx, scope, ids)


async def _find(tx: Tx, scope: Scope, ref: str | UUID) -> Project | None:
    """By its id, by its slug, or by its name exactly as it was given. What is written as a slug is
    one: a name that another project has does not lead there."""
    id = _as_id(ref)
    found = await store.find(tx, scope, id) if id else None
    if found or isinstance(ref, UUID):
        return found
    check_text("project", ref, REF_LIMIT)
    refuse_pattern(ref)
    if found := await store.find_slug(tx, scope, ref):
        return found
    slug = slug_of(ref)
    is_a_name = slug != ref or is_reserved(ref)
    return await store.find_named(tx, scope, ref, slug) if is_a_name else None


async def default_project(tx: Tx, scope: Scope) -> Project:
    return await store.find_default(tx, scope) or await make(tx, scope, DEFAULT_SLUG, "Default")


async def make(
    tx: Tx, scope: Scope, slug: str, name: str, description: str | None = None
) -> Project:
    """Make a project and the parents its path names; give the one that is there already."""
    made = await make_new(tx, scope, slug, name, description)
    found = made or await store.find_slug(tx, scope, slug)
    if found is None:
        raise NotFound("project", slug)
    return found


async def make_new(
    tx: Tx, scope: Scope, slug: str, name: str, description: str | None = None
) -> Project | None:
    """None when its path is taken."""
    refuse_reserved(slug)
    above = parent_of(slug)
    parent = await store.find_slug(tx, scope, above) if above else None
    if above and parent is None:
        parent = await make(tx, scope, above, above.rpartition(".")[2])
    return await store.insert(
        tx, scope, new_id(), slug, name, description, parent.id if parent else None
    )


def _as_id(ref: str | UUID) -> UUID | None:
    if isinstance(ref, UUID):
        return ref
    try:
        return UUID(ref)
    except ValueError:
        return None
