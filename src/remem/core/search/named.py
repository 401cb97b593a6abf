"""Documents that the first results name by their titles, as one note names another."""

from collections.abc import Mapping, Sequence
from uuid import UUID

import numpy as np

from remem.core.db import Tx
from remem.core.scope import Scope
from remem.core.search import store
from remem.core.search.evidence import Evidence, Floats, Pool
from remem.core.search.model import Ranked
from remem.core.search.policy import POLICY
from remem.core.search.titles import phrase_of, words_in


async def add_named(
    tx: Tx, scope: Scope, pool: Pool, evidence: Evidence, ranked: Sequence[Ranked]
) -> Evidence | None:
    """The evidence with what the first results name; None where they name nothing."""
    titled = _titled(pool, ranked)
    first = [one for one in ranked[: POLICY.naming_first] if one.chunk_id]
    if not first or not titled:
        return None
    ids = [one.chunk_id for one in first if one.chunk_id]
    texts = {id: text for id, (text, _) in (await store.texts(tx, scope, ids)).items()}
    named = named_in(pool, titled, first, texts)
    return with_named(evidence, named) if named.any() else None


def named_in(
    pool: Pool,
    titled: Sequence[tuple[int, str]],
    first: Sequence[Ranked],
    texts: Mapping[UUID, str],
) -> Floats:
    """For each candidate the score of the best that names its document; what has a title names
    itself by it, and no other of the same title."""
    found = np.zeros(len(pool.features))
    own = {pool.features[n].document_id: phrase for n, phrase in titled}
    for one in first:
        said = words_in(texts.get(one.chunk_id, "")) if one.chunk_id else ""
        for n, phrase in titled:
            if phrase in said and phrase != own.get(one.group_id):
                found[n] = max(found[n], one.score)
    return found


def _titled(pool: Pool, ranked: Sequence[Ranked]) -> list[tuple[int, str]]:
    """The best candidate of each document that has a title, and the words of the title."""
    at = {item.id: n for n, item in enumerate(pool.features)}
    best: dict[UUID, int] = {}
    for one in ranked:
        if one.chunk_id in at:
            best.setdefault(one.group_id, at[one.chunk_id])
    phrases = ((n, phrase_of(pool.features[n].title)) for n in best.values())
    return [(n, phrase) for n, phrase in phrases if phrase]


def with_named(evidence: Evidence, named: Floats) -> Evidence:
    part = POLICY.evidence["named"] * named
    return Evidence(
        evidence.total + part,
        {**evidence.parts, "named": part},
        evidence.matches_any_term | (named > 0),
        evidence.telling,
        evidence.by_name,
    )
