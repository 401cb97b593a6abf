"""A sentence as query: what has nothing to do with it is weak, what answers it is not."""

from dataclasses import replace

import numpy as np
import pytest

from remem.core.answers.answer_question import read_sources
from remem.core.documents.ingest import ingest
from remem.core.documents.model import Draft
from remem.core.memories.model import MemoryDraft
from remem.core.memories.save import save_memory
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.search.calibration import CALIBRATION
from remem.core.search.evidence import Evidence, weigh
from remem.core.search.find import find
from remem.core.search.floor import (
    asked_of,
    query_measures,
    relevance_when_read,
    with_irrelevant_weak,
)
from remem.core.search.model import Asked, Mode, Query, Ranked, ScoreParts
from remem.core.search.plan import Plan, is_keywords, name_words
from tests.core.pools import NO_THREAD, PoolEntry, pool_of

pytestmark = pytest.mark.anyio

NOTES = (
    "The allotment is number 58, the gate code is 7710.",
    "I take levothyroxine 75 on an empty stomach.",
    "Our parrot Coco bites strangers.",
    "Mr Osei teaches my nephew the trumpet on Fridays.",
    "The boiler was serviced in August by Brightwater.",
    "My passport is in the grey folder behind the atlas.",
    "Use British spelling in all reports",
    "The ferry to Arran costs 17 pounds with a car.",
    "We switched the newsletter to Buttondown in May.",
    "The tiles in the hall come from a salvage yard in Leith.",
)
QUESTIONS = {
    "Which medicine must I take before breakfast?": 1,
    "Where did I put my travel documents?": 5,
    "How do I get through the gate of the allotment?": 0,
    "Who gives my nephew music lessons?": 3,
    "What do we send our newsletter with?": 8,
}
BEES = (
    "The queen in hive three is a Buckfast, marked yellow.",
    "There are five hives at the manse and two behind the distillery.",
    "Treated all colonies against varroa in December.",
    "This year's harvest was 64 kg of heather honey.",
    "Jars come from the co-op in Lanark.",
)


async def save_notes(ports: Ports, scope: Scope) -> None:
    for number, note in enumerate(NOTES):
        if number % 2:
            await save_memory(ports, scope, MemoryDraft(note))
        else:
            await ingest(ports, scope, Draft(note, content_type="text"))


@pytest.mark.parametrize(("mode", "max_strangers"), [("balanced", 3), ("deep", 3), ("best", 2)])
async def test_few_strangers_and_every_right_result(
    ports: Ports, scope: Scope, mode: Mode, max_strangers: int
) -> None:
    await save_notes(ports, scope)
    strangers = 0
    for question, number in QUESTIONS.items():
        found = await find(ports, scope, Query(question, mode=mode, limit=5))
        contents = [hit.chunk.content if hit.chunk else "" for hit in found.hits]
        contents += [memory.content for hit in found.hits for memory in hit.memories]
        assert NOTES[number] in contents, question
        strangers += len({hit.id for hit in found.hits}) - 1
    assert strangers <= max_strangers


async def test_ask_still_reads_what_is_hardly_relevant(ports: Ports, scope: Scope) -> None:
    for note in BEES:
        await save_memory(ports, scope, MemoryDraft(note))
    question = "What colour is the mark on the third hive's queen?"
    found = await find(ports, scope, Query(question, mode="best"))
    _, sources = await read_sources(ports, scope, Query(question))
    assert [hit.memories[0].content for hit in found.hits] == [BEES[0]]
    assert len(sources) > 1


def result(relevance: float, read: float | None = None, *, alone: bool = True) -> Ranked:
    parts = ScoreParts(relevance=read)
    return Ranked(NO_THREAD, NO_THREAD, 0.0, parts)._replace(
        relevance=relevance, is_judged_alone=alone
    )


def test_only_what_is_judged_alone_is_weak_by_its_relevance() -> None:
    ranked = [result(0.9), result(0.01), result(0.01, alone=False)]
    weak = [item.is_weak for item in with_irrelevant_weak(ranked)]
    assert weak == [False, True, False]


def asked_at(log_odds: float) -> Asked:
    """A query that is answered with these log odds by a text that the reader scores 0."""
    bias, asks, _, _ = CALIBRATION.by_query
    return Asked((log_odds - bias) / asks, 0.0)


@pytest.mark.parametrize("alone", [True, False])
def test_all_are_weak_if_nothing_is_likely_to_answer(alone: bool) -> None:
    read = [result(0.9, read=0.0, alone=alone), result(0.9, alone=alone)]
    for odds, is_weak in ((-0.01, True), (0.01, False)):
        asked = asked_at(CALIBRATION.limits.answered + odds)
        assert [item.is_weak for item in with_irrelevant_weak(read, asked)] == [is_weak] * 2


def test_with_another_embedder_a_query_is_taken_to_be_about_own_matters() -> None:
    known, unknown = Asked(CALIBRATION.usual_asks, 0.3), Asked(None, 0.3)
    usual = CALIBRATION.usual_asks
    assert query_measures(known, [1.0], usual).tolist() == (
        query_measures(unknown, [1.0], usual).tolist()
    )


def test_what_was_not_read_says_nothing_about_the_query() -> None:
    assert not with_irrelevant_weak([result(0.9)], asked_at(-20.0))[0].is_weak


@pytest.mark.parametrize(
    ("short", "tf", "is_asked"),
    [
        ({"is_keywords": True}, (1,), False),
        ({"name_words": 1}, (1,), False),
        ({"is_keywords": True}, (0,), True),
        ({}, (1,), True),
    ],
)
def test_keywords_that_something_has_are_answered(short: dict, tf: tuple, is_asked: bool) -> None:
    pool = replace(pool_of([PoolEntry(0.3, tf)]), asks=-2.0, **short)
    asked = asked_of(pool, Evidence(np.zeros(1), {}, np.ones(1, bool)))
    assert asked == (Asked(-2.0, 0.3) if is_asked else None)


@pytest.mark.parametrize("query", ["バスの語源は何か", "智齒為什麼叫智齒"])
def test_a_question_without_spaces_is_no_name(query: str) -> None:
    assert name_words(query) == 0
    assert not is_keywords(query)


def test_a_short_word_without_spaces_may_be_a_name() -> None:
    assert name_words("田中太郎") == 1


def test_the_reader_raises_and_lowers_relevance() -> None:
    read, unlikely = relevance_when_read(np.array([0.4, 0.4]), [5.0, -8.0]).tolist()
    assert read > 0.8
    assert unlikely < 0.15


@pytest.mark.parametrize(("speaker", "by_name"), [("ich", False), ("timo", True)])
def test_a_pronoun_is_nobodys_name(speaker: str, by_name: bool) -> None:
    pool = pool_of([PoolEntry(0.3, (0,), speaker)])
    assert weigh(pool, Plan("x", "x", speaker=speaker)).by_name is by_name
