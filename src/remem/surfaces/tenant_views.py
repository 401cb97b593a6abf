"""A tenant as the operator is shown it, by the command line and by the API."""

from typing import Any

from remem.core.identity.model import TenantPlan
from remem.core.stats.count import Stats
from remem.core.time import iso


def tenant_view(one: TenantPlan, usage: Stats | None = None) -> dict[str, Any]:
    suspended_at = one.subscription.suspended_at
    view: dict[str, Any] = {
        "id": str(one.tenant.id),
        "kind": one.tenant.kind,
        "name": one.tenant.name,
        "plan": one.subscription.plan,
        "memory_count": one.subscription.memory_count,
        "memory_limit": one.subscription.memory_limit,
        "suspended_at": iso(suspended_at) if suspended_at else None,
        "created_at": iso(one.tenant.created_at),
    }
    if usage is None:
        return view
    used = {name: getattr(usage, name) for name in ("documents", "chunks", "storage_bytes")}
    return {**view, "usage": {**used, "documents_this_week": usage.documents_this_week}}
