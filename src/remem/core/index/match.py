"""Find by word: BM25 over one tenant's postings."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID

from remem.core.db import Tx
from remem.core.index import store
from remem.core.index.bm25 import gain, rarity
from remem.core.index.commonness import Commonness
from remem.core.index.tokens import query_terms
from remem.core.ports import Among
from remem.core.scope import Scope

# How many postings of the rarest terms are enough to choose the best texts from.
ENOUGH = 2_000
# How far the texts of a term are counted; the cost of a very common one ends there.
COUNTED = 10_000
# Where projects have less than this of all texts, their own lists are read.
SMALL_PART = 0.15

_commonness = Commonness()


@dataclass(slots=True)
class Match:
    """A text and how often the terms stand in it. The score has no upper end; it is 0 for what was
    found otherwise."""

    id: UUID
    length: int
    score: float = 0.0
    counts: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Matches:
    """What shares words with the query, best first, and what those words weigh here."""

    found: list[Match]
    weights: dict[str, float]
    mean_length: float


@dataclass(frozen=True, slots=True)
class Words:
    """The terms that stand somewhere, rarest first: what each weighs, in how many texts it is.
    `part` of all texts are those in question."""

    weights: dict[str, float]
    frequencies: dict[str, int]
    mean_length: float
    part: float = 1.0


@dataclass(frozen=True, slots=True)
class Chosen:
    """The texts to count the words in: those that may be among the best `limit`."""

    kind: str
    words: Words
    ids: list[UUID]
    limit: int


async def match_words(
    tx: Tx,
    scope: Scope,
    kind: str,
    query: str,
    project_ids: Sequence[UUID] | None,
    limit: int,
) -> Matches:
    chosen = await choose(tx, scope, kind, query_terms(query), project_ids, limit)
    return await count(tx, scope, chosen)


async def choose(
    tx: Tx,
    scope: Scope,
    kind: str,
    asked: Sequence[str],
    project_ids: Sequence[UUID] | None,
    limit: int,
    among: Among | None = None,
) -> Chosen:
    """A filter narrows what is given, not what terms weigh; under one, every term is looked for."""
    words = await _words(tx, scope, kind, asked, project_ids)
    if not words.weights:
        return Chosen(kind, words, [], limit)
    sought = words.weights if among else _telling(words)
    # What the commoner terms add may lift a text from behind.
    take = limit if len(sought) == len(words.weights) else 2 * limit
    by_project = words.part < SMALL_PART
    ids = await store.match(
        tx, scope, kind, sought, words.mean_length, project_ids, take, among, by_project=by_project
    )
    return Chosen(kind, words, ids, limit)


async def count(tx: Tx, scope: Scope, chosen: Chosen, also: Sequence[UUID] = ()) -> Matches:
    """How often which words stand in what was chosen, and in texts that were found otherwise."""
    words, ids = chosen.words, dict.fromkeys((*chosen.ids, *also))
    if not words.weights or not ids:
        return Matches([], {}, words.mean_length)
    found: dict[UUID, Match] = {}
    rows = await store.counts(tx, scope, chosen.kind, list(words.weights), list(ids))
    for term, owners, counts, lengths in rows:
        for id, tf, length in zip(owners, counts, lengths, strict=True):
            match = found.get(id) or found.setdefault(id, Match(id, length))
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
    return Matches(kept, weights, words.mean_length)


def _score(match: Match, words: Words) -> float:
    return sum(
        words.weights[term] * gain(tf, match.length, words.mean_length)
        for term, tf in match.counts.items()
    )


async def _words(
    tx: Tx, scope: Scope, kind: str, asked: Sequence[str], project_ids: Sequence[UUID] | None
) -> Words:
    if not asked:
        return Words({}, {}, 1.0)
    place = (scope.tenant_id, kind, None if project_ids is None else tuple(project_ids))
    known = _commonness.known(place, asked)
    unknown = [term for term in asked if term not in known]
    rows = await store.frequencies(tx, scope, kind, unknown, project_ids, COUNTED)
    texts, terms = max(rows[0]["texts"], 1.0), max(rows[0]["terms"], 1.0)
    if not _commonness.holds(place, texts):
        return await _words(tx, scope, kind, asked, project_ids)
    counted = {row["term"]: row["frequency"] for row in rows if row["term"] and row["frequency"]}
    _commonness.note(place, texts, counted)
    frequencies = dict(sorted((known | counted).items(), key=lambda each: each[1]))
    weights = {term: rarity(texts, _estimated(each, texts)) for term, each in frequencies.items()}
    return Words(weights, frequencies, terms / texts, texts / max(rows[0]["all_texts"], 1.0))


def _estimated(frequency: int, texts: float) -> float:
    """Where the counting ended early it may be in all texts; it weighs little in any case."""
    return frequency if frequency < COUNTED else math.sqrt(frequency * max(texts, frequency))


def _telling(words: Words) -> dict[str, float]:
    """The rarest terms, as many as bring enough to choose from. What has only commoner ones is not
    among the best, and their lists would cost more than all the rest."""
    sought, read = {}, 0
    for term, frequency in words.frequencies.items():
        if sought and read + frequency > ENOUGH:
            break
        sought[term], read = words.weights[term], read + frequency
    return sought
