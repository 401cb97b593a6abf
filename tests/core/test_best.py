"""The mode `best`: what it reads, and what becomes of it where nobody can read."""

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
from remem.core.readings import Span, Verdict
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
class Listening:
    """Finds the texts that have a word the most relevant, and notes what it was given."""

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

    @asynccontextmanager
    async def in_turn(self) -> AsyncIterator["Listening"]:
        yield self

    async def close(self) -> None: ...


async def texts(ports: Ports, scope: Scope, query: Query) -> list[str]:
    found = await recall(ports, scope, query)
    hits = sorted((hit for one in found.results for hit in one.hits), key=lambda hit: -hit.score)
    return [hit.chunk.content for hit in hits if hit.chunk]


async def test_a_turn_is_read_with_the_one_before_it(ports: Ports, scope: Scope) -> None:
    reader = Listening()
    reading = replace(ports, reader=reader)
    await ingest(ports, scope, Draft(TALK, title="Summer", index_only=True))
    query = Query(QUERY, mode="best", weak=True, explain=True)
    best = await texts(reading, scope, query)
    said = "Ben: My neighbour said she would."
    assert (
        "Ana: Then who waters the summer plants? / Ben: My neighbour said she would."
        in reader.given
    )
    assert "Ana: Where will you spend the summer?" in reader.given
    plain = await texts(reading, scope, replace(query, mode="balanced"))
    assert sorted(best) == sorted(plain)
    assert best.index(said) < plain.index(said)


async def test_the_explanation_tells_what_the_reader_said(ports: Ports, scope: Scope) -> None:
    reading = replace(ports, reader=Listening())
    await ingest(ports, scope, Draft(TALK, title="Summer", index_only=True))
    found = await find(reading, scope, Query(QUERY, mode="best", weak=True))
    said = max((hit.parts for hit in found.hits), key=lambda parts: parts.relevance or 0.0)
    assert said.relevance == 1.0
    assert said.reader > 0
    plain = await find(reading, scope, Query(QUERY, weak=True))
    assert all(hit.parts.relevance is None for hit in plain.hits)


async def test_memories_are_read_too(ports: Ports, scope: Scope) -> None:
    reader = Listening()
    await save_memory(ports, scope, Statement("The spare key is under the blue pot."))
    query = Query("spare key", mode="best", kinds=(MEMORY,))
    found = await find(replace(ports, reader=reader), scope, query)
    assert reader.given == ["The spare key is under the blue pot."]
    assert found.mode == "best"


async def test_what_is_below_the_floor_is_not_read(ports: Ports, scope: Scope) -> None:
    reader = Listening()
    await save_memory(ports, scope, Statement("The spare key is under the blue pot."))
    found = await find(
        replace(ports, reader=reader), scope, Query("jet engine turbines", mode="best")
    )
    assert found.hits == []
    assert reader.given == []


@pytest.mark.parametrize("fails", [True, False])
async def test_without_a_reader_best_is_balanced_says_so_and_is_not_kept(
    ports: Ports, scope: Scope, fails: bool
) -> None:
    await ingest(ports, scope, Draft(TALK, title="Summer", index_only=True))
    silent = replace(ports, reader=Listening(fails=True) if fails else None)
    query = Query(QUERY, mode="best", weak=True)
    found = await recall(silent, scope, query)
    assert found.mode == "balanced"
    plain = replace(query, mode="balanced")
    assert await texts(silent, scope, query) == await texts(silent, scope, plain)
    again = await recall(replace(ports, reader=Listening()), scope, query)
    assert (again.mode, again.cached) == ("best", False)
    kept = await recall(silent, scope, query)
    assert (kept.mode, kept.cached) == ("best", True)


async def test_no_more_than_the_first_are_read(ports: Ports, scope: Scope) -> None:
    reader = Listening()
    many = "\n".join(f"Ana: Summer number {n} was warm." for n in range(2 * POLICY.talk_first))
    await ingest(ports, scope, Draft(many, title="Summers", index_only=True))
    found = await find(
        replace(ports, reader=reader), scope, Query(QUERY, mode="best", weak=True, limit=100)
    )
    assert len(reader.given) == POLICY.talk_first
    assert len(reader.asked) == POLICY.talk_again
    assert found.total > POLICY.talk_first
    scores = [hit.score for hit in found.hits]
    assert scores == sorted(scores, reverse=True)


async def test_what_answers_in_a_talk_rises(ports: Ports, scope: Scope) -> None:
    await ingest(ports, scope, Draft(TALK, title="Summer", index_only=True))
    plain = await texts(ports, scope, Query(QUERY, weak=True))
    reader = Listening(word="none", answer=plain[-1])
    best = await texts(replace(ports, reader=reader), scope, Query(QUERY, mode="best", weak=True))
    assert sorted(best) == sorted(plain) == sorted(reader.asked)
    assert best.index(plain[-1]) < len(plain) - 1


async def test_where_answers_cannot_be_read_the_order_by_relevance_stays(
    ports: Ports, scope: Scope
) -> None:
    await ingest(ports, scope, Draft(TALK, title="Summer", index_only=True))
    found = await recall(
        replace(ports, reader=Listening(unsure=True)),
        scope,
        Query(QUERY, mode="best", weak=True),
    )
    assert found.mode == "best"


# They share no word with the statement: one is a little below the floor, one a little above.
NEAR_THE_FLOOR = ("opening the front entrance", "getting locked out")


@dataclass
class Saying(Listening):
    """Finds every text of the same relevance."""

    relevance: float = 0.0

    async def rank(self, query: str, texts: Sequence[str]) -> list[float]:
        return [self.relevance for _ in await super().rank(query, texts)]


@pytest.mark.parametrize("text", NEAR_THE_FLOOR)
@pytest.mark.parametrize("relevance", [10.0, -10.0])
async def test_what_the_reader_says_counts_for_the_floor(
    ports: Ports, scope: Scope, text: str, relevance: float
) -> None:
    await save_memory(ports, scope, Statement("The spare key is under the blue pot."))
    reading = replace(ports, reader=Saying(relevance=relevance))
    found = await find(reading, scope, Query(text, mode="best"))
    assert bool(found.hits) == (relevance > 0)
    shown = await find(reading, scope, Query(text, mode="best", weak=True))
    assert [hit.is_weak for hit in shown.hits] == [relevance < 0]


async def test_where_nobody_reads_the_floor_is_that_of_balanced(ports: Ports, scope: Scope) -> None:
    await save_memory(ports, scope, Statement("The spare key is under the blue pot."))
    silent = replace(ports, reader=Saying(fails=True))
    for text in (*NEAR_THE_FLOOR, "spare key", "jet engine turbines"):
        best = await find(silent, scope, Query(text, mode="best"))
        plain = await find(silent, scope, Query(text, mode="balanced"))
        assert [hit.id for hit in best.hits] == [hit.id for hit in plain.hits]
    assert not await _is_found(silent, scope, NEAR_THE_FLOOR[0])
    assert await _is_found(silent, scope, NEAR_THE_FLOOR[1])


async def _is_found(ports: Ports, scope: Scope, text: str) -> bool:
    return bool((await find(ports, scope, Query(text, mode="best"))).hits)
