"""Projects."""

from uuid import UUID

from fastapi import APIRouter
from pydantic import Field

from remem.core.projects import manage
from remem.core.projects.model import NAME_LIMIT
from remem.surfaces.rest.agent.shapes import Camel, CamelBody
from remem.surfaces.rest.deps import PortsDep, Reader, Writer
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.listing import UnreadableItems, show
from remem.surfaces.rest.shapes import Moment

router = APIRouter(prefix="/api", tags=["agents: projects"], route_class=Guarded)


class AgentProjectIn(CamelBody):
    name: str = Field(min_length=1, max_length=NAME_LIMIT)
    description: str | None = Field(default=None, max_length=2_000)
    slug: str | None = Field(
        default=None, description="A dotted path; derived from the name if absent."
    )


class AgentProject(Camel):
    id: UUID
    name: str
    slug: str
    description: str | None
    parent_id: UUID | None
    is_default: bool
    document_count: int
    created_at: Moment


class AgentProjectList(Camel):
    projects: list[AgentProject]
    unreadable: UnreadableItems


@router.get("/projects", response_model=AgentProjectList)
async def list_all(ports: PortsDep, caller: Reader) -> AgentProjectList:
    """List every project."""
    all_projects = await manage.list_projects(ports, caller)
    projects, unreadable = show(all_projects, AgentProject.of)
    return AgentProjectList(projects=projects, unreadable=unreadable)


@router.post("/projects", status_code=201, response_model=AgentProject)
async def create(body: AgentProjectIn, ports: PortsDep, caller: Writer) -> AgentProject:
    """Create a project, and the missing parents of its path."""
    return AgentProject.of(
        await manage.create_project(ports, caller, body.name, body.description, body.slug)
    )
