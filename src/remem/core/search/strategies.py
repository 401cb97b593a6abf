"""How a search may be done: one row a way, so that ways can be compared as data."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from remem.core.search.model import Mode, Query


@dataclass(frozen=True, slots=True)
class Strategy:
    """At least `pool` candidates come from each arm, more in a bigger store; `in_time` more by
    meaning from the time that the query names. `clauses` looks for the parts of the query as
    well; `names` lifts what the first results name by its title."""

    vectors: bool
    pool: int
    in_time: int
    clauses: bool
    names: bool = True


STRATEGIES: Mapping[Mode, Strategy] = {
    "fast": Strategy(vectors=False, pool=100, in_time=0, clauses=False, names=False),
    "balanced": Strategy(vectors=True, pool=100, in_time=50, clauses=False),
    "best": Strategy(vectors=True, pool=100, in_time=50, clauses=False),
    "deep": Strategy(vectors=True, pool=150, in_time=100, clauses=True),
}


def strategy_of(query: Query) -> Strategy:
    """Without vectors a mode looks by word alone, in all its other ways."""
    strategy = STRATEGIES[query.mode]
    return strategy if query.vectors else replace(strategy, vectors=False, in_time=0)
