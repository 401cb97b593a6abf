"""Whether the arena finds the better arm, and leaves a policy alone where arms are alike.

Episodes are drawn at random with a seed. Half of the time an episode is as hard for one arm as for
the others, and half of the time luck decides for each arm by itself. Each run has 60 episodes, as
one project might have in a week; the policy is decided anew every ten, as it is every night. No
store and no clock."""

import argparse
import json
import random
from collections.abc import Hashable, Mapping
from itertools import pairwise

from remem.core.evolution.bandit import next_arms, tally_of, winner
from remem.core.search.arms import ARMS

EPISODES, NIGHT = 60, 10
# What a hit is worth at most: recall, precision and documents; the rest is speed and variety.
WORTH, REST = 0.9, 0.05
SHARED = 0.5


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--runs", type=int, default=100)
    arguments.add_argument("--lead", type=float, default=0.3, help="how much the best finds more")
    arguments.add_argument("--pulls", type=int, default=len(ARMS), help="arms tried an episode")
    chosen = arguments.parse_args()
    found = sum(_finds_best(seed, chosen.lead, chosen.pulls) for seed in range(chosen.runs))
    flaps = [_switches(seed, chosen.pulls) for seed in range(chosen.runs)]
    print(f"{found} of {chosen.runs} runs use the better arm after {EPISODES} episodes")
    print(f"where arms are alike, {sum(map(bool, flaps))} of {chosen.runs} runs change the policy")
    print(
        json.dumps(
            {
                "runs": chosen.runs,
                "lead": chosen.lead,
                "pulls_an_episode": chosen.pulls,
                "found": found,
                "tied_runs_that_switch": sum(map(bool, flaps)),
                "switches_in_tied_runs": sum(flaps),
            }
        )
    )


def _finds_best(seed: int, lead: float, pulls: int) -> bool:
    best = list(ARMS)[seed % len(ARMS)]
    chances = {arm: 0.5 + (lead if arm == best else 0.0) for arm in ARMS}
    return _policies(seed, chances, EPISODES, pulls)[-1] == best


def _switches(seed: int, pulls: int) -> int:
    """How often the policy changes in five times as many episodes of arms that are alike."""
    policies = _policies(seed, dict.fromkeys(ARMS, 0.5), 5 * EPISODES, pulls)
    return sum(one is not None and one != other for one, other in pairwise(policies))


def _policies(
    seed: int, chances: Mapping[str, float], episodes: int, pulls: int
) -> list[str | None]:
    """What is in force after each night."""
    chance = random.Random(seed)
    rewards: dict[str, dict[Hashable, float]] = {arm: {} for arm in ARMS}
    policies: list[str | None] = []
    for episode in range(1, episodes + 1):
        hardness = chance.random()
        tallies = {arm: tally_of(own.values()) for arm, own in rewards.items()}
        for arm in next_arms(tallies)[:pulls]:
            luck = hardness if chance.random() < SHARED else chance.random()
            rewards[arm][episode] = WORTH * (luck < chances[arm]) + REST * chance.random()
        if episode % NIGHT == 0:
            policies.append(winner(rewards, policies[-1] if policies else None))
    return policies


if __name__ == "__main__":
    main()
