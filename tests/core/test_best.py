"""The mode `best`: what the reader reads, and what happens without a reader."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

import pytest

from remem.core.documents.ingest import ingest
from remem.core.documents.model import Draft
from remem.core.errors import Unavailable
from remem.core.index.kinds import MEMORY
from remem.core.memories.model import MemoryDraft as Statement
from remem.core.memories.save import save_memory
from remem.core.ports import Ports
from remem.core.readings import NoteReading, Span, Verdict
from remem.core.scope import Scope
from remem.core.search.find import find
from remem.core.search.model import Query
from remem.core.search.policy import POLICY
from remem.core.search.recall import recall

pytestmark = pytest.mark.anyio

TALK = """Ana: Where will you spend the summer?
Ben: In Lisbon, with my sister.
Ana: Then who waters the summer plants?
Ben: My neighbour said she would."""
QUERY = "summer"


@dataclass
class RecordingReader:
    """A reader that ranks the texts with a word highest, and records its input."""

    word: str = "neighbour"
    given: list[str] = field(default_factory=list)
    fails: bool = False
    asked: list[str] = field(default_factory=list)
    answer: str = "nothing has this"
    unsure: bool = False

    async def rank(self, query: str, texts: Sequence[str]) -> list[float]:
        self.given += texts
        if self.fails:
            raise Unavailable("Nobody reads.")
        return [float(self.word in text.partition(" / ")[2]) for text in texts]

    async def read(self, question: str, texts: Sequence[str]) -> list[Span]:
        self.asked += texts
        if self.unsure:
            raise Unavailable("Too slow.")
        return [Span(n, 0, 1, 0.99) for n, text in enumerate(texts) if self.answer in text]

    async def judge(self, olds: Sequence[str], new: str) -> list[Verdict]:
        return [Verdict(0.0, 0.0, 0.0, 1.0) for _ in olds]

    async def note(self, text: str, lines: Sequence[tuple[int, int]]) -> NoteReading:
        raise Unavailable("It is not asked.")

    @asynccontextmanager
    async def in_turn(self) -> AsyncIterator["RecordingReader"]:
        yield self

    async def close(self) -> None: ...


async def texts(ports: Ports, scope: Scope, query: Query) -> list[str]:
    reply = await recall(ports, scope, query)
    hits = sorted(
        (hit for result in reply.results for hit in result.hits), key=lambda hit: -hit.score
    )
    return [hit.chunk.content for hit in hits if hit.chunk]


async def test_a_turn_is_read_with_the_one_before_it(ports: Ports, scope: Scope) -> None:
    reader = RecordingReader()
    reading = replace(ports, reader=reader)
    await ingest(ports, scope, Draft(TALK, title="Summer", index_only=True))
    query = Query(QUERY, mode="best", weak=True, explain=True)
    best = await texts(reading, scope, query)
    turn = "Ben: My neighbour said she would."
    assert (
        "Ana: Then who waters the summer plants? / Ben: My neighbour said she would."
        in reader.given
    )
    assert "Ana: Where will you spend the summer?" in reader.given
    plain = await texts(reading, scope, replace(query, mode="balanced"))
    assert sorted(best) == sorted(plain)
    assert best.index(turn) < plain.index(turn)


async def test_the_explanation_has_the_score_of_the_reader(ports: Ports, scope: Scope) -> None:
    reading = replace(ports, reader=RecordingReader())
    await ingest(ports, scope, Draft(TALK, title="Summer", index_only=True))
    result = await find(reading, scope, Query(QUERY, mode="best", weak=True))
    best = max((hit.parts for hit in result.hits), key=lambda parts: parts.relevance or 0.0)
    assert best.relevance == 1.0
    assert best.reader > 0
    plain = await find(reading, scope, Query(QUERY, weak=True))
    assert all(hit.parts.relevance is None for hit in plain.hits)


async def test_memories_are_read_too(ports: Ports, scope: Scope) -> None:
    reader = RecordingReader()
    await save_memory(ports, scope, Statement("The spare key is under the blue pot."))
    query = Query("spare key", mode="best", kinds=(MEMORY,))
    result = await find(replace(ports, reader=reader), scope, query)
    assert reader.given == ["The spare key is under the blue pot."]
    assert result.mode == "best"


async def test_what_is_far_is_read_too_and_stays_weak_if_it_is_not_relevant(
    ports: Ports, scope: Scope
) -> None:
    reader = RecordingReader()
    await save_memory(ports, scope, Statement("The spare key is under the blue pot."))
    result = await find(
        replace(ports, reader=reader), scope, Query("jet engine turbines", mode="best")
    )
    assert result.hits == []
    assert reader.given == ["The spare key is under the blue pot."]


@pytest.mark.parametrize("fails", [True, False])
async def test_without_a_reader_best_reports_balanced_and_is_not_cached(
    ports: Ports, scope: Scope, fails: bool
) -> None:
    await ingest(ports, scope, Draft(TALK, title="Summer", index_only=True))
    without_reader = replace(ports, reader=RecordingReader(fails=True) if fails else None)
    query = Query(QUERY, mode="best", weak=True)
    reply = await recall(without_reader, scope, query)
    assert reply.mode == "balanced"
    plain = replace(query, mode="balanced")
    assert await texts(without_reader, scope, query) == await texts(without_reader, scope, plain)
    again = await recall(replace(ports, reader=RecordingReader()), scope, query)
    assert (again.mode, again.cached) == ("best", False)
    cached = await recall(without_reader, scope, query)
    assert (cached.mode, cached.cached) == ("best", True)


async def test_only_the_first_candidates_are_read(ports: Ports, scope: Scope) -> None:
    reader = RecordingReader()
    many = "\n".join(
        f"Ana: I think summer number {n} was warm." for n in range(2 * POLICY.talk_first)
    )
    await ingest(ports, scope, Draft(many, title="Summers", index_only=True))
    result = await find(
        replace(ports, reader=reader), scope, Query(QUERY, mode="best", weak=True, limit=100)
    )
    assert len(reader.given) == POLICY.talk_first
    assert len(reader.asked) == POLICY.talk_again
    assert result.total > POLICY.talk_first
    scores = [hit.score for hit in result.hits]
    assert scores == sorted(scores, reverse=True)


async def test_a_turn_that_answers_moves_up(ports: Ports, scope: Scope) -> None:
    await ingest(ports, scope, Draft(TALK, title="Summer", index_only=True))
    plain = await texts(ports, scope, Query(QUERY, weak=True))
    reader = RecordingReader(word="none", answer=plain[-1])
    best = await texts(replace(ports, reader=reader), scope, Query(QUERY, mode="best", weak=True))
    assert sorted(best) == sorted(plain) == sorted(reader.asked)
    assert best.index(plain[-1]) < len(plain) - 1


async def test_if_answers_cannot_be_read_the_order_by_relevance_stays(
    ports: Ports, scope: Scope
) -> None:
    await ingest(ports, scope, Draft(TALK, title="Summer", index_only=True))
    reply = await recall(
        replace(ports, reader=RecordingReader(unsure=True)),
        scope,
        Query(QUERY, mode="best", weak=True),
    )
    assert reply.mode == "best"


# They share no word with the statement: the first is just below the floor, the second just above.
NEAR_THE_FLOOR = ("losing something", "getting locked out")


@dataclass
class ConstantReader(RecordingReader):
    """A reader that gives every text the same relevance."""

    relevance: float = 0.0

    async def rank(self, query: str, texts: Sequence[str]) -> list[float]:
        return [self.relevance for _ in await super().rank(query, texts)]


@pytest.mark.parametrize("text", NEAR_THE_FLOOR)
@pytest.mark.parametrize("relevance", [10.0, -10.0])
async def test_the_relevance_of_the_reader_counts_for_the_floor(
    ports: Ports, scope: Scope, text: str, relevance: float
) -> None:
    await save_memory(ports, scope, Statement("The spare key is under the blue pot."))
    reading = replace(ports, reader=ConstantReader(relevance=relevance))
    result = await find(reading, scope, Query(text, mode="best"))
    assert bool(result.hits) == (relevance > 0)
    weak_result = await find(reading, scope, Query(text, mode="best", weak=True))
    assert [hit.is_weak for hit in weak_result.hits] == [relevance < 0]


async def test_without_a_reader_the_floor_is_that_of_balanced(ports: Ports, scope: Scope) -> None:
    await save_memory(ports, scope, Statement("The spare key is under the blue pot."))
    without_reader = replace(ports, reader=ConstantReader(fails=True))
    for text in (*NEAR_THE_FLOOR, "spare key", "jet engine turbines"):
        best = await find(without_reader, scope, Query(text, mode="best"))
        plain = await find(without_reader, scope, Query(text, mode="balanced"))
        assert [hit.id for hit in best.hits] == [hit.id for hit in plain.hits]
    assert not await _is_found(without_reader, scope, NEAR_THE_FLOOR[0])
    assert await _is_found(without_reader, scope, NEAR_THE_FLOOR[1])


async def _is_found(ports: Ports, scope: Scope, text: str) -> bool:
    return bool((await find(ports, scope, Query(text, mode="best"))).hits)
