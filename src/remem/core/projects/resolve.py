"""Resolve an id, slug, dotted path, name or nothing to a project."""

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
    refuse_empty_part,
    refuse_pattern,
    refuse_reserved,
    slug_of,
)
from remem.core.scope import Scope
from remem.core.time import new_id
from remem.core.validate import check_text

_NO_PROJECT = "list the projects to see their names, create it first, or leave the project out"


async def resolve(tx: Tx, scope: Scope, ref: str | UUID | None, *, create: bool = False) -> Project:
    """Resolve a project; nothing means the default one. `create` creates it on first use, and
    refuses an archived one, since the caller is about to write to it."""
    if ref is None or (isinstance(ref, str) and not ref.strip()):
        return await default_project(tx, scope)
    ref = ref.strip() if isinstance(ref, str) else ref
    project = await _find(tx, scope, ref)
    if project is None and create and isinstance(ref, str):
        refuse_empty_part(ref)
        project = await get_or_create(tx, scope, slug_of(ref), ref)
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
    tx: Tx, scope: Scope, ref: str | UUID | None, *, inherit: bool = False
) -> list[UUID] | None:
    """Resolve to project ids: `a.*` is a and all below it, `inherit` adds the parents. Nothing, or
    `*`, means all projects and returns None."""
    if ref is None or ref in ("", "*"):
        return None
    below = isinstance(ref, str) and ref.endswith(".*")
    if below and not inherit:
        base = str(ref)[:-2].strip()
        top = await _find(tx, scope, base)
        return await store.at_or_below(tx, scope, top.slug if top else slug_of(base))
    project = await resolve(tx, scope, str(ref)[:-2] if below else ref)
    ids = await store.at_or_below(tx, scope, project.slug) if below else [project.id]
    return ids + (await store.above(tx, scope, project.slug) if inherit else [])


async def write_version(tx: Tx, scope: Scope, ids: Sequence[UUID] | None) -> str:
    """A string that changes with every write to any of the projects (to all, when None)."""
    return await store.generations(tx, scope, ids)


async def _find(tx: Tx, scope: Scope, ref: str | UUID) -> Project | None:
    """Find by id, by slug, or by the exact name. A valid slug is only matched as a slug, never as
    the name of another project."""
    id = _as_id(ref)
    project = await store.find(tx, scope, id) if id else None
    if project or isinstance(ref, UUID):
        return project
    check_text("project", ref, REF_LIMIT)
    refuse_pattern(ref)
    if project := await store.find_by_slug(tx, scope, ref):
        return project
    slug = slug_of(ref)
    may_be_name = slug != ref or is_reserved(ref)
    return await store.find_by_name(tx, scope, ref, slug) if may_be_name else None


async def default_project(tx: Tx, scope: Scope) -> Project:
    return await store.find_default(tx, scope) or await get_or_create(
        tx, scope, DEFAULT_SLUG, "Default"
    )


async def get_or_create(
    tx: Tx, scope: Scope, slug: str, name: str, description: str | None = None
) -> Project:
    """Get a project, or create it with the missing parents in its path."""
    created = await create_with_parents(tx, scope, slug, name, description)
    project = created or await store.find_by_slug(tx, scope, slug)
    if project is None:
        raise NotFound("project", slug)
    return project


async def create_with_parents(
    tx: Tx, scope: Scope, slug: str, name: str, description: str | None = None
) -> Project | None:
    """Create a project and its missing parents; None when the path is taken."""
    refuse_reserved(slug)
    parent_slug = parent_of(slug)
    parent = await store.find_by_slug(tx, scope, parent_slug) if parent_slug else None
    if parent_slug and parent is None:
        parent = await get_or_create(tx, scope, parent_slug, parent_slug.rpartition(".")[2])
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
