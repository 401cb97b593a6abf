"""Report the results of the arms, and try them now in several projects."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from uuid import UUID

from remem.core.evolution.arena import arena_store
from remem.core.evolution.arena.compare import compare_arms
from remem.core.evolution.arena.decide import rewards_of
from remem.core.evolution.arena.policy import policy_in_force
from remem.core.evolution.bandit import tally_of, ucb
from remem.core.evolution.model import ArmRecord, PolicyInForce
from remem.core.ports import Ports
from remem.core.projects.resolve import resolve
from remem.core.scope import Scope
from remem.core.search.arms import ARMS, BUILT_IN, Arm
from remem.core.transaction import Row


@dataclass(frozen=True, slots=True)
class ArenaReport:
    """The results of the arms in a project, or in the whole tenant, best first."""

    project_id: UUID | None
    project_ref: str | None
    episodes: int
    arms: list[ArmRecord]
    policy: PolicyInForce


@dataclass(frozen=True, slots=True)
class Trial:
    """What a campaign did in one project."""

    project_id: UUID
    project_ref: str
    episodes: int
    pulls: int
    arm: str | None


async def arena_report(ports: Ports, scope: Scope, project: str | UUID | None) -> ArenaReport:
    async with ports.db.transaction(scope) as tx:
        resolved = await resolve(tx, project) if project else None
        rows = await arena_store.results(tx, resolved.id if resolved else None)
    policy = await policy_in_force(ports, scope, resolved.id if resolved else None)
    total = sum(row["arm"] != BUILT_IN.id for row in rows)
    records = [_record(arm, rows, total) for arm in (*ARMS.values(), BUILT_IN)]
    records.sort(key=lambda record: -record.tally.mean)
    episodes = len({row["episode_id"] for row in rows})
    slug = resolved.ref if resolved else None
    return ArenaReport(resolved.id if resolved else None, slug, episodes, records, policy)


def _record(arm: Arm, rows: Sequence[Row], total_pulls: int) -> ArmRecord:
    own = [row for row in rows if row["arm"] == arm.id]
    tally = tally_of(rewards_of(own).get(arm.id, {}).values())
    if not own:
        return ArmRecord(arm, tally, None)
    means = {
        name: fmean(row[name] for row in own)
        for name in ("recall", "document_recall", "latency", "diversity", "took_ms")
    }
    bound = ucb(tally, total_pulls) if arm.id in ARMS else None
    precision = fmean(row["precision_at"] for row in own)
    return ArmRecord(arm, tally, bound, precision=precision, **means)


async def arena_campaign(
    ports: Ports, scope: Scope, project: str | UUID | None, max_projects: int, budget_s: float
) -> list[Trial]:
    """Try the arms in one project, or in those tried longest ago, within a shared time budget."""
    deadline = time.monotonic() + budget_s
    async with ports.db.transaction(scope) as tx:
        if project is None:
            chosen = await arena_store.projects_to_try(tx, max_projects)
        else:
            resolved = await resolve(tx, project)
            chosen = [(resolved.id, resolved.ref)]
    trials = []
    for number, (id, slug) in enumerate(chosen):
        remaining_s = deadline - time.monotonic()
        if remaining_s <= 0:
            break
        until = time.monotonic() + remaining_s / (len(chosen) - number)
        work = await compare_arms(ports, scope, id, until)
        result = work.result
        trials.append(Trial(id, slug, result["episodes"], result["pulls"], result["arm"]))
    return trials
