"""Find by word: BM25 over one tenant's postings."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from remem.core.db import Row, Tx
from remem.core.index import store
from remem.core.index.bm25 import gain, rarity
from remem.core.index.tokens import query_terms
from remem.core.ports import Among
from remem.core.scope import Scope

# How many postings of the rarest terms are enough to choose the best texts from.
ENOUGH = 2_000
# How far the texts of a term are counted; the cost of a very common one ends there.
COUNTED = 10_000


@dataclass(slots=True)
class Match:
    """A text and how often the terms stand in it. The score has no upper end; it is 0 for what was
    found otherwise."""

    id: UUID
    score: float
    length: int
    counts: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Matches:
    """What shares words with the query, best first, and what those words weigh here."""

    found: list[Match]
    weights: dict[str, float]
    mean_length: float


async def match_words(
    tx: Tx,
    scope: Scope,
    kind: str,
    query: str,
    project_ids: Sequence[UUID] | None,
    limit: int,
) -> Matches:
    return await match_terms(tx, scope, kind, query_terms(query), project_ids, limit)


async def match_terms(
    tx: Tx,
    scope: Scope,
    kind: str,
    asked: Sequence[str],
    project_ids: Sequence[UUID] | None,
    limit: int,
    among: Among | None = None,
    also: Sequence[UUID] = (),
) -> Matches:
    """`also` are texts found otherwise: their words are counted with the rest.

    A filter narrows what is given, not what terms weigh; under one, every term is looked for."""
    words = await _words(tx, scope, kind, asked, project_ids)
    if not words.weights:
        return Matches([], {}, 1.0)
    sought = words.weights if among else _telling(words)
    common = [term for term in words.weights if term not in sought]
    # What the commoner terms add may lift a text from behind.
    take = 2 * limit if common else limit
    rows = await store.match(
        tx, scope, kind, sought, words.mean_length, project_ids, take, among, also
    )
    found = _gathered(rows)
    if common:
        _add(found, await store.counts(tx, scope, kind, common, [*found, *also]), words)
    return _best(found.values(), words, limit, frozenset(also))


def _best(found: Iterable[Match], words: "_Words", limit: int, also: frozenset[UUID]) -> Matches:
    ordered = sorted(found, key=lambda match: (-match.score, -match.id.int))
    kept = [match for place, match in enumerate(ordered) if place < limit or match.id in also]
    present = {term for match in kept for term in match.counts}
    weights = {term: weight for term, weight in words.weights.items() if term in present}
    return Matches(kept, weights, words.mean_length)


@dataclass(frozen=True, slots=True)
class _Words:
    """The terms that stand somewhere, rarest first: what each weighs, in how many texts it is."""

    weights: dict[str, float]
    frequencies: dict[str, int]
    mean_length: float


async def _words(
    tx: Tx, scope: Scope, kind: str, asked: Sequence[str], project_ids: Sequence[UUID] | None
) -> _Words:
    rows = await store.frequencies(tx, scope, kind, asked, project_ids, COUNTED) if asked else []
    rows = sorted((row for row in rows if row["frequency"]), key=lambda row: row["frequency"])
    texts = max(rows[0]["texts"], 1.0) if rows else 1.0
    mean_length = max(rows[0]["terms"], 1.0) / texts if rows else 1.0
    return _Words(
        {row["term"]: rarity(texts, _estimated(row["frequency"], texts)) for row in rows},
        {row["term"]: row["frequency"] for row in rows},
        mean_length,
    )


def _estimated(frequency: int, texts: float) -> float:
    """Where the counting ended early it may be in all texts; it weighs little in any case."""
    return frequency if frequency < COUNTED else math.sqrt(frequency * max(texts, frequency))


def _telling(words: _Words) -> dict[str, float]:
    """The rarest terms, as many as bring enough to choose from. What has only commoner ones is not
    among the best, and their lists would cost more than all the rest."""
    sought, read = {}, 0
    for term, frequency in words.frequencies.items():
        if sought and read + frequency > ENOUGH:
            break
        sought[term], read = words.weights[term], read + frequency
    return sought


def _gathered(rows: Sequence[Row]) -> dict[UUID, Match]:
    found: dict[UUID, Match] = {}
    for id, terms, counts, length, score in rows:
        found[id] = Match(id, score, length, dict(zip(terms, counts, strict=True)))
    return found


def _add(found: dict[UUID, Match], rows: Sequence[Row], words: _Words) -> None:
    """What the commoner terms add to texts that were found without them."""
    for row in rows:
        id, term, tf, length = row["owner_id"], row["term"], row["tf"], row["length"]
        match = found.get(id) or found.setdefault(id, Match(id, 0.0, length))
        match.counts[term] = tf
        if match.score:
            match.score += words.weights[term] * gain(tf, length, words.mean_length)
