"""Which arm to try next, and which to use: UCB1 over rewards from 0 to 1. Pure."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from math import inf, log, sqrt
from typing import TypeAlias

EXPLORATION = 0.35
# An arm that was tried less often is not chosen.
LEAST_PULLS = 10
# What is in force stays until another leads by this much, and by so many standard errors: more of
# them the longer the two were compared, for of many looks one is lucky. Arms that are alike do not
# take turns.
LEAST_LEAD = 0.02
SURE_ERRORS = 1.25

# What each arm got in each episode, by arm and by episode.
Rewards: TypeAlias = Mapping[str, Mapping[Hashable, float]]


@dataclass(frozen=True, slots=True)
class Tally:
    """How often an arm was pulled, and the sums of its rewards and of their squares."""

    pulls: int = 0
    reward_sum: float = 0.0
    reward_squares: float = 0.0

    @property
    def mean(self) -> float:
        return self.reward_sum / self.pulls if self.pulls else 0.0

    @property
    def error(self) -> float:
        """The standard error of the mean; that of a coin where there is too little to tell."""
        if self.pulls < 2:
            return 0.5
        variance = max(self.reward_squares / self.pulls - self.mean**2, 0.0)
        return sqrt(variance / (self.pulls - 1))

    def with_reward(self, reward: float) -> "Tally":
        return Tally(
            self.pulls + 1, self.reward_sum + reward, self.reward_squares + reward * reward
        )


def ucb(tally: Tally, total_pulls: int) -> float:
    """The mean, and the more the less often it was tried; one that never was goes first."""
    if not tally.pulls:
        return inf
    return tally.mean + EXPLORATION * sqrt(log(total_pulls + 1) / tally.pulls)


def next_arms(tallies: Mapping[str, Tally]) -> list[str]:
    """The most promising first; of equals the first in the table."""
    total = sum(tally.pulls for tally in tallies.values())
    return sorted(tallies, key=lambda arm: -ucb(tallies[arm], total))


def tally_of(rewards: Iterable[float]) -> Tally:
    tally = Tally()
    for reward in rewards:
        tally = tally.with_reward(reward)
    return tally


def winner(rewards: Rewards, in_force: str | None = None) -> str | None:
    """The arm to use, or None while too little is known. What is in force stays until another
    leads clearly in the episodes that both were tried in."""
    tried = {arm: own for arm, own in rewards.items() if len(own) >= LEAST_PULLS}
    if not tried:
        return None
    best = max(tried, key=lambda arm: tally_of(tried[arm].values()).mean)
    if in_force in tried and not leads(tried[best], tried[in_force]):
        return in_force
    return best


def leads(one: Mapping[Hashable, float], other: Mapping[Hashable, float]) -> bool:
    """Whether the first is clearly better where both were tried."""
    both = one.keys() & other.keys()
    if len(both) < LEAST_PULLS:
        return False
    difference = tally_of(one[episode] - other[episode] for episode in both)
    errors = SURE_ERRORS * sqrt(1 + log(len(both) / LEAST_PULLS))
    return difference.mean > max(LEAST_LEAD, errors * difference.error)
