"""Read the first of what was found once more, each together with the query, and put them in order.

Their scores stay what they were, in the new order, so that they remain above what was not read."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple
from uuid import UUID

import numpy as np
import structlog

from remem.core.db import Tx
from remem.core.errors import Unavailable
from remem.core.memories.browse import read_many
from remem.core.model_ports import Reader
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.search import store
from remem.core.search.evidence import Floats, z
from remem.core.search.model import Order, Query, Ranked
from remem.core.search.passage import passage
from remem.core.search.policy import POLICY, Policy

# As the reader was trained: the end of the turn before, and what divides the two.
BEFORE_CHARS = 200
DIVIDED = " / "

log = structlog.get_logger()


class RankedText(NamedTuple):
    """What is read of a place, and the end of the turn before it in a talk."""

    said: str
    before: str = ""

    @property
    def whole(self) -> str:
        return f"{self.before}{DIVIDED}{self.said}" if self.before else self.said


async def rerank(ports: Ports, tx: Tx, scope: Scope, query: Query, order: Order) -> Order:
    """The order by the reader too; as it was, and not to be kept, where there is none."""
    if not order.ranked:
        return order
    if ports.reader is None:
        return _unread(order)
    texts = await _texts(tx, scope, query, order.ranked[: POLICY.talk_first])
    talks = is_talk(texts)
    texts = texts[: how_many(texts) if talks else POLICY.reader_first]
    first, rest = order.ranked[: len(texts)], order.ranked[len(texts) :]
    try:
        relevance = await ports.reader.rank(query.text, [text.whole for text in texts])
    except Unavailable as error:
        log.warning("reader_unused", error=str(error))
        return _unread(order)
    places = by_relevance(first, relevance, talks=talks)
    if talks:
        places = await _by_answers(ports.reader, query.text, first, relevance, texts, places)
    ranked = [*reordered(first, relevance, places), *rest]
    surplus = order.surplus + reader_surplus(relevance)
    return _above_floor(replace(order, ranked=ranked), surplus)


def _unread(order: Order) -> Order:
    return replace(_above_floor(order, order.surplus), mode="balanced", is_whole=False)


def reader_surplus(relevance: Sequence[float], policy: Policy = POLICY) -> float:
    """What the most relevant text says for, or against, that anything answers."""
    return policy.reader_floor * (max(relevance) - policy.reader_floor_from)


def _above_floor(order: Order, surplus: float) -> Order:
    """All weak where nothing stands out."""
    if surplus >= 0:
        return order
    return replace(order, ranked=[one._replace(is_weak=True) for one in order.ranked])


def is_talk(texts: Sequence[RankedText]) -> bool:
    """Whether most of the first are turns of a talk."""
    first = texts[: POLICY.reader_first]
    return 2 * sum(bool(text.before) for text in first) > len(first)


def how_many(texts: Sequence[RankedText]) -> int:
    """As many as there are characters for, and no fewer than of other texts."""
    total = np.cumsum([len(text.whole) for text in texts])
    return max(POLICY.reader_first, int((total <= POLICY.talk_chars).sum()))


def by_relevance(
    ranked: Sequence[Ranked], relevance: Sequence[float], *, talks: bool = False
) -> list[int]:
    """By both scores, each in standard deviations of those that were read; pure."""
    scores = [one.score for one in ranked]
    if not talks:
        return _best_first(_mixed(scores, relevance, POLICY.reader_weight))
    mixed = _mixed(scores, relevance, POLICY.talk_weight)
    return _best_first(mixed + session_gain([one.group_id for one in ranked], mixed))


def session_gain(sessions: Sequence[object], mixed: Floats) -> Floats:
    """What the best of the other turns of its session adds to each turn; pure."""
    turns = list(enumerate(zip(sessions, mixed.tolist(), strict=True)))
    best = [
        max((score for m, (other, score) in turns if other == session and m != n), default=0.0)
        for n, (session, _) in turns
    ]
    return POLICY.talk_session * np.clip(best, 0, None)


async def _by_answers(
    reader: Reader,
    question: str,
    ranked: Sequence[Ranked],
    relevance: Sequence[float],
    texts: Sequence[RankedText],
    places: Sequence[int],
) -> list[int]:
    """Rerank the first results by the answers in each; unchanged without a reader."""
    first = places[: POLICY.talk_again]
    try:
        spans = await reader.read(question, [texts[n].said for n in first])
    except Unavailable as error:
        log.warning("reader_unused", error=str(error))
        return list(places)
    odds = np.full(len(first), POLICY.least_odds)
    for span in spans:
        odds[span.text] = max(float(odds[span.text]), _odds(span.confidence))
    scores = [one.score for one in ranked]
    gain = session_gain(
        [one.group_id for one in ranked], _mixed(scores, relevance, POLICY.talk_weight)
    )
    said = z(np.array([relevance[n] for n in first])) + POLICY.talk_answer * z(odds)
    again = _mixed([scores[n] for n in first], said, POLICY.talk_weight) + gain[list(first)]
    return [*(first[n] for n in _best_first(again)), *places[POLICY.talk_again :]]


def _mixed(scores: Sequence[float], read: Sequence[float] | Floats, weight: float) -> Floats:
    return (1 - weight) * z(np.array(scores)) + weight * z(np.array(read))


def _best_first(scores: Floats) -> list[int]:
    return np.argsort(-scores, kind="stable").tolist()


def _odds(confidence: float) -> float:
    share = min(max(confidence, 1e-9), 1 - 1e-9)
    return math.log(share / (1 - share))


def reordered(
    ranked: Sequence[Ranked], relevance: Sequence[float], places: Sequence[int]
) -> list[Ranked]:
    return [_scored(ranked[n], relevance[n], ranked[at].score) for at, n in enumerate(places)]


def _scored(one: Ranked, relevance: float, score: float) -> Ranked:
    parts = one.parts._replace(relevance=relevance, reader=score - one.score)
    return one._replace(score=score, parts=parts)


async def _texts(tx: Tx, scope: Scope, query: Query, ranked: Sequence[Ranked]) -> list[RankedText]:
    """What each says: of a talk with the end of the turn before, of a long text the part that has
    most of the query's words."""
    chunks = await store.texts(tx, scope, [one.chunk_id for one in ranked if one.chunk_id])
    lone = [one.memory_ids[0] for one in ranked if _is_lone(one)]
    memories = await read_many(tx, scope, lone)
    return [
        RankedText(memories[one.memory_ids[0]].content)
        if _is_lone(one) and one.memory_ids[0] in memories
        else _read(query.text, chunks, one.chunk_id)
        for one in ranked
    ]


def _is_lone(one: Ranked) -> bool:
    return one.group_id in one.memory_ids


def _read(query: str, chunks: dict[UUID, tuple[str, str | None]], id: UUID | None) -> RankedText:
    text, before = chunks.get(id, ("", None)) if id else ("", None)
    return RankedText(passage(text, query), (before or "")[-BEFORE_CHARS:])
