"""Organizations and their members."""

from uuid import UUID

from fastapi import APIRouter
from pydantic import BaseModel, Field

from remem.core.identity import organizations
from remem.core.identity.model import Role
from remem.surfaces.rest.deps import Admin, PortsDep, Reader
from remem.surfaces.rest.fields import Email
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.listing import UnreadableItems, show
from remem.surfaces.rest.shapes import Body, Moment, Reply

router = APIRouter(prefix="/v3", tags=["organizations"], route_class=Guarded)


class OrganizationIn(Body):
    name: str = Field(min_length=1, max_length=200)


class OrganizationOut(Reply):
    id: UUID
    name: str
    slug: str
    kind: str
    role: str | None
    created_at: Moment


class OrganizationList(BaseModel):
    organizations: list[OrganizationOut]
    unreadable: UnreadableItems


class MemberIn(Body):
    email: Email
    role: Role = "member"


class RoleChange(Body):
    user_id: UUID
    role: Role


class MemberOut(Reply):
    user_id: UUID
    email: str
    name: str
    role: str
    created_at: Moment


class MemberList(BaseModel):
    members: list[MemberOut]
    unreadable: UnreadableItems


@router.get("/organizations", response_model=OrganizationList)
async def list_all(ports: PortsDep, caller: Reader) -> OrganizationList:
    """List your own space and your organizations."""
    tenants = await organizations.list_organizations(ports, caller)
    shown, unreadable = show(tenants, OrganizationOut.of)
    return OrganizationList(organizations=shown, unreadable=unreadable)


@router.post("/organizations", status_code=201, response_model=OrganizationOut)
async def create(body: OrganizationIn, ports: PortsDep, caller: Admin) -> OrganizationOut:
    """Create an organization; you are its first owner."""
    return OrganizationOut.of(await organizations.create_organization(ports, caller, body.name))


@router.delete("/organizations/{id}", status_code=204)
async def delete(id: UUID, ports: PortsDep, caller: Admin) -> None:
    """Erase an organization and everything in it. Requires an owner."""
    await organizations.delete_organization(ports, caller, id)


@router.get("/organizations/{id}/members", response_model=MemberList)
async def list_members(id: UUID, ports: PortsDep, caller: Reader) -> MemberList:
    """List the members and their roles."""
    listed = await organizations.list_members(ports, caller, id)
    members, unreadable = show(listed, MemberOut.of, lambda member: member.user_id)
    return MemberList(members=members, unreadable=unreadable)


@router.post("/organizations/{id}/members", status_code=201, response_model=MemberOut)
async def add_member(id: UUID, body: MemberIn, ports: PortsDep, caller: Admin) -> MemberOut:
    """Add a user who has an account on this server."""
    return MemberOut.of(await organizations.add_member(ports, caller, id, body.email, body.role))


@router.patch("/organizations/{id}/members", response_model=MemberOut)
async def change_role(id: UUID, body: RoleChange, ports: PortsDep, caller: Admin) -> MemberOut:
    """Change a member's role; a former admin loses that scope on their keys too."""
    changed = await organizations.change_role(ports, caller, id, body.user_id, body.role)
    return MemberOut.of(changed)


@router.delete("/organizations/{id}/members", status_code=204)
async def remove_member(id: UUID, user_id: UUID, ports: PortsDep, caller: Admin) -> None:
    """Remove a member; their keys for it stop working at once."""
    await organizations.remove_member(ports, caller, id, user_id)
