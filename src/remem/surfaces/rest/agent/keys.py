"""API keys."""

from uuid import UUID

from fastapi import APIRouter
from pydantic import Field, model_validator

from remem.core.identity.keys import manage as keys
from remem.core.identity.model import Key
from remem.core.scope import Right
from remem.surfaces.rest.agent.shapes import Camel, CamelBody
from remem.surfaces.rest.deps import Admin, PortsDep
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.key_ends import check_one_end, key_end
from remem.surfaces.rest.listing import UnreadableItems, show
from remem.surfaces.rest.shapes import Moment

router = APIRouter(prefix="/api", tags=["agents: api keys"], route_class=Guarded)


class AgentKeyIn(CamelBody):
    name: str = Field(min_length=1, max_length=keys.NAME_LIMIT)
    scopes: list[Right] = Field(default_factory=lambda: [Right.READ, Right.WRITE], min_length=1)
    expires_at: Moment | None = Field(default=None, description="When it stops working.")
    expires_in_days: int | None = Field(
        default=None, ge=1, le=keys.MAX_KEY_DAYS, description="Instead of expiresAt."
    )

    @model_validator(mode="after")
    def _one_end(self) -> "AgentKeyIn":
        check_one_end(self.expires_at, self.expires_in_days)
        return self


class AgentKeyLine(Camel):
    id: UUID
    name: str
    key_prefix: str
    scopes: list[str]
    created_at: Moment
    last_used_at: Moment | None
    expires_at: Moment | None


class AgentKey(AgentKeyLine):
    key: str = Field(description="Shown only in this reply.")


class AgentKeyList(Camel):
    keys: list[AgentKeyLine]
    unreadable: UnreadableItems


@router.get("/api-keys", response_model=AgentKeyList)
async def list_all(ports: PortsDep, caller: Admin) -> AgentKeyList:
    """List your keys, by their first characters."""
    lines, unreadable = show(await keys.list_keys(ports, caller), _line)
    return AgentKeyList(keys=lines, unreadable=unreadable)


@router.post("/api-keys", status_code=201, response_model=AgentKey)
async def create(body: AgentKeyIn, ports: PortsDep, caller: Admin) -> AgentKey:
    """Create a key. It is shown only in this reply."""
    created = await keys.create_key(ports, caller, body.name, body.scopes, expires_at=key_end(body))
    return AgentKey(**_line(created.key).model_dump(), key=created.raw)


@router.delete("/api-keys/{id}", status_code=204)
async def revoke(id: UUID, ports: PortsDep, caller: Admin) -> None:
    """Revoke a key; it stops working at once."""
    await keys.revoke_key(ports, caller, id)


def _line(key: Key) -> AgentKeyLine:
    return AgentKeyLine.of(
        key, key_prefix=key.prefix, scopes=sorted(str(right) for right in key.rights)
    )
