"""From an id, a slug, a dotted path, a name or nothing to the project that is meant."""

from uuid import UUID

from remem.core.db import Tx
from remem.core.errors import NotFound
from remem.core.projects import store
from remem.core.projects.model import DEFAULT_SLUG, Project, normalise, parent_of
from remem.core.scope import Scope
from remem.core.time import new_id


async def resolve(tx: Tx, scope: Scope, ref: str | UUID | None, *, create: bool = False) -> Project:
    """Nothing means the default project. `create` makes a named one on its first use."""
    if ref is None or ref == "":
        return await default_project(tx, scope)
    id = _as_id(ref)
    found = await (store.find(tx, scope, id) if id else _named(tx, scope, str(ref)))
    if found:
        return found
    if id is None and create:
        return await make(tx, scope, normalise(str(ref)), str(ref).strip())
    raise NotFound("project", ref)


async def default_project(tx: Tx, scope: Scope) -> Project:
    return await store.find_default(tx, scope) or await make(tx, scope, DEFAULT_SLUG, "Default")


async def make(
    tx: Tx, scope: Scope, slug: str, name: str, description: str | None = None
) -> Project:
    """Make a project and the parents its path names; give the one that is there already."""
    parent = parent_of(slug)
    above = await _named(tx, scope, parent) if parent else None
    if parent and above is None:
        above = await make(tx, scope, parent, parent.rpartition(".")[2])
    made = await store.insert(
        tx, scope, new_id(), slug, name, description, above.id if above else None
    )
    return made or await _taken(tx, scope, slug)


async def _taken(tx: Tx, scope: Scope, slug: str) -> Project:
    found = await store.find_named(tx, scope, slug, slug)
    if found is None:
        raise NotFound("project", slug)
    return found


async def _named(tx: Tx, scope: Scope, ref: str) -> Project | None:
    return await store.find_named(tx, scope, normalise(ref), ref.strip())


def _as_id(ref: str | UUID) -> UUID | None:
    if isinstance(ref, UUID):
        return ref
    try:
        return UUID(ref)
    except ValueError:
        return None
