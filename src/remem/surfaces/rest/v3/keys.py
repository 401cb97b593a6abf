"""API keys."""

from uuid import UUID

from fastapi import APIRouter
from pydantic import BaseModel, Field, model_validator

from remem.core.identity.keys import manage as keys
from remem.core.identity.model import Key
from remem.core.scope import Right
from remem.surfaces.rest.deps import Admin, PortsDep
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.key_ends import check_one_end, key_end
from remem.surfaces.rest.listing import UnreadableItems, show
from remem.surfaces.rest.shapes import Body, Moment, Reply

router = APIRouter(prefix="/v3", tags=["api keys"], route_class=Guarded)


class KeyIn(Body):
    name: str = Field(min_length=1, max_length=keys.NAME_LIMIT)
    scopes: list[Right] = Field(default_factory=lambda: [Right.READ, Right.WRITE], min_length=1)
    organization_id: UUID | None = Field(default=None, description="The current one if absent.")
    expires_at: Moment | None = Field(default=None, description="When it stops working.")
    expires_in_days: int | None = Field(
        default=None, ge=1, le=keys.MAX_KEY_DAYS, description="Instead of expires_at."
    )

    @model_validator(mode="after")
    def _one_end(self) -> "KeyIn":
        check_one_end(self.expires_at, self.expires_in_days)
        return self


class KeyLine(Reply):
    id: UUID
    name: str
    prefix: str
    scopes: list[str]
    created_at: Moment
    last_used_at: Moment | None
    expires_at: Moment | None


class KeyOut(KeyLine):
    key: str = Field(description="Shown only in this reply.")


class KeyList(BaseModel):
    api_keys: list[KeyLine]
    unreadable: UnreadableItems


@router.get("/api-keys", response_model=KeyList)
async def list_all(ports: PortsDep, caller: Admin) -> KeyList:
    """List your keys, by their first characters."""
    existing = await keys.list_keys(ports, caller)
    lines, unreadable = show(existing, _line)
    return KeyList(api_keys=lines, unreadable=unreadable)


@router.post("/api-keys", status_code=201, response_model=KeyOut)
async def create(body: KeyIn, ports: PortsDep, caller: Admin) -> KeyOut:
    """Create a key. It is shown only in this reply."""
    created = await keys.create_key(
        ports, caller, body.name, body.scopes, body.organization_id, key_end(body)
    )
    return KeyOut(**_line(created.key).model_dump(), key=created.raw)


@router.delete("/api-keys/{id}", status_code=204)
async def revoke(id: UUID, ports: PortsDep, caller: Admin) -> None:
    """Revoke a key; it stops working at once."""
    await keys.revoke_key(ports, caller, id)


def _line(key: Key) -> KeyLine:
    return KeyLine.of(key, scopes=sorted(str(right) for right in key.rights))
