"""Pass on what was learned: from projects to the tenant, from tenants to everybody.

What leaves a tenant is, for each arm, how often it was tried and two sums of its rewards. No text,
name or id leaves it, and no row of the sums tells whose they are."""

from uuid import UUID

from remem.core.evolution.arena import store
from remem.core.evolution.arena.decide import decide, rewards_of
from remem.core.evolution.bandit import Tally, tally_of
from remem.core.evolution.model import Work
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.search.arms import ARMS, BUILT_IN


async def propagate(ports: Ports, scope: Scope, project_id: UUID | None, deadline: float) -> Work:
    """What was given before is replaced, so that to do it again changes nothing."""
    arm = await decide(ports, scope, None)
    async with ports.db.transaction(scope) as tx:
        given = await store.shares(tx, scope)
        rewards = rewards_of(await store.results(tx, scope, None))
        # In one order, so that two tenants do not wait for each other.
        for name in sorted((*ARMS, BUILT_IN.id)):
            tally = tally_of(rewards.get(name, {}).values())
            before = given.get(name)
            if tally == before or (before is None and not tally.pulls):
                continue
            await store.add_to_global(tx, scope, name, _less(tally, before), new=before is None)
            await store.put_share(tx, scope, name, tally)
    return Work({"arm": arm, "arms": len(rewards)})


def _less(tally: Tally, before: Tally | None) -> Tally:
    if before is None:
        return tally
    return Tally(
        tally.pulls - before.pulls,
        tally.reward_sum - before.reward_sum,
        tally.reward_squares - before.reward_squares,
    )
