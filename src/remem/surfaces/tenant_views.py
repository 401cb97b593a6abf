"""A tenant as shown to the operator, by the command line and the API."""

from typing import Any

from remem.core.identity.model import TenantPlan
from remem.core.stats.count import Stats
from remem.core.time import iso


def tenant_view(plan: TenantPlan, usage: Stats | None = None) -> dict[str, Any]:
    suspended_at = plan.subscription.suspended_at
    view: dict[str, Any] = {
        "id": str(plan.tenant.id),
        "kind": plan.tenant.kind,
        "name": plan.tenant.name,
        "plan": plan.subscription.plan,
        "memory_count": plan.subscription.memory_count,
        "memory_limit": plan.subscription.memory_limit,
        "suspended_at": iso(suspended_at) if suspended_at else None,
        "created_at": iso(plan.tenant.created_at),
    }
    if usage is None:
        return view
    used = {name: getattr(usage, name) for name in ("documents", "chunks", "storage_bytes")}
    return {**view, "usage": {**used, "documents_this_week": usage.documents_this_week}}
