"""Search strategies as data, one for each mode, so that they can be compared."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from remem.core.search.model import Mode, Query


@dataclass(frozen=True, slots=True)
class Strategy:
    """At least `pool` candidates come from each source, more in a bigger store; `in_time` is the
    number of additional ones by meaning from the time that the query names. `clauses` searches for
    parts of the query too; `names` raises documents whose titles the first results mention."""

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
    """The strategy of the mode; without vectors, the same by word alone."""
    strategy = STRATEGIES[query.mode]
    return strategy if query.vectors else replace(strategy, vectors=False, in_time=0)
