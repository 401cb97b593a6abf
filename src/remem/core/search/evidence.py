"""Score candidates by words, speakers, time and threads; pure, one pool at a time.

Every component is relative to the pool: how many standard deviations a candidate is above the mean,
so that components of different scales can be added."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from remem.core.index.bm25 import bm25
from remem.core.language.stopwords import ALL_STOP_WORDS
from remem.core.language.times.queries import Window
from remem.core.search.model import Features
from remem.core.search.plan import ASSISTANT, USER, Plan
from remem.core.search.policy import POLICY, Policy
from remem.core.search.titles import phrase_of, words_in

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pool:
    """The candidates as columns: their features, cosines (0 without vectors) and term frequencies.
    Lengths are relative to the mean of their kind. `query_weight` is the weight of all words of the
    query; `words_only` is for scripts that embedders may not know, `name_words` is the
    number of words of a query that is nothing but a name, `is_keywords` is for a query that is no
    sentence. `asks` are the log odds that the query is about the person's own matters, if known.
    `memories` are those merged into
    each candidate, `best` the best match of the candidate and its memories (by default the
    candidate itself). The pool is incomplete if the embedder was down."""

    features: Sequence[Features]
    cosine: Floats
    tf: Floats
    length: Floats
    weight: Floats
    query_weight: float = 0.0
    words_only: bool = False
    name_words: int = 0
    is_keywords: bool = False
    memories: Sequence[tuple[UUID, ...]] = ()
    best: Sequence[UUID] = ()
    is_complete: bool = True
    asks: float | None = None


@dataclass(frozen=True, slots=True)
class Evidence:
    """`total` is the weighted sum of `parts`. `on_day` is set for candidates said on the past day
    that the query names, and `matches_any_term` for these and for those that have any of its words,
    or a neighbour that has. `word_reliability` is from 0 to 1. `by_name` is set if a speaker whom
    the query names is among the candidates."""

    total: Floats
    parts: dict[str, Floats]
    matches_any_term: NDArray[np.bool_]
    word_reliability: float = 1.0
    by_name: bool = False
    on_day: NDArray[np.bool_] | None = None


def weigh(pool: Pool, plan: Plan, policy: Policy = POLICY) -> Evidence:
    is_speaker = np.array(
        [_is_speaker(item.speaker, plan.speaker) for item in pool.features], dtype=float
    )
    neighbours = _neighbour_positions(pool.features, policy)
    own_words = bm25(pool.tf, pool.length, pool.weight, 1.0)
    words_around = _words_around(pool, neighbours, policy)
    reliability = _word_reliability(pool, neighbours, policy)
    first = policy.first_vector * z(pool.cosine) + policy.first_words * reliability * z(own_words)
    first = np.maximum(first + policy.first_speaker * is_speaker, 0.0)
    asks = np.array([item.asks for item in pool.features])
    parts = {
        "words": reliability * z(words_around),
        "speaker": is_speaker,
        "in_time": _said_in_windows(pool.features, plan.windows),
        "tells_time": np.array(
            [plan.asks_when and item.tells_time for item in pool.features], float
        ),
        "asks": asks,
        "answers": _neighbour_values(first * (asks > policy.asking_share), neighbours[-1]),
        "thread_score": _thread_score(pool.features, first, policy.thread_top),
        "exact": np.array([item.exact for item in pool.features]) / max(1, len(plan.exact)),
        "titled": _title_matches(pool.features, plan.text),
        "named": np.zeros(len(pool.features)),
    }
    weighed = {name: policy.evidence[name] * part for name, part in parts.items()}
    # A pronoun may label the turns of a pasted chat ("ich: …"), but names nobody.
    is_name = plan.speaker not in (USER, ASSISTANT) and plan.speaker not in ALL_STOP_WORDS
    by_name = is_name and bool(is_speaker.any())
    on_day = np.array([item.said_at.date() == plan.past_day for item in pool.features], bool)
    return Evidence(
        np.sum(list(weighed.values()), axis=0),
        weighed,
        (words_around > 0) | on_day,
        reliability,
        by_name,
        on_day,
    )


def coverage(pool: Pool) -> Floats:
    """The share of the query's information in each candidate: the weight of its words relative to
    that of all words of the query."""
    return (pool.tf > 0) @ pool.weight / max(pool.query_weight, 1e-9)


def _word_reliability(
    pool: Pool, neighbours: Mapping[int, NDArray[np.int64]], policy: Policy
) -> float:
    """How far words can be relied on: little if even the best candidate, with the turns around it,
    has only a common word of the query. Without vectors words are all there is."""
    if not len(pool.features) or pool.words_only or not pool.cosine.any():
        return 1.0
    tf = pool.tf + sum(
        _neighbour_values(pool.tf, neighbours[offset]) for offset, _ in policy.neighbours
    )
    best = float(coverage(replace(pool, tf=tf)).max())
    return min(1.0, best / policy.enough_coverage) ** policy.coverage_power


def z(values: Floats) -> Floats:
    spread = values.std() if len(values) else 0.0
    return (values - values.mean()) / spread if spread > 1e-9 else np.zeros(len(values))


def _is_speaker(speaker: str, name: str) -> bool:
    return bool(name) and speaker.split(" ", 1)[0] == name


def _neighbour_positions(
    features: Sequence[Features], policy: Policy
) -> dict[int, NDArray[np.int64]]:
    """The positions in the pool of the turns around each turn, by offset; -1 for those not in the
    pool. Only short turns of a conversation have neighbours."""
    turns = [
        (n, item.thread_id, item.place)
        for n, item in enumerate(features)
        if item.speaker and item.chars <= policy.turn_chars
    ]
    position_of = {(thread_id, place): n for n, thread_id, place in turns}
    neighbours = {
        offset: np.full(len(features), -1, dtype=np.int64) for offset, _ in policy.neighbours
    }
    for offset, positions in neighbours.items():
        for n, thread_id, place in turns:
            positions[n] = position_of.get((thread_id, place + offset), -1)
    return neighbours


def _neighbour_values(values: Floats, positions: NDArray[np.int64]) -> Floats:
    """Each neighbour's value, 0 for a missing one."""
    result = values[positions]
    result[positions < 0] = 0.0
    return result


