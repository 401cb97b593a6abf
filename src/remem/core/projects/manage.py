"""Create, list, change and delete projects."""

from collections.abc import Iterable
from dataclasses import replace
from uuid import UUID

from remem.core.blobs.sweep import release_project
from remem.core.errors import Conflict, Invalid, NotFound
from remem.core.events.record import record
from remem.core.identity.plans import resume_waiting_jobs
from remem.core.index.write import unindex_project
from remem.core.ports import Ports
from remem.core.projects import project_store
from remem.core.projects.model import (
    DESCRIPTION_LIMIT,
    NAME_LIMIT,
    Project,
    ProjectChanges,
    has_unique_slug,
    is_reserved,
    normalise,
    refuse_empty_part,
    refuse_reserved,
)
from remem.core.projects.resolve import (
    create_with_parents,
    default_project,
    find_same_name,
    refuse_archived,
    resolve,
)
from remem.core.scope import Scope
from remem.core.transaction import Tx
from remem.core.validate import check_text


async def create_project(
    ports: Ports, scope: Scope, name: str, description: str | None = None, slug: str | None = None
) -> Project:
    name = _clean_name(name)
    check_text("description", description, DESCRIPTION_LIMIT)
    path = _normalise_slug(slug) if slug else _path_of(name)
    async with ports.db.transaction(scope) as tx:
        project = await create_with_parents(tx, path, name, description)
        if project is None:
            taken = await resolve(tx, path)
            raise Conflict(
                f"There is a project '{taken.slug}' already; use it, or choose another name."
            )
        await record(tx, "project", project.id, "create")
        return project


async def list_projects(ports: Ports, scope: Scope) -> list[Project]:
    async with ports.db.transaction(scope) as tx:
        await default_project(tx)
        return await project_store.list_all(tx)


async def get_project(ports: Ports, scope: Scope, ref: str | UUID) -> Project:
    async with ports.db.transaction(scope) as tx:
        project = await resolve(tx, ref)
        return await _with_counts(tx, project)


async def _with_counts(tx: Tx, project: Project) -> Project:
    documents, memories = await project_store.counts(tx, project.id)
    return replace(project, document_count=documents, memory_count=memories)


async def change_project(
    ports: Ports, scope: Scope, ref: str | UUID, changes: ProjectChanges
) -> Project:
    async with ports.db.transaction(scope) as tx:
        project = await resolve(tx, ref)
        name = _clean_name(changes.name) if changes.name is not None else None
        check_text("description", changes.description, DESCRIPTION_LIMIT)
        if changes.slug is not None:
            await _move_path(tx, project, changes.slug)
        changed = await project_store.update(
            tx, project.id, name, changes.description, changes.pinned
        )
        if changed is None:
            raise NotFound("project", ref)
        await record(tx, "project", project.id, "update")
        return await _with_counts(tx, changed)


async def _move_path(tx: Tx, project: Project, slug: str) -> None:
    """Change the last part of a project's path, and the paths of the projects below it."""
    last_part = _normalise_slug(slug)
    if "." in last_part:
        raise Invalid("slug", "has a dot; give the last part of the path alone")
    path = ".".join([*project.slug.split(".")[:-1], last_part])
    if path == project.slug:
        return
    refuse_reserved(path, "slug")
    if project.is_default:
        raise Conflict("The default project keeps its slug; rename it by its name.")
    others = [other for other in await find_same_name(tx, path) if other.id != project.id]
    if await project_store.is_taken(tx, path) or not all(map(has_unique_slug, others)):
        raise Conflict(f"There is a project '{path}' already; take another slug.")
    await project_store.move_path(tx, project.slug, path)


async def delete_project(
    ports: Ports, scope: Scope, ref: str | UUID, *, recursive: bool = False
) -> None:
    """Erase a project and everything in it; `recursive` includes the projects below it."""
    async with ports.db.transaction(scope) as tx:
        target = await resolve(tx, ref)
        if target.is_default:
            raise Conflict("The default project cannot be deleted; delete what is in it instead.")
        below = await project_store.below(tx, target.slug)
        if below and not recursive:
            names = ", ".join(project.slug for project in reversed(below))
            raise Conflict(f"Delete the projects below it first, or all with recursive: {names}.")
        for project in (*below, target):
            await _delete(ports, tx, project)
        await resume_waiting_jobs(ports, tx)


async def _delete(ports: Ports, tx: Tx, project: Project) -> None:
    await project_store.lock(tx, project.id)
    await unindex_project(ports, tx, project.id)
    await release_project(ports, tx, project.id)
    await project_store.delete(tx, project.id)
    await record(tx, "project", project.id, "delete")


async def mark_archived(tx: Tx, id: UUID) -> None:
    await project_store.set_archived(tx, id)


async def note_write(tx: Tx, project_id: UUID) -> None:
    """Record a write to the project, which invalidates cached results. Call it after locking a
    document and before indexing anything; in another order, two writes can deadlock."""
    project = await project_store.increment_generation(tx, project_id)
    if project:
        refuse_archived(project)


async def lock_project(tx: Tx, project_id: UUID) -> None:
    """Record a write before making it: other writes wait until the transaction ends."""
    project = await project_store.increment_generation(tx, project_id)
    if project is None:
        raise NotFound("project", project_id)
    refuse_archived(project)


async def block_writes(tx: Tx, project_id: UUID) -> None:
    """Let other writes wait until the transaction ends, for a change that no search sees yet."""
    await project_store.lock(tx, project_id)


async def lock_projects(tx: Tx, ids: Iterable[UUID], others: Iterable[UUID] = ()) -> None:
    """Lock projects in one order, so that two callers do not deadlock. `others` change too, even if
    they are archived."""
    required = set(ids)
    for id in sorted({*required, *others}):
        if id in required:
            await lock_project(tx, id)
        else:
            await project_store.increment_generation(tx, id)


def _normalise_slug(slug: str) -> str:
    path = normalise(slug, "slug")
    refuse_empty_part(slug, "slug")
    return path


def _path_of(name: str) -> str:
    path = normalise(name.replace(".", "-"), "name")
    return f"{path}-project" if is_reserved(path) else path


def _clean_name(name: str) -> str:
    name = name.strip()
    check_text("name", name, NAME_LIMIT, least=1)
    return name
