"""Choose the arm to try next and the arm to use: UCB1 over rewards from 0 to 1. Pure."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from math import inf, log, sqrt
from typing import TypeAlias

EXPLORATION = 0.35
# An arm with fewer pulls is not chosen.
MIN_PULLS = 10
# The arm in force stays until another leads by this much, and by so many standard errors: more of
# them the longer the two were compared, since with many comparisons one is lucky by chance. So
# equally good arms do not alternate.
MIN_LEAD = 0.02
MIN_LEAD_ERRORS = 1.25

# The reward of each arm in each episode, by arm and by episode.
Rewards: TypeAlias = Mapping[str, Mapping[Hashable, float]]


@dataclass(frozen=True, slots=True)
class Tally:
    """The number of pulls of an arm, and the sums of its rewards and of their squares."""

    pulls: int = 0
    reward_sum: float = 0.0
    reward_squares: float = 0.0

    @property
    def mean(self) -> float:
        return self.reward_sum / self.pulls if self.pulls else 0.0

    @property
    def error(self) -> float:
        """The standard error of the mean; that of a coin toss with fewer than two pulls."""
        if self.pulls < 2:
            return 0.5
        variance = max(self.reward_squares / self.pulls - self.mean**2, 0.0)
        return sqrt(variance / (self.pulls - 1))

    def with_reward(self, reward: float) -> "Tally":
        return Tally(
            self.pulls + 1, self.reward_sum + reward, self.reward_squares + reward * reward
        )


def ucb(tally: Tally, total_pulls: int) -> float:
    """The mean plus a bonus that is larger the fewer the pulls; infinite without pulls."""
    if not tally.pulls:
        return inf
    return tally.mean + EXPLORATION * sqrt(log(total_pulls + 1) / tally.pulls)


def next_arms(tallies: Mapping[str, Tally]) -> list[str]:
    """The arms, most promising first; ties are in the order of the table."""
    total = sum(tally.pulls for tally in tallies.values())
    return sorted(tallies, key=lambda arm: -ucb(tallies[arm], total))


def tally_of(rewards: Iterable[float]) -> Tally:
    tally = Tally()
    for reward in rewards:
        tally = tally.with_reward(reward)
    return tally


def winner(rewards: Rewards, in_force: str | None = None) -> str | None:
    """The arm to use, or None while too little is known. The arm in force stays until another
    clearly leads it in the episodes in which both were tried."""
    candidates = {arm: results for arm, results in rewards.items() if len(results) >= MIN_PULLS}
    if not candidates:
        return None
    best = max(candidates, key=lambda arm: tally_of(candidates[arm].values()).mean)
    if in_force in candidates and not leads(candidates[best], candidates[in_force]):
        return in_force
    return best


def leads(challenger: Mapping[Hashable, float], holder: Mapping[Hashable, float]) -> bool:
    """Whether the first is clearly better in the episodes in which both were tried."""
    difference = _difference(challenger, holder)
    if difference.pulls < MIN_PULLS:
        return False
    errors = MIN_LEAD_ERRORS * sqrt(1 + log(difference.pulls / MIN_PULLS))
    return difference.mean > max(MIN_LEAD, errors * difference.error)


def mean_lead(challenger: Mapping[Hashable, float], holder: Mapping[Hashable, float]) -> float:
    return _difference(challenger, holder).mean


def _difference(challenger: Mapping[Hashable, float], holder: Mapping[Hashable, float]) -> Tally:
    common = challenger.keys() & holder.keys()
    return tally_of(challenger[episode] - holder[episode] for episode in common)
