"""Read the first of what was found once more, each together with the query, and put them in order.

Their scores stay what they were, in the new order, so that they remain above what was not read."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

import numpy as np
import structlog

from remem.core.db import Tx
from remem.core.errors import Unavailable
from remem.core.memories.browse import read_many
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.search import store
from remem.core.search.evidence import z
from remem.core.search.model import Order, Query, Ranked
from remem.core.search.passage import passage
from remem.core.search.policy import POLICY

# As the reader was trained: the end of the turn before, and what divides the two.
BEFORE_CHARS = 200
DIVIDED = " / "

log = structlog.get_logger()


async def rerank(ports: Ports, tx: Tx, scope: Scope, query: Query, order: Order) -> Order:
    """The order by the reader too; as it was, and not to be kept, where there is none."""
    first, rest = order.ranked[: POLICY.reader_first], order.ranked[POLICY.reader_first :]
    if not first:
        return order
    if ports.reader is None:
        return replace(order, mode="balanced", is_whole=False)
    texts = await _texts(tx, scope, query, first)
    try:
        relevance = await ports.reader.rank(query.text, texts)
    except Unavailable as error:
        log.warning("reader_unused", error=str(error))
        return replace(order, mode="balanced", is_whole=False)
    return replace(order, ranked=[*reordered(first, relevance), *rest])


def reordered(ranked: Sequence[Ranked], relevance: Sequence[float]) -> list[Ranked]:
    """By both scores, each in standard deviations of those that were read; pure."""
    weight = POLICY.reader_weight
    found = z(np.array([one.score for one in ranked]))
    mixed = (1 - weight) * found + weight * z(np.array(relevance))
    order = np.argsort(-mixed, kind="stable").tolist()
    return [_scored(ranked[n], relevance[n], ranked[at].score) for at, n in enumerate(order)]


def _scored(one: Ranked, relevance: float, score: float) -> Ranked:
    parts = one.parts._replace(relevance=relevance, reader=score - one.score)
    return one._replace(score=score, parts=parts)


async def _texts(tx: Tx, scope: Scope, query: Query, ranked: Sequence[Ranked]) -> list[str]:
    """What each says: of a talk with the end of the turn before, of a long text the part that has
    most of the query's words."""
    chunks = await store.texts(tx, scope, [one.chunk_id for one in ranked if one.chunk_id])
    lone = [one.memory_ids[0] for one in ranked if _is_lone(one)]
    memories = await read_many(tx, scope, lone)
    return [
        memories[one.memory_ids[0]].content
        if _is_lone(one) and one.memory_ids[0] in memories
        else _read(query.text, chunks, one.chunk_id)
        for one in ranked
    ]


def _is_lone(one: Ranked) -> bool:
    return one.group_id in one.memory_ids


def _read(query: str, chunks: dict[UUID, tuple[str, str | None]], id: UUID | None) -> str:
    text, before = chunks.get(id, ("", None)) if id else ("", None)
    said = passage(text, query)
    return f"{before[-BEFORE_CHARS:]}{DIVIDED}{said}" if before else said
