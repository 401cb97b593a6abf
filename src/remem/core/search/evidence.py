"""Weigh what words, speakers, time and threads say for each candidate; pure, a pool at a time.

Everything is measured against the pool: a part is how many standard deviations a candidate lies
above the others, so that parts can be added whatever their own scale is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from remem.core.index.bm25 import bm25
from remem.core.language.times.queries import Window
from remem.core.search.model import Features
from remem.core.search.plan import ASSISTANT, USER, Plan
from remem.core.search.policy import POLICY, Policy
from remem.core.search.titles import phrase_of, words_in

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pool:
    """The candidates as columns: what is known of each, its cosine (0 where no vectors are
    asked), and how often each term stands in it. Lengths are in means of their kind. All words of
    the query weigh `asked_weight`; `by_word_alone` is for scripts that embedders may not know.
    `memories` are those that a candidate stands for, `best` which
    of all it stands for says it best (itself, where there is none). It is not whole when the
    embedder was down."""

    features: Sequence[Features]
    cosine: Floats
    tf: Floats
    length: Floats
    weight: Floats
    asked_weight: float = 0.0
    by_word_alone: bool = False
    memories: Sequence[tuple[UUID, ...]] = ()
    best: Sequence[UUID] = ()
    is_whole: bool = True


@dataclass(frozen=True, slots=True)
class Evidence:
    """`total` is the weighted sum of `parts`; `matches_any_term` says who has any of the words, or
    stands beside one who has. `telling` is how far words can be relied on here, from 0 to 1.
    `by_name` is whether somebody speaks whom the query names."""

    total: Floats
    parts: dict[str, Floats]
    matches_any_term: NDArray[np.bool_]
    telling: float = 1.0
    by_name: bool = False


def weigh(pool: Pool, plan: Plan, policy: Policy = POLICY) -> Evidence:
    spoken = np.array([_speaks(item.speaker, plan.asked_of) for item in pool.features], dtype=float)
    near = _neighbours(pool.features, policy)
    own = bm25(pool.tf, pool.length, pool.weight, 1.0)
    around = _around(pool, near, policy)
    telling = telling_of(pool, near, policy)
    first = policy.first_vector * z(pool.cosine) + policy.first_words * telling * z(own)
    first = np.maximum(first + policy.first_speaker * spoken, 0.0)
    asks = np.array([item.asks for item in pool.features])
    parts = {
        "words": telling * z(around),
        "speaker": spoken,
        "in_time": _in_time(pool.features, plan.windows),
        "tells_time": np.array(
            [plan.asks_when and item.tells_time for item in pool.features], float
        ),
        "asks": asks,
        "answers": _neighbour_values(first * (asks > policy.asking_share), near[-1]),
        "thread_score": _thread_score(pool.features, first, policy.thread_top),
        "exact": np.array([item.exact for item in pool.features]) / max(1, len(plan.exact)),
        "titled": _titled(pool.features, plan.text),
        "named": np.zeros(len(pool.features)),
    }
    weighed = {name: policy.evidence[name] * part for name, part in parts.items()}
    by_name = plan.asked_of not in (USER, ASSISTANT) and bool(spoken.any())
    return Evidence(np.sum(list(weighed.values()), axis=0), weighed, around > 0, telling, by_name)


def coverage(pool: Pool) -> Floats:
    """The share of the query's information that each has: what its words weigh of what all words
    of the query weigh."""
    return (pool.tf > 0) @ pool.weight / max(pool.asked_weight, 1e-9)


def telling_of(pool: Pool, near: Mapping[int, NDArray[np.int64]], policy: Policy) -> float:
    """How far words can be relied on: little, where even the best, with the turns around it, has
    but a common word of the query. Without vectors there is nothing else."""
    if not len(pool.features) or pool.by_word_alone or not pool.cosine.any():
        return 1.0
    tf = pool.tf + sum(_neighbour_values(pool.tf, near[offset]) for offset, _ in policy.neighbours)
    best = float(coverage(replace(pool, tf=tf)).max())
    return min(1.0, best / policy.enough_coverage) ** policy.coverage_power


def z(values: Floats) -> Floats:
    spread = values.std() if len(values) else 0.0
    return (values - values.mean()) / spread if spread > 1e-9 else np.zeros(len(values))


def _speaks(speaker: str, asked_of: str) -> bool:
    return bool(asked_of) and speaker.split(" ", 1)[0] == asked_of


def _neighbours(features: Sequence[Features], policy: Policy) -> dict[int, NDArray[np.int64]]:
    """Where in the pool the turns around each stand, by offset; -1 when one is not there. Only
    short turns of a conversation lean on each other."""
    turns = [
        (n, item.thread_id, item.place)
        for n, item in enumerate(features)
        if item.speaker and item.chars <= policy.turn_chars
    ]
    at = {(thread_id, place): n for n, thread_id, place in turns}
    near = {offset: np.full(len(features), -1, dtype=np.int64) for offset, _ in policy.neighbours}
    for offset, places in near.items():
        for n, thread_id, place in turns:
            places[n] = at.get((thread_id, place + offset), -1)
    return near


def _neighbour_values(values: Floats, at: NDArray[np.int64]) -> Floats:
    """Each neighbour's value, 0 where there is none."""
    got = values[at]
    got[at < 0] = 0.0
    return got


def _around(pool: Pool, near: Mapping[int, NDArray[np.int64]], policy: Policy) -> Floats:
    """BM25 of a turn together with its neighbours, which count for less."""
    tf, length = pool.tf.copy(), pool.length.copy()
    for offset, share in policy.neighbours:
        tf += share * _neighbour_values(pool.tf, near[offset])
        length += share * _neighbour_values(pool.length, near[offset])
    return bm25(tf, length, pool.weight, 1.0)


def _in_time(features: Sequence[Features], windows: Sequence[Window]) -> Floats:
    return np.array(
        [any(start <= item.said_at < end for start, end in windows) for item in features],
        dtype=float,
    )


def _titled(features: Sequence[Features], query: str) -> Floats:
    """Whether the query names its document by the title."""
    asked = words_in(query)
    phrases = {item.title: phrase_of(item.title) for item in features}
    return np.array(
        [bool(phrases[item.title]) and phrases[item.title] in asked for item in features], float
    )


def _thread_score(features: Sequence[Features], first: Floats, top: int) -> Floats:
    """The mean of the best of those it was said or written with."""
    best: dict[object, list[float]] = {}
    for item, value in zip(features, first.tolist(), strict=True):
        best.setdefault(item.thread_id, []).append(value)
    mean = {
        thread_id: sum(sorted(values, reverse=True)[:top]) / top
        for thread_id, values in best.items()
    }
    return np.array([mean[item.thread_id] for item in features])
