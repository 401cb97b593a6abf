"""Pass on what was learned: from projects to the tenant, and from tenants to all tenants.

A tenant shares, for each arm, its number of pulls and two sums of its rewards. No text, name or id
is shared, and the sums do not show which tenants contributed."""

from uuid import UUID

from remem.core.evolution.arena import arena_store
from remem.core.evolution.arena.decide import decide, rewards_without_speed
from remem.core.evolution.bandit import Tally, tally_of
from remem.core.evolution.model import Work
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.search.arms import ARMS, BUILT_IN


async def propagate(ports: Ports, scope: Scope, project_id: UUID | None, deadline: float) -> Work:
    """Share the tenant's tallies. They replace those it shared before, so a repetition changes
    nothing."""
    arm = await decide(ports, scope, None)
    async with ports.db.transaction(scope) as tx:
        shared = await arena_store.shares(tx)
        rewards = rewards_without_speed(await arena_store.results(tx, None))
        # In a fixed order, so that two tenants do not deadlock.
        for name in sorted((*ARMS, BUILT_IN.id)):
            tally = tally_of(rewards.get(name, {}).values())
            previous = shared.get(name)
            if tally == previous or (previous is None and not tally.pulls):
                continue
            await arena_store.add_to_global(
                tx, name, _difference(tally, previous), new=previous is None
            )
            await arena_store.put_share(tx, name, tally)
    return Work({"arm": arm, "arms": len(rewards)})


def _difference(tally: Tally, previous: Tally | None) -> Tally:
    if previous is None:
        return tally
    return Tally(
        tally.pulls - previous.pulls,
        tally.reward_sum - previous.reward_sum,
        tally.reward_squares - previous.reward_squares,
    )
