"""What the operator does with tenants: list them, set their plan or limit, suspend them."""

from uuid import UUID

from remem.core.errors import Invalid, NotFound
from remem.core.events.record import record
from remem.core.identity import identity_store
from remem.core.identity.model import PlanChange, TenantPlan
from remem.core.identity.plans import PLANS, resume_waiting_jobs, subscription_in
from remem.core.ports import Ports
from remem.core.scope import Bound, Scope
from remem.core.time import now
from remem.core.transaction import Tx

MAX_MEMORY_LIMIT = 2_000_000_000
OPERATOR = "operator"


async def list_tenants(
    ports: Ports, after: UUID | None = None, limit: int = 100
) -> list[TenantPlan]:
    """A page of tenants, in the order of their ids."""
    bound = Bound(operator=True)
    async with ports.db.transaction(bound) as tx:
        ids = await identity_store.tenant_ids(tx, after, limit)
    plans = [await _find(ports, operator_scope(id)) for id in ids]
    return [plan for plan in plans if plan]


async def get_tenant(ports: Ports, id: UUID) -> TenantPlan:
    tenant = await _find(ports, operator_scope(id))
    if tenant is None:
        raise NotFound("tenant", id)
    return tenant


async def change_plan(ports: Ports, id: UUID, change: PlanChange) -> TenantPlan:
    """Change a plan or limit. A limit below the current count deletes nothing but refuses more."""
    _check(change)
    scope = operator_scope(id)
    async with ports.db.transaction(scope) as tx:
        if await identity_store.find_tenant(tx) is None:
            raise NotFound("tenant", id)
        await _apply(tx, change)
        await resume_waiting_jobs(ports, tx)
        await record(tx, "tenant", id, "update", {"fields": sorted(change.fields)})
    await ports.access_version.expire_everywhere()
    return await get_tenant(ports, id)


def operator_scope(id: UUID) -> Scope:
    """A scope of the operator, who is no member: their actions are recorded as the operator's."""
    return Scope(tenant_id=id, user_id=id, actor=OPERATOR)


def _check(change: PlanChange) -> None:
    if "plan" in change.fields and change.plan not in PLANS:
        raise Invalid("plan", f"use one of {', '.join(PLANS)}")
    limit = change.memory_limit
    if limit is not None and not 0 <= limit <= MAX_MEMORY_LIMIT:
        raise Invalid("memory_limit", f"use 0 to {MAX_MEMORY_LIMIT:,}, or null for the plan's own")


async def _apply(tx: Tx, change: PlanChange) -> None:
    columns = {
        "plan": change.plan,
        "memory_limit": change.memory_limit,
        "suspended_at": now() if change.suspended else None,
    }
    fields = {name.replace("suspended", "suspended_at") for name in change.fields}
    values = {name: value for name, value in columns.items() if name in fields}
    if values:
        await identity_store.change_subscription(tx, values)


async def _find(ports: Ports, scope: Scope) -> TenantPlan | None:
    async with ports.db.transaction(scope) as tx:
        tenant = await identity_store.find_tenant(tx)
        return TenantPlan(tenant, await subscription_in(tx)) if tenant else None
