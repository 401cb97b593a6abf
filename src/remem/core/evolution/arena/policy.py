"""The policy in force: the project's, else the tenant's, else the one that all tenants learned."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from remem.core.errors import Invalid
from remem.core.events.record import record
from remem.core.evolution.arena import arena_store
from remem.core.evolution.bandit import MIN_LEAD, Tally
from remem.core.evolution.model import PolicyInForce, PolicySource
from remem.core.ports import Ports
from remem.core.projects.resolve import resolve
from remem.core.scope import Scope
from remem.core.search.arms import ARMS, BUILT_IN, arm_by_id
from remem.core.transaction import Row, Tx

# With fewer tenants, the sums would reveal something about them.
MIN_TENANTS = 3
MIN_GLOBAL_PULLS = 100


async def policy_in_force(ports: Ports, scope: Scope, project: str | UUID | None) -> PolicyInForce:
    """The policy of a project; without a project, or with several (`path.*`), the tenant's."""
    async with ports.db.transaction(scope) as tx:
        project_id = await _project_id(tx, project)
        own = await arena_store.policies(tx, project_id)
        if project_id and project_id in own:
            return _policy(own[project_id], "project")
        if None in own:
            return _policy(own[None], "tenant")
        return global_policy(await arena_store.global_arms(tx))


async def _project_id(tx: Tx, project: str | UUID | None) -> UUID | None:
    if project is None or (isinstance(project, str) and project.endswith(".*")):
        return None
    return (await resolve(tx, project)).id


def _policy(row: Row, source: PolicySource) -> PolicyInForce:
    decided_at: datetime = row["updated_at"]
    return PolicyInForce(
        arm_by_id(row["arm"]), source, row["is_pinned"], dict(row["reason"]), decided_at
    )


def global_policy(sums: Mapping[str, tuple[int, Tally]]) -> PolicyInForce:
    """The best arm by the sums that enough tenants contributed to. Of arms that are nearly as good,
    the first in the table: the sums change a little all the time, and the policy should not."""
    means = {
        arm: tally.mean
        for arm, (tenants, tally) in sums.items()
        if tenants >= MIN_TENANTS and tally.pulls >= MIN_GLOBAL_PULLS
    }
    best = max(means.values(), default=0.0)
    candidates = [arm for arm in (BUILT_IN.id, *ARMS) if means.get(arm, 0.0) > best - MIN_LEAD]
    if not means or candidates[0] == BUILT_IN.id:
        return PolicyInForce(BUILT_IN, "built_in")
    reason: dict[str, Any] = {
        "decision": "best",
        "episodes": sums[candidates[0]][1].pulls,
        "score": round(means[candidates[0]], 4),
    }
    return PolicyInForce(ARMS[candidates[0]], "global", reason=reason)


async def pin_policy(
    ports: Ports, scope: Scope, project: str | UUID | None, arm: str | None
) -> PolicyInForce:
    """Put an arm in force, whatever the arena measures; None lets the arena decide again."""
    if arm is not None and arm not in (*ARMS, BUILT_IN.id):
        raise Invalid("arm", f"use one of {', '.join((*ARMS, BUILT_IN.id))}, or null")
    async with ports.db.transaction(scope) as tx:
        project_id = (await resolve(tx, project)).id if project else None
        if arm is None:
            await arena_store.drop_policy(tx, project_id)
        else:
            reason = {"decision": "pinned"}
            await arena_store.put_policy(tx, project_id, arm, reason, pinned=True)
        kind, subject = ("project", project_id) if project_id else ("tenant", scope.tenant_id)
        await record(tx, kind, subject, "evolution_policy", {"arm": arm, "pinned": True})
    return await policy_in_force(ports, scope, project)
