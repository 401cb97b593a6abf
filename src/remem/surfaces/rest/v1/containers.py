"""Containers, and statistics."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from remem.core.projects.manage import delete_project, list_projects
from remem.core.projects.model import Project
from remem.core.stats.count import count_all
from remem.core.upkeep.archive import archive_project
from remem.surfaces.rest.deps import PortsDep, Reader, Writer
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.listing import UnreadableItems, show
from remem.surfaces.rest.shapes import Moment, Reply

router = APIRouter(prefix="/v1", tags=["containers"], route_class=Guarded)


class ContainerOut(Reply):
    id: UUID
    name: str
    description: str | None
    parent: str | None
    memory_count: int
    document_count: int
    archived_at: Moment | None
    created_at: Moment


class ContainerList(BaseModel):
    containers: list[ContainerOut]
    total: int
    unreadable: UnreadableItems


class ArchivedOut(BaseModel):
    name: str
    archived_to: str
    documents_moved: int
    memories_moved: int
    duplicates_dropped: int = Field(description="Items that the other container already had.")


class CountsOut(Reply):
    documents: int
    documents_by_status: dict[str, int]
    chunks: int
    memories: int
    entities: int
    relationships: int
    containers: int
    embedding_coverage: float = Field(description="The share of items with vectors, 0 to 1.")


@router.get("/containers", response_model=ContainerList)
async def list_all(ports: PortsDep, caller: Reader) -> ContainerList:
    """List every container with its counts."""
    projects = await list_projects(ports, caller)
    names = {project.id: project.ref for project in projects}
    containers, unreadable = show(projects, lambda project: _out(project, names))
    return ContainerList(containers=containers, unreadable=unreadable, total=len(projects))


@router.delete("/containers/{name:path}", status_code=204)
async def delete(
    name: str,
    ports: PortsDep,
    caller: Writer,
    recursive: Annotated[bool, Query(description="Also delete its subcontainers.")] = False,
) -> None:
    """Erase a container and everything in it. This cannot be undone."""
    await delete_project(ports, caller, name, recursive=recursive)


@router.post("/containers/{name:path}/archive", response_model=ArchivedOut)
async def archive(name: str, ports: PortsDep, caller: Writer) -> ArchivedOut:
    """Move everything to the parent, or to the default container if there is none."""
    result = await archive_project(ports, caller, name)
    return ArchivedOut(
        name=result.project,
        archived_to=result.into,
        documents_moved=result.documents,
        memories_moved=result.memories,
        duplicates_dropped=result.duplicates,
    )


@router.get("/stats", response_model=CountsOut)
async def stats(ports: PortsDep, caller: Reader) -> CountsOut:
    """Counts, and the share of items with vectors."""
    counts = await count_all(ports, caller)
    return CountsOut.of(
        counts,
        relationships=counts.links,
        containers=counts.projects,
        embedding_coverage=round(counts.embedding_coverage, 6),
    )


def _out(project: Project, names: dict[UUID, str]) -> ContainerOut:
    return ContainerOut.of(
        project,
        name=project.ref,
        parent=names.get(project.parent_id) if project.parent_id else None,
    )
