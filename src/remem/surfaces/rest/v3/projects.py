"""Projects."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from remem.core.projects import manage
from remem.core.projects.model import NAME_LIMIT, Project, ProjectChanges, parent_of
from remem.surfaces.rest.deps import PortsDep, Reader, Writer
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.listing import UnreadableItems, show, show_one
from remem.surfaces.rest.shapes import Body, Moment, Reply

router = APIRouter(prefix="/v3", tags=["projects"], route_class=Guarded)


class ProjectIn(Body):
    name: str = Field(min_length=1, max_length=NAME_LIMIT)
    description: str | None = Field(default=None, max_length=2_000)
    slug: str | None = Field(
        default=None,
        description="A dotted path such as work.notes; derived from the name if absent.",
    )


class ProjectChange(Body):
    name: str | None = Field(default=None, min_length=1, max_length=NAME_LIMIT)
    description: str | None = Field(default=None, max_length=2_000)
    pinned: bool | None = Field(default=None, description="Whether it comes first in lists.")
    slug: str | None = Field(
        default=None,
        min_length=1,
        description="The last part of its path; the paths of its subprojects change with it.",
    )


class ProjectOut(Reply):
    id: UUID
    name: str
    slug: str
    description: str | None
    parent: str | None = Field(description="The slug of its parent project.")
    document_count: int
    memory_count: int
    is_default: bool
    pinned: bool
    archived_at: Moment | None
    created_at: Moment
    updated_at: Moment


class ProjectList(BaseModel):
    projects: list[ProjectOut]
    unreadable: UnreadableItems


@router.get("/projects", response_model=ProjectList)
async def list_all(ports: PortsDep, caller: Reader) -> ProjectList:
    """List every project with its counts."""
    all_projects = await manage.list_projects(ports, caller)
    projects, unreadable = show(all_projects, _out)
    return ProjectList(projects=projects, unreadable=unreadable)


@router.post("/projects", status_code=201, response_model=ProjectOut)
async def create(body: ProjectIn, ports: PortsDep, caller: Writer) -> ProjectOut:
    """Create a project, and the missing parents of its path."""
    project = await manage.create_project(ports, caller, body.name, body.description, body.slug)
    return _out(project)


@router.get("/projects/{ref:path}", response_model=ProjectOut)
async def read(ref: str, ports: PortsDep, caller: Reader) -> ProjectOut:
    """Get one project, by id or slug."""
    return show_one(await manage.get_project(ports, caller, ref), _out)


@router.patch("/projects/{ref:path}", response_model=ProjectOut)
async def change(ref: str, body: ProjectChange, ports: PortsDep, caller: Writer) -> ProjectOut:
    """Change a project's name, description or slug, or pin it."""
    changes = ProjectChanges(body.name, body.description, body.pinned, body.slug)
    return _out(await manage.change_project(ports, caller, ref, changes))


@router.delete("/projects/{ref:path}", status_code=204)
async def delete(
    ref: str,
    ports: PortsDep,
    caller: Writer,
    recursive: Annotated[bool, Query(description="Also delete its subprojects.")] = False,
) -> None:
    """Erase a project and everything in it. The default project cannot be deleted."""
    await manage.delete_project(ports, caller, ref, recursive=recursive)


def _out(project: Project) -> ProjectOut:
    return ProjectOut.of(project, parent=parent_of(project.slug), pinned=project.is_pinned)
