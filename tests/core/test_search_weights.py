"""The limits and weights of reading, searching and following links: each number has a case that
fails when the number is doubled. None of them needs a store."""

import json
from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any
from uuid import UUID, uuid4

import numpy as np
import pytest

from remem.core.chunking.split import estimate_tokens
from remem.core.graph.model import Link
from remem.core.index.bm25 import bm25
from remem.core.readings import Span
from remem.core.search import expand, rerank, signals
from remem.core.search.evidence import _neighbour_positions, _words_around, weigh
from remem.core.search.fuse import _reciprocal
from remem.core.search.model import Query, Ranked, ScoreParts
from remem.core.search.plan import Plan
from remem.core.search.policy import POLICY
from remem.core.search.prompts import Variants
from remem.core.search.rerank import RankedText
from remem.core.search.strategies import STRATEGIES
from remem.core.search.variants import VARIANT_CHARS, VARIANTS, _clean_queries, _fuse_ranks
from tests.core.pools import NOW, PoolEntry, pool_of

pytestmark = pytest.mark.anyio

PLAN = Plan("harbour", "harbour")
UNUSED: Any = None


class Requested(Exception):
    """Stops the search and carries the number that was requested."""


def ranked(scores: Sequence[float]) -> list[Ranked]:
    ids = [UUID(int=n + 1) for n in range(len(scores))]
    return [
        Ranked(id, id, score, ScoreParts(), "memory", None, (id,))
        for id, score in zip(ids, scores, strict=True)
    ]


# The reader


async def test_forty_texts_of_a_conversation_are_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    async def texts(*args: Any) -> None:
        raise Requested(len(args[-1]))

    monkeypatch.setattr(rerank, "load_texts", texts)
    ports: Any = SimpleNamespace(reader=object())
    order: Any = SimpleNamespace(ranked=ranked([0.5] * 80))
    with pytest.raises(Requested, match=r"^40$"):
        await rerank.rerank(ports, UNUSED, Query("x"), order)


class Reader:
    """Answers with these confidences, by the number of the text."""

    def __init__(self, confidence: dict[int, float]) -> None:
        self.confidence, self.read_texts = confidence, 0

    async def read(self, _: str, texts: Sequence[str]) -> list[Span]:
        self.read_texts = len(texts)
        return [Span(at, 0, 1, share) for at, share in self.confidence.items()]


async def by_answers(relevance: Sequence[float], confidence: dict[int, float]) -> list[int]:
    count = len(relevance)
    texts, reader = [RankedText("a", "b")] * count, Reader(confidence)
    places = await rerank._rerank_by_answers(
        reader,  # type: ignore[arg-type]
        "who?",
        ranked([0.5] * count),
        relevance,
        texts,
        range(count),
    )
    assert reader.read_texts == min(count, 12)
    return places


async def test_an_answer_counts_a_quarter_of_the_relevance() -> None:
    assert (await by_answers([1.0, 0.75, 0.0], {1: 0.99}))[0] == 0
    assert (await by_answers([1.0, 0.79, 0.0], {1: 0.99}))[0] == 1


async def test_a_text_without_an_answer_is_twelve_below_even_odds() -> None:
    """The lower it is, the less the confidence of two answers counts."""
    assert (await by_answers([0.0, 1.0, 0.922], {1: 0.5, 2: 0.9933}))[0] == 2
    assert (await by_answers([0.0, 1.0, 0.918], {1: 0.5, 2: 0.9933}))[0] == 1


async def test_twelve_texts_of_a_conversation_are_read_for_answers() -> None:
    assert (await by_answers([0.5] * 40, {}))[12:] == list(range(12, 40))


async def test_a_turn_gains_a_fifth_of_the_best_other_turn_of_its_session() -> None:
    gain = rerank.session_gain(["a", "b", "a", "b", "c"], np.array([2.0, -1.0, 0.5, -2.0, 3.0]))
    assert gain.tolist() == pytest.approx([0.1, 0.0, 0.4, 0.0, 0.0])


async def test_of_two_similar_turns_the_one_in_the_session_with_the_answer_is_first() -> None:
    scores, relevance = [0.9, 0.5, 0.5, 0.1], [3.0, 1.0, 1.0, 0.0]
    turns = ranked(scores)
    turns[2] = turns[2]._replace(group_id=turns[0].group_id)
    assert rerank.by_relevance(turns, relevance, talks=True) == [0, 2, 1, 3]
    assert rerank.by_relevance(turns, relevance) == [0, 1, 2, 3], "notes have no session"
    places = await rerank._rerank_by_answers(
        Reader({}),  # type: ignore[arg-type]
        "who?",
        turns,
        relevance,
        [RankedText("a", "b")] * 4,
        range(4),
    )
    assert places == [0, 2, 1, 3]


def test_two_hundred_characters_of_the_previous_turn_are_read() -> None:
    id = uuid4()
    assert len(rerank._chunk_text("x", {id: ("said", "y" * 900)}, id).previous) == 200


# Turns and threads


@pytest.mark.parametrize(("place", "share"), [(0, 0.25), (1, 0.5), (3, 0.25), (4, 0.0)])
def test_the_words_of_a_turn_count_for_the_turns_around_it(place: int, share: float) -> None:
    """Measured at the turn at place 2."""
    here = UUID(int=1)
    turns = [
        PoolEntry(tf=(int(n == place) * 4,), speaker="ann", thread_id=here, place=n)
        for n in range(5)
    ]
    pool = pool_of(turns)
    pool = replace(pool, length=np.array([float(n == place) for n in range(5)]))
    score = _words_around(pool, _neighbour_positions(pool.features, POLICY), POLICY)[2]
    alone = bm25(np.array([[share * 4]]), np.array([share]), pool.weight, 1.0)[0]
    assert score == pytest.approx(alone)


