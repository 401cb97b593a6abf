"""Find by word: BM25 over one tenant's postings."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from remem.core.db import Row, Tx
from remem.core.filters import ALL, Filters
from remem.core.index import store
from remem.core.index.bm25 import gain, rarity
from remem.core.index.document_frequency import DocumentFrequency
from remem.core.index.kinds import CHUNK, MEMORY
from remem.core.index.policy import WORD_POLICY, WordPolicy
from remem.core.language.everyday import everyday_share
from remem.core.language.tokens import query_terms
from remem.core.scope import Scope

NOTHING: Mapping[Any, Any] = {}

_document_frequency = DocumentFrequency()


@dataclass(slots=True)
class Match:
    """A text and how often the terms stand in it. `length` is in means of its kind: 1.0 is as long
    as others are. The score has no upper end; it is 0 for what was found otherwise."""

    id: UUID
    length: float
    score: float = 0.0
    counts: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Matches:
    """What shares words with the query, best first, and what those words weigh here. `asked` is
    what all words of the query weigh together, also those that stand nowhere."""

    found: list[Match]
    weights: dict[str, float]
    asked: float = 0.0


@dataclass(frozen=True, slots=True)
class Words:
    """The terms that stand somewhere, rarest first: what each weighs, in how many texts it is.
    `part` of all texts are those in question; kinds without a text have no mean length."""

    weights: dict[str, float]
    frequencies: dict[str, int]
    mean_lengths: dict[str, float]
    part: float = 1.0
    asked: float = 0.0
    texts: float = 0.0


@dataclass(frozen=True, slots=True)
class Chosen:
    """The texts to count the words in, by kind: those that may be among the best `limit`."""

    words: Words
    ids: dict[UUID, str]
    limit: int


async def match_words(
    tx: Tx,
    scope: Scope,
    kind: str,
    query: str,
    project_ids: Sequence[UUID] | None,
    limit: int,
    policy: WordPolicy = WORD_POLICY,
) -> Matches:
    asked = query_terms(query)
    chosen = await choose(tx, scope, [kind], asked, project_ids, limit, policy=policy)
    return await count(tx, scope, chosen)


async def texts_with(
    tx: Tx, scope: Scope, kind: str, terms: Sequence[str], project_id: UUID, each: int
) -> dict[str, list[UUID]]:
    """By term, the newest texts of a project that have it."""
    return await store.owners(tx, scope, kind, terms, project_id, each) if terms else {}


async def choose(
    tx: Tx,
    scope: Scope,
    kinds: Sequence[str],
    asked: Sequence[str],
    project_ids: Sequence[UUID] | None,
    limit: int,
    filters: Filters = ALL,
    *,
    instead: Mapping[str, str] = NOTHING,
    grows: bool = False,
    policy: WordPolicy = WORD_POLICY,
) -> Chosen:
    """A filter narrows what is given, not what terms weigh; under one, every term is looked for.
    `instead` has terms that stand in for one that is asked and stands nowhere. A limit that `grows`
    is the least there is: in a bigger store more is as good by words alone."""
    words = await _words(tx, scope, kinds, asked, project_ids, instead, policy)
    limit = max(limit, _grown(words.texts, policy)) if grows else limit
    if not words.weights:
        return Chosen(words, {}, limit)
    sought = words.weights if filters.any else _telling(words, policy)
    # What the commoner terms add may lift a text from behind.
    take = limit if len(sought) == len(words.weights) else 2 * limit
    by_project = words.part < policy.small_part
    ids = await store.match(
        tx, scope, sought, words.mean_lengths, project_ids, take, filters, by_project=by_project
    )
    return Chosen(words, ids, limit)


async def count(
    tx: Tx, scope: Scope, chosen: Chosen, also: Mapping[UUID, str] = NOTHING
) -> Matches:
    """How often which words stand in what was chosen, and in texts that were found otherwise."""
    words, ids = chosen.words, {**chosen.ids, **also}
    if not words.weights or not ids:
        return Matches([], {}, words.asked)
    found: dict[UUID, Match] = {}
    for kind, mean in words.mean_lengths.items():
        of_kind = [id for id, each in ids.items() if each == kind]
        rows = await store.counts(tx, scope, kind, list(words.weights), of_kind) if of_kind else []
        for term, owners, counts, lengths in rows:
            for id, tf, length in zip(owners, counts, lengths, strict=True):
                match = found.get(id) or found.setdefault(id, Match(id, length / mean))
                match.counts[term] = tf
    return _best(found, chosen, frozenset(also))


def _best(found: dict[UUID, Match], chosen: Chosen, also: frozenset[UUID]) -> Matches:
    words = chosen.words
    scored = [match for id in chosen.ids if (match := found.get(id))]
    for match in scored:
        match.score = _score(match, words)
    scored.sort(key=lambda match: (-match.score, -match.id.int))
    kept = scored[: chosen.limit]
    best = {match.id for match in kept}
    kept += [match for id, match in found.items() if id in also and id not in best]
    present = {term for match in kept for term in match.counts}
    weights = {term: weight for term, weight in words.weights.items() if term in present}
    return Matches(kept, weights, words.asked)


def _score(match: Match, words: Words) -> float:
    return sum(
        words.weights[term] * gain(tf, match.length, 1.0) for term, tf in match.counts.items()
    )


async def _words(
    tx: Tx,
    scope: Scope,
    kinds: Sequence[str],
    asked: Sequence[str],
    project_ids: Sequence[UUID] | None,
    instead: Mapping[str, str],
    policy: WordPolicy,
) -> Words:
    if not asked:
        return Words({}, {}, {})
    sought = [*asked, *instead]
    place = (scope.tenant_id, " ".join(kinds), None if project_ids is None else tuple(project_ids))
    known = _document_frequency.known(place, sought)
    unknown = [term for term in sought if term not in known]
    rows = await store.frequencies(tx, scope, kinds, unknown, project_ids, policy.counted)
    totals = rows[0]
    texts = max(totals["texts"], 1.0)
    if not _document_frequency.is_known_for(place, texts):
        return await _words(tx, scope, kinds, asked, project_ids, instead, policy)
    counted = {row["term"]: row["frequency"] for row in rows if row["term"] and row["frequency"]}
    _document_frequency.note(place, texts, counted)
    frequencies = dict(sorted((known | counted).items(), key=lambda each: each[1]))
    weights = {term: _weight(term, each, texts, policy) for term, each in frequencies.items()}
    for term, meant in instead.items():
        if term in weights and term not in asked:
            weights[term] = policy.guessed * _weight(meant, 0, texts, policy)
    whole = sum(weights.get(term) or _weight(term, 0, texts, policy) for term in asked)
    part = texts / max(totals["all_texts"], 1.0)
    return Words(weights, frequencies, _mean_lengths(totals), part, whole, texts)


def _grown(texts: float, policy: WordPolicy) -> int:
    return min(policy.grown_most, int(policy.growth * math.sqrt(texts)))


def _mean_lengths(totals: Row) -> dict[str, float]:
    """Of the kinds that have any text."""
    terms = {CHUNK: totals["chunk_terms"], MEMORY: totals["memory_terms"]}
    texts = {CHUNK: totals["chunks"], MEMORY: totals["memories"]}
    return {kind: max(terms[kind] / texts[kind], 1.0) for kind in texts if texts[kind] > 0}


def _weight(term: str, frequency: int, texts: float, policy: WordPolicy) -> float:
    """As if the store had some everyday texts besides its own: in a small one every word is rare,
    and "take" would weigh as much as "ferry"."""
    common = policy.everyday_texts * everyday_share(term)
    known = _estimated(frequency, texts, policy)
    return rarity(texts + policy.everyday_texts, known + common)


def _estimated(frequency: int, texts: float, policy: WordPolicy) -> float:
    """Where the counting ended early it may be in all texts; it weighs little in any case."""
    if frequency < policy.counted:
        return frequency
    return math.sqrt(frequency * max(texts, frequency))


def _telling(words: Words, policy: WordPolicy) -> dict[str, float]:
    """The rarest terms, as many as bring enough to choose from. What has only commoner ones is not
    among the best, and their lists would cost more than all the rest."""
    sought, read = {}, 0
    for term, frequency in words.frequencies.items():
        if sought and read + frequency > policy.enough_postings:
            break
        sought[term], read = words.weights[term], read + frequency
    return sought
