"""Score the first results again with the reader, each together with the query, and reorder them.

The scores themselves stay and are reassigned in the new order, so that these results remain above
the unread ones."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple
from uuid import UUID

import numpy as np
import structlog

from remem.core.errors import Unavailable
from remem.core.memories.browse import read_many
from remem.core.model_ports import Reader
from remem.core.ports import Ports
from remem.core.search import store
from remem.core.search.evidence import Floats, z
from remem.core.search.floor import relevance_when_read
from remem.core.search.model import Query, Ranked, Ranking
from remem.core.search.passage import passage
from remem.core.search.policy import POLICY, Policy
from remem.core.transaction import Tx

# The format the reader was trained on: the end of the previous turn, a separator, the text.
BEFORE_CHARS = 200
SEPARATOR = " / "

log = structlog.get_logger()


class RankedText(NamedTuple):
    """The text of a result, and the end of the previous turn in a conversation."""

    text: str
    previous: str = ""

    @property
    def reader_input(self) -> str:
        return f"{self.previous}{SEPARATOR}{self.text}" if self.previous else self.text


async def rerank(ports: Ports, tx: Tx, query: Query, ranking: Ranking) -> Ranking:
    """Rank with the reader too. Without one, the ranking is unchanged and must not be cached."""
    if not ranking.ranked:
        return ranking
    if ports.reader is None:
        return _without_reader(ranking)
    texts = await load_texts(tx, query, ranking.ranked[: POLICY.talk_first])
    is_conversation = is_talk(texts)
    texts = texts[: max_texts(texts) if is_conversation else POLICY.reader_first]
    read, rest = ranking.ranked[: len(texts)], ranking.ranked[len(texts) :]
    try:
        relevance = await ports.reader.rank(query.text, [text.reader_input for text in texts])
    except Unavailable as error:
        log.warning("reader_unused", error=str(error))
        return _without_reader(ranking)
    places = by_relevance(read, relevance, talks=is_conversation)
    if is_conversation:
        places = await _rerank_by_answers(ports.reader, query.text, read, relevance, texts, places)
    read = _with_relevance(read, relevance)
    ranked = [*reorder(read, relevance, places), *rest]
    margin = ranking.margin + reader_margin(relevance)
    return _above_floor(replace(ranking, ranked=ranked), margin)


def _without_reader(ranking: Ranking) -> Ranking:
    return replace(_above_floor(ranking, ranking.margin), mode="balanced", is_complete=False)


def reader_margin(relevance: Sequence[float], policy: Policy = POLICY) -> float:
    """What the most relevant text adds to the margin, or subtracts from it."""
    return policy.reader_floor * (max(relevance) - policy.reader_floor_from)


def _above_floor(ranking: Ranking, margin: float) -> Ranking:
    """Mark all results as weak if none stands out."""
    if margin >= 0:
        return ranking
    return replace(ranking, ranked=[result._replace(is_weak=True) for result in ranking.ranked])


def is_talk(texts: Sequence[RankedText]) -> bool:
    """Whether most of the first texts are turns of a conversation."""
    first = texts[: POLICY.reader_first]
    return 2 * sum(bool(text.previous) for text in first) > len(first)


def max_texts(texts: Sequence[RankedText]) -> int:
    """How many texts fit into the character budget; never fewer than for other texts."""
    total = np.cumsum([len(text.reader_input) for text in texts])
    return max(POLICY.reader_first, int((total <= POLICY.talk_chars).sum()))


def by_relevance(
    ranked: Sequence[Ranked], relevance: Sequence[float], *, talks: bool = False
) -> list[int]:
    """The order by both scores, each in standard deviations of the texts that were read; pure."""
    scores = [result.score for result in ranked]
    if not talks:
        return _descending(_combine(scores, relevance, POLICY.reader_weight))
    combined = _combine(scores, relevance, POLICY.talk_weight)
    return _descending(combined + session_gain([result.group_id for result in ranked], combined))


def session_gain(sessions: Sequence[object], combined: Floats) -> Floats:
    """What the best of the other turns of its session adds to each turn; pure."""
    turns = list(enumerate(zip(sessions, combined.tolist(), strict=True)))
    best = [
        max((score for m, (other, score) in turns if other == session and m != n), default=0.0)
        for n, (session, _) in turns
    ]
    return POLICY.talk_session * np.clip(best, 0, None)


async def _rerank_by_answers(
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
        spans = await reader.read(question, [texts[n].text for n in first])
    except Unavailable as error:
        log.warning("reader_unused", error=str(error))
        return list(places)
    odds = np.full(len(first), POLICY.min_log_odds)
    for span in spans:
        odds[span.text] = max(float(odds[span.text]), _log_odds(span.confidence))
    scores = [result.score for result in ranked]
    gain = session_gain(
        [result.group_id for result in ranked], _combine(scores, relevance, POLICY.talk_weight)
    )
    relevance_and_answers = z(np.array([relevance[n] for n in first])) + POLICY.talk_answer * z(
        odds
    )
    combined = (
        _combine([scores[n] for n in first], relevance_and_answers, POLICY.talk_weight)
        + gain[list(first)]
    )
    return [*(first[n] for n in _descending(combined)), *places[POLICY.talk_again :]]


def _combine(
    scores: Sequence[float], reader_scores: Sequence[float] | Floats, weight: float
) -> Floats:
    return (1 - weight) * z(np.array(scores)) + weight * z(np.array(reader_scores))


def _descending(scores: Floats) -> list[int]:
    return np.argsort(-scores, kind="stable").tolist()


def _log_odds(confidence: float) -> float:
    clamped = min(max(confidence, 1e-9), 1 - 1e-9)
    return math.log(clamped / (1 - clamped))


def reorder(
    ranked: Sequence[Ranked], relevance: Sequence[float], places: Sequence[int]
) -> list[Ranked]:
    return [
        _with_reader_score(ranked[n], relevance[n], ranked[position].score)
        for position, n in enumerate(places)
    ]


def _with_relevance(ranked: Sequence[Ranked], scores: Sequence[float]) -> list[Ranked]:
    """Their relevance when read, which then decides instead of the cosine whether they are weak."""
    relevance = relevance_when_read(np.array([result.relevance for result in ranked]), scores)
    return [
        result._replace(relevance=value, is_weak=result.is_weak and not result.is_judged_alone)
        for result, value in zip(ranked, relevance.tolist(), strict=True)
    ]


def _with_reader_score(result: Ranked, relevance: float, score: float) -> Ranked:
    parts = result.parts._replace(relevance=relevance, reader=score - result.score)
    return result._replace(score=score, parts=parts)


async def load_texts(tx: Tx, query: Query, ranked: Sequence[Ranked]) -> list[RankedText]:
    """The text of each result: for a conversation with the end of the previous turn, for a long
    text the passage with most of the query's words."""
    chunks = await store.texts(tx, [result.chunk_id for result in ranked if result.chunk_id])
    lone = [result.memory_ids[0] for result in ranked if _is_lone(result)]
    memories = await read_many(tx, lone)
    return [
        RankedText(memories[result.memory_ids[0]].content)
        if _is_lone(result) and result.memory_ids[0] in memories
        else _chunk_text(query.text, chunks, result.chunk_id)
        for result in ranked
    ]


def _is_lone(result: Ranked) -> bool:
    return result.group_id in result.memory_ids


def _chunk_text(
    query: str, chunks: dict[UUID, tuple[str, str | None]], id: UUID | None
) -> RankedText:
    text, previous = chunks.get(id, ("", None)) if id else ("", None)
    return RankedText(passage(text, query), (previous or "")[-BEFORE_CHARS:])
