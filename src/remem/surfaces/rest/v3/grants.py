"""Grants of OAuth clients: list and revoke them."""

from uuid import UUID

from fastapi import APIRouter
from pydantic import BaseModel, Field

from remem.core.identity.grants import end
from remem.core.identity.grants.model import ActiveGrant
from remem.surfaces.rest.deps import Admin, PortsDep
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.listing import UnreadableItems, show
from remem.surfaces.rest.shapes import Moment, Reply

router = APIRouter(prefix="/v3", tags=["grants"], route_class=Guarded)


class GrantLine(Reply):
    id: UUID
    client_id: UUID
    client_name: str = Field(description="The name that the client gave itself, not verified.")
    client_uri: str | None
    scopes: list[str]
    resource: str = Field(description="The URL for which its tokens are valid, with all below it.")
    created_at: Moment
    last_used_at: Moment | None


class GrantList(BaseModel):
    grants: list[GrantLine]
    unreadable: UnreadableItems


@router.get("/grants", response_model=GrantList)
async def list_all(ports: PortsDep, caller: Admin) -> GrantList:
    """List the OAuth clients with access to this space, and their scopes."""
    grants, unreadable = show(await end.list_grants(ports, caller), _line)
    return GrantList(grants=grants, unreadable=unreadable)


@router.delete("/grants/{id}", status_code=204)
async def revoke(id: UUID, ports: PortsDep, caller: Admin) -> None:
    """Revoke a grant; all its tokens stop working at once."""
    await end.end_grant(ports, caller, id)


def _line(grant: ActiveGrant) -> GrantLine:
    return GrantLine.of(grant, scopes=sorted(str(right) for right in grant.rights))