def _words_around(
    pool: Pool, neighbours: Mapping[int, NDArray[np.int64]], policy: Policy
) -> Floats:
    """BM25 of a turn together with its neighbours, which count for less."""
    tf, length = pool.tf.copy(), pool.length.copy()
    for offset, share in policy.neighbours:
        tf += share * _neighbour_values(pool.tf, neighbours[offset])
        length += share * _neighbour_values(pool.length, neighbours[offset])
    return bm25(tf, length, pool.weight, 1.0)


def _said_in_windows(features: Sequence[Features], windows: Sequence[Window]) -> Floats:
    return np.array(
        [any(start <= item.said_at < end for start, end in windows) for item in features],
        dtype=float,
    )


def _title_matches(features: Sequence[Features], query: str) -> Floats:
    """Whether the query names the candidate's document by its title."""
    query_words = words_in(query)
    phrases = {item.title: phrase_of(item.title) for item in features}
    return np.array(
        [bool(phrases[item.title]) and phrases[item.title] in query_words for item in features],
        float,
    )


def _thread_score(features: Sequence[Features], first: Floats, top: int) -> Floats:
    """The mean of the best scores of its thread."""
    best: dict[object, list[float]] = {}
    for item, value in zip(features, first.tolist(), strict=True):
        best.setdefault(item.thread_id, []).append(value)
    mean = {
        thread_id: sum(sorted(values, reverse=True)[:top]) / top
        for thread_id, values in best.items()
    }
    return np.array([mean[item.thread_id] for item in features])
