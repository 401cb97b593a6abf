"""Archive a project: move everything in it to the project above it."""

from dataclasses import dataclass
from uuid import UUID

from remem.core.db import retry_on_deadlock
from remem.core.documents.deleted.delete import move_deleted
from remem.core.documents.forget import erase
from remem.core.errors import Conflict
from remem.core.events.record import record
from remem.core.index.kinds import CHUNK
from remem.core.index.write import move
from remem.core.memories.move import move_memories
from remem.core.ports import Ports
from remem.core.projects.manage import lock_projects, mark_archived
from remem.core.projects.model import Project
from remem.core.projects.resolve import default_project, resolve
from remem.core.scope import Scope
from remem.core.transaction import Tx
from remem.core.upkeep import upkeep_store


@dataclass(frozen=True, slots=True)
class Archived:
    """What was moved, from where to where. Duplicates already existed there and are stored once."""

    project: str
    into: str
    documents: int
    memories: int
    duplicates: int


@retry_on_deadlock
async def archive_project(ports: Ports, scope: Scope, ref: str | UUID) -> Archived:
    """Move everything, or nothing, to the parent, or to the default project if there is none."""
    async with ports.db.transaction(scope) as tx:
        project = await resolve(tx, ref)
        if project.is_default:
            raise Conflict("The default project cannot be archived; name another one.")
        into = await _above(tx, project)
        if project.archived_at:
            return Archived(project.ref, into.ref, 0, 0, 0)
        await upkeep_store.lock_documents(tx, [project.id, into.id])
        # Locked before the projects, in the same order as a restore.
        await move_deleted(tx, project.id, into.id)
        await lock_projects(tx, [project.id, into.id])
        copies = await _drop_copies(ports, tx, project.id, into.id)
        documents, chunks = await upkeep_store.move_documents(tx, project.id, into.id)
        await move(ports, tx, CHUNK, chunks, (project.id, into.id))
        memories, merged = await move_memories(ports, tx, project.id, into.id)
        await mark_archived(tx, project.id)
        result = Archived(project.ref, into.ref, documents, memories, copies + merged)
        data = {"into": str(into.id), "documents": documents, "memories": memories}
        await record(tx, "project", project.id, "archive", data)
        return result


async def _above(tx: Tx, project: Project) -> Project:
    """The nearest project above it that is not archived itself."""
    while project.parent_id:
        project = await resolve(tx, project.parent_id)
        if not project.archived_at:
            return project
    return await default_project(tx)


async def _drop_copies(ports: Ports, tx: Tx, project_id: UUID, into_id: UUID) -> int:
    """Of two documents with the same content, keep the one in the target unless it has expired."""
    duplicates = await upkeep_store.duplicates(tx, project_id, into_id)
    for duplicate in duplicates:
        dropped, kept = (
            (duplicate["kept"], duplicate["old"])
            if duplicate["over"]
            else (duplicate["old"], duplicate["kept"])
        )
        dropped_root, dropped_from = (
            (duplicate["kept_root"], into_id)
            if duplicate["over"]
            else (duplicate["root_id"], project_id)
        )
        await upkeep_store.reassign_memories(tx, dropped, kept)
        for id in await upkeep_store.chain(tx, dropped_root):
            await erase(ports, tx, dropped_from, id)
    return len(duplicates)