@pytest.mark.parametrize(("chars", "has_neighbour"), [(600, True), (601, False)])
def test_only_short_turns_have_neighbours(chars: int, has_neighbour: bool) -> None:
    turns = [
        PoolEntry(speaker="ann", thread_id=UUID(int=1), place=n, chars=chars) for n in range(2)
    ]
    near = _neighbour_positions(pool_of(turns).features, POLICY)
    assert bool(near[-1][1] == 0) is has_neighbour


def test_the_best_three_turns_count_for_their_thread() -> None:
    few = [PoolEntry(0.9, thread_id=UUID(int=1), place=n) for n in range(3)]
    many = [PoolEntry(0.8, thread_id=UUID(int=2), place=n) for n in range(6)]
    rest = [PoolEntry(0.1, thread_id=UUID(int=10 + n)) for n in range(12)]
    part = weigh(pool_of([*few, *many, *rest]), PLAN).parts["thread_score"]
    assert part[0] > part[3] > 0


@pytest.mark.parametrize(("asks", "counts"), [(0.35, True), (0.25, False)])
def test_a_turn_that_is_three_tenths_question_counts_for_its_answer(
    asks: float, counts: bool
) -> None:
    here = UUID(int=1)
    question = PoolEntry(0.9, (2,), "bob", here, place=4, asks=asks)
    answer = PoolEntry(0.1, (0,), "bob", here, place=5)
    part = weigh(pool_of([question, answer]), PLAN).parts["answers"]
    assert bool(part[1] > 0) is counts


# Ranks


def test_words_count_three_times_in_reciprocal_ranks() -> None:
    """First by meaning and second by word comes before fifth by meaning and first by word."""
    vector = np.array([0.9, 0.5, 0.8, 0.7, 0.6])
    text = np.array([0.8, 0.9, 0.7, 0.6, 0.5])
    scores = _reciprocal(vector, text, np.zeros(5), POLICY)
    assert scores[0] > scores[1]


@pytest.mark.parametrize(("variants", "first"), [(1, "asked"), (3, "reworded")])
def test_the_original_query_counts_as_much_as_two_variants(variants: int, first: str) -> None:
    original, variant = (SimpleNamespace(id=uuid4(), name=name) for name in ("asked", "reworded"))
    assert _fuse_ranks([[original], *[[variant]] * variants])[0].name == first


def test_three_variants_of_three_hundred_characters_are_kept_and_fit_into_an_answer() -> None:
    longest = [f"{n} " + "word " * 59 + "end" for n in range(5)]
    assert {len(query) for query in longest} == {300} and VARIANT_CHARS == 300
    assert _clean_queries(Variants([*longest, "x" * 301]), "asked") == longest[:3] and VARIANTS == 3
    tokens = estimate_tokens(json.dumps({"queries": longest[:3]}))
    assert tokens <= Variants.answer_tokens < 2 * tokens


# Links


def fake_links(
    monkeypatch: pytest.MonkeyPatch, links: list[Link], companions: list[Link]
) -> list[int]:
    """Fake the links of memories; return a list that gets the number of memories followed."""
    followed: list[int] = []

    async def links_of(*args: Any) -> list[Link]:
        followed.append(len(args[2]))
        return links

    async def companions_of(*_: Any) -> list[Link]:
        return companions

    async def features(*args: Any) -> list[Any]:
        entries = pool_of([PoolEntry() for _ in args[2]]).features
        return [entry._replace(id=id) for entry, id in zip(entries, args[2], strict=True)]

    monkeypatch.setattr(expand, "links_of", links_of)
    monkeypatch.setattr(expand, "companions_of", companions_of)
    monkeypatch.setattr(expand.store, "features", features)
    return followed


def to_new(first: UUID, count: int) -> list[Link]:
    return [Link("memory", first, "memory", uuid4(), "related") for _ in range(count)]


async def test_linked_memories_get_half_of_the_score_and_those_with_common_names_less(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    order = ranked([1.0] * 25)
    links, companions = to_new(order[0].id, 1), to_new(order[0].id, 40)
    followed = fake_links(monkeypatch, links, companions)
    results = await expand.expand(UNUSED, order, UNUSED)
    assert followed == [10]
    scores = {result.id: result.score for result in results}
    assert scores[links[0].to_id] == pytest.approx(0.5)
    reached = [scores[link.to_id] for link in companions if link.to_id in scores]
    assert reached == pytest.approx([0.4] * 30)


# Strategies


@pytest.mark.parametrize(
    ("mode", "pool", "in_time"),
    [("fast", 100, 0), ("balanced", 100, 50), ("best", 100, 50), ("deep", 100, 50)],
)
async def test_how_many_texts_are_searched(
    mode: Any, pool: int, in_time: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def choose(*args: Any, **_: Any) -> None:
        raise Requested(args[4])

    limits: list[int] = []

    async def search(*args: Any) -> list[Any]:
        limits.append(args[5])
        return []

    monkeypatch.setattr(signals, "choose_texts", choose)
    where: Any = SimpleNamespace(kinds=["chunk"], projects=None, filters=Query("x").filters)
    embedder: Any = SimpleNamespace(model="m")
    plan = replace(PLAN, windows=[(NOW, NOW)])
    request = signals._Request(plan, STRATEGIES[mode], where, embedder)
    with pytest.raises(Requested, match=rf"^{pool}$"):
        await signals._search_words(UNUSED, request)
    ports: Any = SimpleNamespace(vectors=SimpleNamespace(search=search))
    await signals._search_vectors(ports, UNUSED, request, np.ones(2), 7)
    assert limits == [7, in_time] if in_time else [7]
