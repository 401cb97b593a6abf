"""Whether the arena finds the better arm, and keeps the policy where all arms are equally good.

Episodes are random, with a seed. In half of the cases an episode is equally hard for all arms; in
the other half each arm has its own luck. A run has 60 episodes, about a week of one project, and
the policy is updated every ten, as it is every night. No store and no clock are needed."""

import argparse
import json
import random
from collections.abc import Hashable, Mapping
from itertools import pairwise

from remem.core.evolution.bandit import next_arms, tally_of, winner
from remem.core.search.arms import ARMS

EPISODES, NIGHT = 60, 10
# The highest reward for a hit (recall, precision and documents), and for speed and variety.
MAX_HIT_REWARD, MAX_OTHER_REWARD = 0.9, 0.05
SHARED_LUCK = 0.5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--lead", type=float, default=0.3, help="how much more the best arm finds")
    parser.add_argument("--pulls", type=int, default=len(ARMS), help="arms tried an episode")
    args = parser.parse_args()
    successes = sum(_finds_best(seed, args.lead, args.pulls) for seed in range(args.runs))
    flaps = [_switches(seed, args.pulls) for seed in range(args.runs)]
    print(f"{successes} of {args.runs} runs use the better arm after {EPISODES} episodes")
    print(f"where arms are alike, {sum(map(bool, flaps))} of {args.runs} runs change the policy")
    print(
        json.dumps(
            {
                "runs": args.runs,
                "lead": args.lead,
                "pulls_an_episode": args.pulls,
                "found": successes,
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
    """How often the policy changes in five times as many episodes with equally good arms."""
    policies = _policies(seed, dict.fromkeys(ARMS, 0.5), 5 * EPISODES, pulls)
    return sum(
        policy is not None and policy != next_policy for policy, next_policy in pairwise(policies)
    )


def _policies(
    seed: int, chances: Mapping[str, float], episodes: int, pulls: int
) -> list[str | None]:
    """The policy after each night."""
    rng = random.Random(seed)
    rewards: dict[str, dict[Hashable, float]] = {arm: {} for arm in ARMS}
    policies: list[str | None] = []
    for episode in range(1, episodes + 1):
        hardness = rng.random()
        tallies = {arm: tally_of(own.values()) for arm, own in rewards.items()}
        for arm in next_arms(tallies)[:pulls]:
            luck = hardness if rng.random() < SHARED_LUCK else rng.random()
            rewards[arm][episode] = (
                MAX_HIT_REWARD * (luck < chances[arm]) + MAX_OTHER_REWARD * rng.random()
            )
        if episode % NIGHT == 0:
            policies.append(winner(rewards, policies[-1] if policies else None))
    return policies


if __name__ == "__main__":
    main()
