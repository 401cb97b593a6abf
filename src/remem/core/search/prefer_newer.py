"""For queries that do not ask about the past: among similar results, rank the newest first."""

from collections.abc import Mapping, Sequence
from uuid import UUID

import numpy as np

from remem.core.search.evidence import Pool
from remem.core.search.model import Ranked
from remem.core.search.plan import USER
from remem.core.search.policy import POLICY, Policy


def prefer_newer(pool: Pool, ranked: Sequence[Ranked], policy: Policy = POLICY) -> list[Ranked]:
    """The ranking in which an older result and a newer one below it swap their scores; best
    first."""
    ids = pool.best or [item.id for item in pool.features]
    index_of = {id: n for n, id in enumerate(ids)}
    order = list(ranked)
    positions = _first_positions(pool, index_of, order, policy.newer_heads)
    for lower in range(1, len(positions)):
        for upper in range(lower):
            older, newer = positions[upper], positions[lower]
            if _is_read_better(order[older], order[newer], policy):
                continue
            if _supersedes(pool, index_of[order[older].id], index_of[order[newer].id], policy):
                order[older], order[newer] = _swap_scores(order[newer], order[older])
    return order


def _first_positions(
    pool: Pool, index_of: Mapping[UUID, int], order: Sequence[Ranked], max_threads: int
) -> list[int]:
    """The positions of the first result of each conversation or document, and of each other speaker
    in it."""
    threads: set[UUID] = set()
    first: dict[tuple[UUID, str], int] = {}
    for position, result in enumerate(order):
        item = pool.features[index_of[result.id]]
        if item.thread_id in threads or len(threads) < max_threads:
            threads.add(item.thread_id)
            first.setdefault((item.thread_id, item.speaker), position)
    return list(first.values())


def _is_read_better(older: Ranked, newer: Ranked, policy: Policy) -> bool:
    """Whether the reader, if it has read both, clearly prefers the older one."""
    by_older, by_newer = older.parts.relevance, newer.parts.relevance
    if by_older is None or by_newer is None:
        return False
    return by_older - by_newer > policy.newer_read


def _supersedes(pool: Pool, earlier: int, later: int, policy: Policy) -> bool:
    """Whether a note or the user says it again, later and in another thread. What people tell each
    other in similar words are mostly different events; what has the exact words asked for stays."""
    older, newer = pool.features[earlier], pool.features[later]
    if older.speaker not in ("", USER) or older.speaker != newer.speaker:
        return False
    if older.thread_id == newer.thread_id or older.exact > newer.exact:
        return False
    if older.said_at >= newer.said_at:
        return False
    older_words, newer_words = ((pool.tf[n] > 0) * pool.weight for n in (earlier, later))
    shared = np.minimum(older_words, newer_words).sum()
    if not shared or shared < policy.newer_alike * np.maximum(older_words, newer_words).sum():
        return False
    if older.speaker:
        # In a conversation the same is said in other words.
        return bool(newer_words.sum() >= policy.newer_share * older_words.sum())
    # In notes, a query word that only the older one has is the subject: the password of the cabin,
    # not that of the office.
    is_covered = shared >= policy.newer_covered * pool.query_weight
    nearness = policy.newer_near_covered if is_covered else policy.newer_near
    is_near = pool.cosine[later] >= nearness * pool.cosine[earlier]
    return bool(is_near) and not older_words[newer_words == 0].any()


def _swap_scores(newer: Ranked, older: Ranked) -> tuple[Ranked, Ranked]:
    """Both, the newer one first, each with the other's score and the change in its parts."""
    return with_score(newer, older.score), with_score(older, newer.score)


def with_score(result: Ranked, score: float) -> Ranked:
    evidence = {**result.parts.evidence, "prefer_newer": score - result.score}
    return result._replace(score=score, parts=result.parts._replace(evidence=evidence))
