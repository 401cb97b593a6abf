"""Raise documents whose titles the first results mention, as one note mentions another."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from uuid import UUID

import numpy as np

from remem.core.search import store
from remem.core.search.evidence import Evidence, Floats, Pool
from remem.core.search.model import Ranked
from remem.core.search.policy import POLICY
from remem.core.search.titles import phrase_of, words_in
from remem.core.transaction import Tx


async def add_named(
    tx: Tx, pool: Pool, evidence: Evidence, ranked: Sequence[Ranked]
) -> Evidence | None:
    """The evidence including the titles that the first results mention; None if they mention
    none."""
    titles = _best_with_title(pool, ranked)
    first = [result for result in ranked[: POLICY.naming_first] if result.chunk_id]
    if not first or not titles:
        return None
    ids = [result.chunk_id for result in first if result.chunk_id]
    texts = {id: text for id, (text, _) in (await store.texts(tx, ids)).items()}
    scores = score_named(pool, titles, first, texts)
    return add_named_evidence(evidence, scores) if scores.any() else None


def score_named(
    pool: Pool,
    titles: Sequence[tuple[int, str]],
    first: Sequence[Ranked],
    texts: Mapping[UUID, str],
) -> Floats:
    """The score of the best result that mentions each candidate's document; a document that
    mentions its own title mentions no other document with the same title."""
    scores = np.zeros(len(pool.features))
    own_titles = {pool.features[n].document_id: phrase for n, phrase in titles}
    for result in first:
        words = words_in(texts.get(result.chunk_id, "")) if result.chunk_id else ""
        for n, phrase in titles:
            if phrase in words and phrase != own_titles.get(result.group_id):
                scores[n] = max(scores[n], result.score)
    return scores


def _best_with_title(pool: Pool, ranked: Sequence[Ranked]) -> list[tuple[int, str]]:
    """The best candidate of each document that has a title, and the words of the title."""
    positions = {item.id: n for n, item in enumerate(pool.features)}
    best: dict[UUID, int] = {}
    for result in ranked:
        if result.chunk_id in positions:
            best.setdefault(result.group_id, positions[result.chunk_id])
    phrases = ((n, phrase_of(pool.features[n].title)) for n in best.values())
    return [(n, phrase) for n, phrase in phrases if phrase]


def add_named_evidence(evidence: Evidence, named: Floats) -> Evidence:
    part = POLICY.evidence["named"] * named
    return replace(
        evidence,
        total=evidence.total + part,
        parts={**evidence.parts, "named": part},
        matches_any_term=evidence.matches_any_term | (named > 0),
    )
