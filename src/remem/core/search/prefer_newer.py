"""For queries about the current state: among similar results, rank the newest first."""

from collections.abc import Mapping, Sequence
from uuid import UUID

import numpy as np

from remem.core.search.evidence import Pool
from remem.core.search.model import Ranked
from remem.core.search.policy import POLICY, Policy


def prefer_newer(pool: Pool, ranked: Sequence[Ranked], policy: Policy = POLICY) -> list[Ranked]:
    """The same, best first; an earlier one and the later one behind it change their scores."""
    ids = pool.best or [item.id for item in pool.features]
    at = {id: n for n, id in enumerate(ids)}
    order = list(ranked)
    heads = _heads(pool, at, order, policy.newer_heads)
    for back in range(1, len(heads)):
        for front in range(back):
            one, other = heads[front], heads[back]
            if _renews(pool, at[order[one].id], at[order[other].id], policy.newer_alike):
                order[one], order[other] = _changed(order[other], order[one])
    return order


def _heads(pool: Pool, at: Mapping[UUID, int], order: Sequence[Ranked], most: int) -> list[int]:
    """Where the first of each talk or document stands, and the first of each other voice in it."""
    threads: set[UUID] = set()
    first: dict[tuple[UUID, str], int] = {}
    for place, one in enumerate(order):
        item = pool.features[at[one.id]]
        if item.thread_id in threads or len(threads) < most:
            threads.add(item.thread_id)
            first.setdefault((item.thread_id, item.speaker), place)
    return list(first.values())


def _renews(pool: Pool, earlier: int, later: int, alike: float) -> bool:
    """Whether the same voice says it again, at a later time and elsewhere."""
    before, after = pool.features[earlier], pool.features[later]
    if before.thread_id == after.thread_id or before.speaker != after.speaker:
        return False
    if before.said_at >= after.said_at:
        return False
    one, other = ((pool.tf[n] > 0) * pool.weight for n in (earlier, later))
    shared = np.minimum(one, other).sum()
    return bool(shared) and shared >= alike * np.maximum(one, other).sum()


def _changed(later: Ranked, earlier: Ranked) -> tuple[Ranked, Ranked]:
    """Both, the later one first, each with the other's score, which its parts say."""
    return _scored(later, earlier.score), _scored(earlier, later.score)


def _scored(one: Ranked, score: float) -> Ranked:
    evidence = {**one.parts.evidence, "prefer_newer": score - one.score}
    return one._replace(score=score, parts=one.parts._replace(evidence=evidence))
