"""From an id, a slug, a dotted path, a name or nothing to the project that is meant."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.db import Tx
from remem.core.errors import NotFound
from remem.core.projects import store
from remem.core.projects.model import DEFAULT_SLUG, NAME_LIMIT, Project, normalise, parent_of
from remem.core.scope import Scope
from remem.core.text import shorten
from remem.core.time import new_id


async def resolve(tx: Tx, scope: Scope, ref: str | UUID | None, *, create: bool = False) -> Project:
    """Nothing means the default project. `create` makes a named one on its first use."""
    if ref is None or ref == "":
        return await default_project(tx, scope)
    if found := await _find(tx, scope, ref, by_name=not create):
        return found
    if create and isinstance(ref, str):
        return await make(tx, scope, normalise(ref), shorten(ref.strip(), NAME_LIMIT))
    raise NotFound("project", ref)


async def resolve_all(
    tx: Tx, scope: Scope, ref: str | UUID | None, *, inherit: bool = False
) -> list[UUID] | None:
    """The projects that are meant: `a.*` is a and all below it, `inherit` adds the parents.
    Nothing, or `*`, means all there are, and gives None."""
    if ref is None or ref in ("", "*"):
        return None
    below = isinstance(ref, str) and ref.endswith(".*")
    if below and not inherit:
        return await store.at_or_below(tx, scope, normalise(str(ref)[:-2]))
    project = await resolve(tx, scope, str(ref)[:-2] if below else ref)
    found = await store.at_or_below(tx, scope, project.slug) if below else [project.id]
    return found + (await store.above(tx, scope, project.slug) if inherit else [])


async def written(tx: Tx, scope: Scope, ids: Sequence[UUID] | None) -> str:
    """A word that changes with every write in any of the projects (in all, when None)."""
    return await store.generations(tx, scope, ids)


async def _find(tx: Tx, scope: Scope, ref: str | UUID, *, by_name: bool) -> Project | None:
    """What is made on its first use is known by its path alone: names may repeat."""
    id = _as_id(ref)
    found = await store.find(tx, scope, id) if id else None
    if found or isinstance(ref, UUID):
        return found
    slug = normalise(ref)
    return await store.find_named(tx, scope, slug, ref.strip() if by_name else None)


async def default_project(tx: Tx, scope: Scope) -> Project:
    return await store.find_default(tx, scope) or await make(tx, scope, DEFAULT_SLUG, "Default")


async def make(
    tx: Tx, scope: Scope, slug: str, name: str, description: str | None = None
) -> Project:
    """Make a project and the parents its path names; give the one that is there already."""
    made = await make_new(tx, scope, slug, name, description)
    found = made or await store.find_named(tx, scope, slug)
    if found is None:
        raise NotFound("project", slug)
    return found


async def make_new(
    tx: Tx, scope: Scope, slug: str, name: str, description: str | None = None
) -> Project | None:
    """None when its path is taken."""
    above = parent_of(slug)
    parent = await store.find_named(tx, scope, above) if above else None
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
