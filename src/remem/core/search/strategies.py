"""Search strategies as data, one for each mode, so that they can be compared."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from remem.core.search.model import Mode, Query


@dataclass(frozen=True, slots=True)
class Strategy:
    """At least `pool` candidates come from each source, more in a bigger store; `in_time` is the
    number of additional ones by meaning from the time that the query names. `names` raises
    documents whose titles the first results mention, and `links` what the best memories are linked
    to."""

    vectors: bool
    pool: int
    in_time: int
    names: bool = True
    links: bool = False


STRATEGIES: Mapping[Mode, Strategy] = {
    "fast": Strategy(vectors=False, pool=100, in_time=0, names=False),
    "balanced": Strategy(vectors=True, pool=100, in_time=50),
    "best": Strategy(vectors=True, pool=100, in_time=50),
    "deep": Strategy(vectors=True, pool=100, in_time=50, links=True),
}


def strategy_of(query: Query) -> Strategy:
    """The strategy of the mode; without vectors, the same by word alone."""
    strategy = STRATEGIES[query.mode]
    return strategy if query.vectors else replace(strategy, vectors=False, in_time=0)
