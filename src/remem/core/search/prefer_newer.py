"""For queries about the current state: among similar results, rank the newest first."""

from collections.abc import Mapping, Sequence
from uuid import UUID

import numpy as np

from remem.core.search.evidence import Floats, Pool
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
            if _renews(pool, at[order[one].id], at[order[other].id], policy):
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


def _renews(pool: Pool, earlier: int, later: int, policy: Policy) -> bool:
    """Whether the same voice says it again, at a later time and elsewhere."""
    before, after = pool.features[earlier], pool.features[later]
    if before.thread_id == after.thread_id or before.speaker != after.speaker:
        return False
    if before.said_at >= after.said_at:
        return False
    one, other = ((pool.tf[n] > 0) * pool.weight for n in (earlier, later))
    shared = np.minimum(one, other).sum()
    if not shared or shared < policy.newer_alike * np.maximum(one, other).sum():
        return False
    return _says_as_much(one, other, policy) if before.speaker else not one[other == 0].any()


def _says_as_much(one: Floats, other: Floats, policy: Policy) -> bool:
    """In a talk the same is said in other words. In notes, a word of the query that only the
    earlier one has is what it is about: the password of the cabin, not that of the office."""
    return other.sum() >= policy.newer_share * one.sum()


def _changed(later: Ranked, earlier: Ranked) -> tuple[Ranked, Ranked]:
    """Both, the later one first, each with the other's score, which its parts say."""
    return scored(later, earlier.score), scored(earlier, later.score)


def scored(one: Ranked, score: float) -> Ranked:
    evidence = {**one.parts.evidence, "prefer_newer": score - one.score}
    return one._replace(score=score, parts=one.parts._replace(evidence=evidence))
