"""Decide which arm is in force from the arena's results. Only this module decides policies."""

from collections import defaultdict
from collections.abc import Hashable, Iterable
from typing import Any
from uuid import UUID

from remem.core.events.record import record
from remem.core.evolution.arena import arena_store
from remem.core.evolution.bandit import (
    MIN_LEAD,
    MIN_PULLS,
    Rewards,
    leads,
    mean_lead,
    tally_of,
    winner,
)
from remem.core.evolution.score import LATENCY
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.search.arms import ARMS, BUILT_IN
from remem.core.transaction import Row

# What is better in fewer projects says little about the others of a tenant.
MIN_PROJECTS = 3


def rewards_of(rows: Iterable[Row]) -> dict[str, dict[Hashable, float]]:
    return _by_arm((row, row["reward"]) for row in rows)


def rewards_without_speed(rows: Iterable[Row]) -> dict[str, dict[Hashable, float]]:
    """What decides: a machine that was busy for a moment must not."""
    return _by_arm((row, row["reward"] - LATENCY * row["latency"]) for row in rows)


def _by_arm(rewarded: Iterable[tuple[Row, float]]) -> dict[str, dict[Hashable, float]]:
    rewards: dict[str, dict[Hashable, float]] = defaultdict(dict)
    for row, reward in rewarded:
        rewards[row["arm"]][row["episode_id"]] = reward
    return dict(rewards)


async def decide(ports: Ports, scope: Scope, project_id: UUID | None) -> str | None:
    """Decide the arm of a project, or of the tenant; None while too little is known. A pinned arm
    stays."""
    async with ports.db.transaction(scope) as tx:
        if project_id:
            await arena_store.drop_old_results(tx, project_id)
        rows = await arena_store.results(tx, project_id)
        rewards = rewards_without_speed(rows)
        policy = (await arena_store.policies(tx, project_id)).get(project_id)
        if policy and policy["is_pinned"]:
            return policy["arm"]
        in_force = policy["arm"] if policy else None
        arm, decision = choose(rewards, in_force)
        if arm and project_id is None:
            arm, decision = confirm(arm, decision, _by_project(rows))
        if arm is None:
            # An earlier decision may have needed less.
            await arena_store.drop_policy(tx, project_id)
            return None
        await arena_store.put_policy(tx, project_id, arm, _reason(rewards, arm, decision))
        if arm != in_force:
            kind, subject = ("project", project_id) if project_id else ("tenant", scope.tenant_id)
            data = {"arm": arm, "before": in_force}
            await record(tx, kind, subject, "evolution_policy", data)
        return arm


def choose(rewards: Rewards, in_force: str | None) -> tuple[str | None, str]:
    """The arm and the reason as a code. The built-in way is in force until an arm clearly leads it,
    and again when it clearly leads all of them."""
    arms = {arm: results for arm, results in rewards.items() if arm in ARMS}
    built_in = rewards.get(BUILT_IN.id, {})
    best = winner(arms, in_force)
    if best is None:
        return None, "too_few_episodes"
    if leads(built_in, arms[best]):
        return BUILT_IN.id, "built_in_is_better"
    if in_force not in ARMS and len(built_in) >= MIN_PULLS and not leads(arms[best], built_in):
        return BUILT_IN.id, "no_clear_lead"
    # If another has a higher mean without a clear lead, the arm in force stays.
    return best, "best" if best == winner(arms) else "stays"


def confirm(arm: str, decision: str, projects: Iterable[Rewards]) -> tuple[str | None, str]:
    """Confirm the arm of a tenant: enough projects were measured, and it leads in most of them, so
    that one large or easy project does not decide for all."""
    leads_by = [
        mean_lead(rewards.get(arm, {}), rewards[BUILT_IN.id])
        for rewards in projects
        if len(rewards.get(BUILT_IN.id, {})) >= MIN_PULLS
    ]
    if len(leads_by) < MIN_PROJECTS:
        return None, "too_few_projects"
    if arm != BUILT_IN.id and 2 * sum(lead > MIN_LEAD for lead in leads_by) <= len(leads_by):
        return BUILT_IN.id, "no_clear_lead"
    return arm, decision


def _by_project(rows: Iterable[Row]) -> Iterable[Rewards]:
    projects: dict[UUID, list[Row]] = defaultdict(list)
    for row in rows:
        projects[row["project_id"]].append(row)
    return (rewards_without_speed(of_project) for of_project in projects.values())


def _reason(rewards: Rewards, arm: str, decision: str) -> dict[str, Any]:
    """The reason as figures only, because anyone who may search here can see it."""
    means = {
        name: round(tally_of(results.values()).mean, 4)
        for name, results in rewards.items()
        if len(results) >= MIN_PULLS
    }
    others = sorted((name for name in means if name != arm), key=lambda name: -means[name])
    return {
        "decision": decision,
        "episodes": len(rewards.get(arm, {})),
        "score": means.get(arm),
        "runner_up": others[0] if others else None,
        "runner_up_score": means[others[0]] if others else None,
        "built_in_score": means.get(BUILT_IN.id),
    }
