"""The operator's API for managing tenants. It has a key of its own and is disabled without one."""

import hmac
from typing import Any
from uuid import UUID

from fastapi import APIRouter, Depends, Request, Security
from fastapi.security import HTTPBearer
from pydantic import BaseModel, ConfigDict, Field

from remem.core.errors import NotFound, Unauthenticated
from remem.core.identity.model import PlanChange
from remem.core.identity.operate import change_plan, get_tenant, list_tenants, operator_scope
from remem.core.stats.count import count_all
from remem.surfaces.dependencies import PortsDep, get_settings
from remem.surfaces.rest.fields import PageLimit
from remem.surfaces.tenant_views import tenant_view


async def require_operator(request: Request) -> None:
    """Check the operator's key, in constant time so that the timing reveals nothing about it."""
    key = (await get_settings(request)).admin_key
    if key is None:
        raise NotFound("page", hint="check the address")
    scheme, _, credential = request.headers.get("Authorization", "").partition(" ")
    is_match = hmac.compare_digest(credential.strip().encode(), key.get_secret_value().encode())
    if scheme.lower() != "bearer" or not is_match:
        raise Unauthenticated("The operator's key is wrong or missing; send REMEM_ADMIN_KEY.")


_KEY = HTTPBearer(
    auto_error=False, scheme_name="operator", description="The key in `REMEM_ADMIN_KEY`."
)
router = APIRouter(
    prefix="/admin/tenants",
    tags=["operator"],
    dependencies=[Depends(require_operator), Security(_KEY)],
)


class TenantCountsOut(BaseModel):
    documents: int
    chunks: int
    storage_bytes: int
    documents_this_week: int


class TenantOut(BaseModel):
    id: UUID
    kind: str = Field(description="`user` or `org`.")
    name: str
    plan: str
    memory_count: int
    memory_limit: int | None = Field(description="null if there is no limit.")
    suspended_at: str | None
    created_at: str


class TenantUsageOut(TenantOut):
    usage: TenantCountsOut


class TenantPage(BaseModel):
    tenants: list[TenantOut]


class PlanIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    plan: str | None = None
    memory_limit: int | None = Field(default=None, strict=True)
    suspended: bool | None = Field(default=None, strict=True)


@router.get("", response_model=TenantPage)
async def every(
    ports: PortsDep,
    after: UUID | None = None,
    limit: PageLimit = 100,
) -> dict[str, Any]:
    """List tenants ordered by id; `after` is the last id of the previous page."""
    return {"tenants": [tenant_view(tenant) for tenant in await list_tenants(ports, after, limit)]}


@router.get("/{id}", response_model=TenantUsageOut)
async def one(ports: PortsDep, id: UUID) -> dict[str, Any]:
    """Get a tenant with its plan and usage."""
    tenant = await get_tenant(ports, id)
    return tenant_view(tenant, await count_all(ports, operator_scope(id)))


@router.patch("/{id}", response_model=TenantOut)
async def change(ports: PortsDep, id: UUID, body: PlanIn) -> dict[str, Any]:
    """Set a tenant's plan or its own memory limit (null: the plan's limit), or suspend it."""
    fields = frozenset(body.model_fields_set)
    plan_change = PlanChange(fields, body.plan, body.memory_limit, bool(body.suspended))
    return tenant_view(await change_plan(ports, id, plan_change))
