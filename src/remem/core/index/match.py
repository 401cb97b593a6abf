"""Search by word: BM25 over one tenant's postings."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from remem.core.filters import ALL, Filters
from remem.core.index import index_store
from remem.core.index.bm25 import gain, rarity
from remem.core.index.document_frequency import DocumentFrequency
from remem.core.index.kinds import CHUNK, MEMORY
from remem.core.index.policy import WORD_POLICY, WordPolicy
from remem.core.language.everyday import everyday_share
from remem.core.language.tokens import query_terms
from remem.core.language.word_keys import NO_KEYS, Keys, all_keys, query_keys
from remem.core.transaction import Row, Tx

_EMPTY: Mapping[Any, Any] = {}

_document_frequency = DocumentFrequency()


@dataclass(slots=True)
class Match:
    """A text and its term frequencies. `length` is relative to the mean of its kind: 1.0 is
    average. The score is unbounded; it is 0 for texts that were found in another way."""

    id: UUID
    length: float
    score: float = 0.0
    counts: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Matches:
    """The texts that share words with the query, best first, and the weights of those words.
    `query_weight` is the weight of all words of the query, including those in no text."""

    matches: list[Match]
    weights: dict[str, float]
    query_weight: float = 0.0


@dataclass(frozen=True, slots=True)
class TermStats:
    """The terms that occur in some text, rarest first: their weights and document frequencies.
    `share` is the share of all texts that is searched; kinds without texts have no mean length."""

    weights: dict[str, float]
    frequencies: dict[str, int]
    mean_lengths: dict[str, float]
    share: float = 1.0
    query_weight: float = 0.0
    texts: float = 0.0


@dataclass(frozen=True, slots=True)
class _Words:
    """What is looked up: the terms of the query, the keys of other forms, and substitutes."""

    terms: tuple[str, ...]
    keys: Keys
    substitutes: Mapping[str, str]

    def all(self) -> list[str]:
        return list(dict.fromkeys((*self.terms, *self.substitutes, *all_keys(self.keys))))


@dataclass(frozen=True, slots=True)
class ChosenTexts:
    """The texts to count terms in, by kind: those that may be among the best `limit`."""

    stats: TermStats
    ids: dict[UUID, str]
    limit: int


async def match_words(
    tx: Tx,
    kind: str,
    query: str,
    project_ids: Sequence[UUID] | None,
    limit: int,
    policy: WordPolicy = WORD_POLICY,
) -> Matches:
    terms = query_terms(query)
    keys = query_keys(query).keys
    chosen = await choose_texts(tx, [kind], terms, project_ids, limit, keys=keys, policy=policy)
    return await count_terms(tx, chosen)


async def texts_with(
    tx: Tx, kind: str, terms: Sequence[str], project_id: UUID, limit: int
) -> dict[str, list[UUID]]:
    """For each term, the newest texts of a project that have it."""
    return await index_store.owners(tx, kind, terms, project_id, limit) if terms else {}


async def choose_texts(
    tx: Tx,
    kinds: Sequence[str],
    terms: Sequence[str],
    project_ids: Sequence[UUID] | None,
    limit: int,
    filters: Filters = ALL,
    *,
    keys: Keys = NO_KEYS,
    substitutes: Mapping[str, str] = _EMPTY,
    grows: bool = False,
    policy: WordPolicy = WORD_POLICY,
) -> ChosenTexts:
    """Choose candidates by their rarest terms. Filters narrow the result but do not change the
    weights; with filters, every term is looked up. `keys` find other forms of the terms.
    `substitutes` maps replacement terms to the
    query term they replace, which is in no text. With `grows`, the limit is a minimum: a bigger
    store has more texts that score as high by words alone."""
    words = _Words(tuple(terms), keys, substitutes)
    stats = await _term_stats(tx, kinds, words, project_ids, policy)
    limit = max(limit, _grown_limit(stats.texts, policy)) if grows else limit
    if not stats.weights:
        return ChosenTexts(stats, {}, limit)
    weights = stats.weights if filters.any else _rarest_terms(stats, policy)
    # The remaining, commoner terms may move a text up.
    fetch_limit = limit if len(weights) == len(stats.weights) else 2 * limit
    by_project = stats.share < policy.small_share
    ids = await index_store.match(
        tx, weights, stats.mean_lengths, project_ids, fetch_limit, filters, by_project=by_project
    )
    return ChosenTexts(stats, ids, limit)


async def count_terms(tx: Tx, chosen: ChosenTexts, others: Mapping[UUID, str] = _EMPTY) -> Matches:
    """Count the terms in the chosen texts, and in those that were found in another way."""
    stats, ids = chosen.stats, {**chosen.ids, **others}
    if not stats.weights or not ids:
        return Matches([], {}, stats.query_weight)
    matches: dict[UUID, Match] = {}
    for kind, mean in stats.mean_lengths.items():
        of_kind = [id for id, kind_of_id in ids.items() if kind_of_id == kind]
        rows = await index_store.counts(tx, kind, list(stats.weights), of_kind) if of_kind else []
        for term, owners, counts, lengths in rows:
            for id, tf, length in zip(owners, counts, lengths, strict=True):
                match = matches.get(id) or matches.setdefault(id, Match(id, length / mean))
                match.counts[term] = tf
    return _best_matches(matches, chosen, frozenset(others))


def _best_matches(
    matches: dict[UUID, Match], chosen: ChosenTexts, others: frozenset[UUID]
) -> Matches:
    stats = chosen.stats
    scored = [match for id in chosen.ids if (match := matches.get(id))]
    for match in scored:
        match.score = _score(match, stats)
    scored.sort(key=lambda match: (-match.score, -match.id.int))
    best = scored[: chosen.limit]
    best_ids = {match.id for match in best}
    best += [match for id, match in matches.items() if id in others and id not in best_ids]
    present = {term for match in best for term in match.counts}
    weights = {term: weight for term, weight in stats.weights.items() if term in present}
    return Matches(best, weights, stats.query_weight)


def _score(match: Match, stats: TermStats) -> float:
    return sum(
        stats.weights[term] * gain(tf, match.length, 1.0) for term, tf in match.counts.items()
    )


async def _term_stats(
    tx: Tx,
    kinds: Sequence[str],
    words: _Words,
    project_ids: Sequence[UUID] | None,
    policy: WordPolicy,
) -> TermStats:
    if not words.terms:
        return TermStats({}, {}, {})
    wanted = words.all()
    key = (tx.scope.tenant_id, " ".join(kinds), None if project_ids is None else tuple(project_ids))
    cached = _document_frequency.get(key, wanted)
    uncached = [term for term in wanted if term not in cached]
    rows = await index_store.frequencies(tx, kinds, uncached, project_ids, policy.max_counted)
    totals = rows[0]
    texts = max(totals["texts"], 1.0)
    if not _document_frequency.is_current(key, texts):
        return await _term_stats(tx, kinds, words, project_ids, policy)
    counted = {row["term"]: row["frequency"] for row in rows if row["term"] and row["frequency"]}
    _document_frequency.store(key, texts, counted)
    frequencies = dict(sorted((cached | counted).items(), key=lambda item: item[1]))
    weights = _weights(words, frequencies, texts, policy)
    query_weight = sum(weights.get(term) or _weight(term, 0, texts, policy) for term in words.terms)
    query_weight += sum(weights[key] for key in _keys_beside_terms(words, weights))
    share = texts / max(totals["all_texts"], 1.0)
    return TermStats(weights, frequencies, _mean_lengths(totals), share, query_weight, texts)


def _weights(
    words: _Words, frequencies: Mapping[str, int], texts: float, policy: WordPolicy
) -> dict[str, float]:
    """The weights of what occurs in some text."""
    weights = {}
    for term, frequency in frequencies.items():
        if term in words.terms:
            weights[term] = _weight(term, frequency, texts, policy)
        elif replaced := words.substitutes.get(term):
            weights[term] = policy.guess_weight * _weight(replaced, 0, texts, policy)
        else:
            weights[term] = policy.key_weight * _weight(term, frequency, texts, policy)
    return weights


def _keys_beside_terms(words: _Words, weights: Mapping[str, float]) -> set[str]:
    """The keys whose weight counts in addition: a term that is in no text counts in full alone."""
    return {
        key
        for term, keys in words.keys.items()
        if term in weights or term not in words.terms
        for key in keys
        if key in weights and key not in words.terms
    }


def _grown_limit(texts: float, policy: WordPolicy) -> int:
    return min(policy.max_growth, int(policy.growth * math.sqrt(texts)))


def _mean_lengths(totals: Row) -> dict[str, float]:
    """The mean length of each kind that has texts."""
    terms = {CHUNK: totals["chunk_terms"], MEMORY: totals["memory_terms"]}
    texts = {CHUNK: totals["chunks"], MEMORY: totals["memories"]}
    return {kind: max(terms[kind] / texts[kind], 1.0) for kind in texts if texts[kind] > 0}


def _weight(term: str, frequency: int, texts: float, policy: WordPolicy) -> float:
    """Computed as if the store had some everyday texts in addition to its own: in a small store
    every word is rare, and "take" would weigh as much as "ferry"."""
    everyday = policy.everyday_texts * everyday_share(term)
    estimated = _estimated_frequency(frequency, texts, policy)
    return rarity(texts + policy.everyday_texts, estimated + everyday)


def _estimated_frequency(frequency: int, texts: float, policy: WordPolicy) -> float:
    """A frequency that reached the counting limit may be that of a term in all texts; such a term
    weighs little in any case."""
    if frequency < policy.max_counted:
        return frequency
    return math.sqrt(frequency * max(texts, frequency))


def _rarest_terms(stats: TermStats, policy: WordPolicy) -> dict[str, float]:
    """The rarest terms, as many as give enough postings to choose from. Texts that have only
    commoner terms are not among the best, and those lists would cost more than all the others."""
    weights, postings = {}, 0
    for term, frequency in stats.frequencies.items():
        if weights and postings + frequency > policy.enough_postings:
            break
        weights[term], postings = stats.weights[term], postings + frequency
    return weights
