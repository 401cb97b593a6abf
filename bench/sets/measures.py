"""Ranking measures: how much of the gold an order has, and how early."""

import math
from collections.abc import Sequence


def recall(order: Sequence[str], gold: frozenset[str], k: int) -> float:
    return len(gold.intersection(order[:k])) / len(gold)


def any_of(order: Sequence[str], gold: frozenset[str], k: int) -> float:
    return float(not gold.isdisjoint(order[:k]))


def all_of(order: Sequence[str], gold: frozenset[str], k: int) -> float:
    return float(gold.issubset(order[:k]))


def mrr(order: Sequence[str], gold: frozenset[str]) -> float:
    return next((1 / place for place, id in enumerate(order, 1) if id in gold), 0.0)


def ndcg(order: Sequence[str], gold: frozenset[str], k: int) -> float:
    gained = sum(1 / math.log2(place + 1) for place, id in enumerate(order[:k], 1) if id in gold)
    best = sum(1 / math.log2(place + 1) for place in range(1, min(len(gold), k) + 1))
    return gained / best
