"""Questions that the local reader answers from stored documents and memories."""

import json
from dataclasses import replace

import pytest

from remem.core.answers.answer_question import answer_question
from remem.core.answers.cite import origins_of
from remem.core.documents.ingest import ingest
from remem.core.documents.model import Draft
from remem.core.documents.read import get_document
from remem.core.memories.model import MemoryDraft as Statement
from remem.core.memories.save import save_memory
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.search.model import Query

pytestmark = pytest.mark.anyio

TURNS = [
    ("Ana", "I adopted a puppy last Friday, his name is Biscotti."),
    ("Ben", "Lovely! I went to a pottery class in Lisbon yesterday."),
    ("Ana", "What did you make there?"),
    ("Ben", "A blue bowl for my grandmother."),
]
TALK = {
    "messages": [
        {"speaker": speaker, "content": text, "timestamp": "2023-05-17T14:00:00Z"}
        for speaker, text in TURNS
    ]
}


async def ingest_talk(ports: Ports, scope: Scope) -> None:
    draft = Draft(json.dumps(TALK), content_type="json", index_only=True)
    await ingest(ports, scope, draft)


async def test_an_answer_has_its_words_date_and_place(ports: Ports, scope: Scope) -> None:
    await ingest_talk(ports, scope)
    answer = await answer_question(ports, scope, Query("When did Ana adopt a puppy?"))
    assert answer.kind == "when"
    assert answer.text == "Friday 12 May 2023"
    [citation] = answer.citations
    assert citation.text == "last Friday"
    assert citation.source.document_id is not None
    detail = await get_document(ports, scope, citation.source.document_id)
    text = detail.document.content
    start = citation.source.start_offset + citation.start
    assert text[start : start + len(citation.text)] == "last Friday"


async def test_one_thing_is_read_from_the_talk(ports: Ports, scope: Scope) -> None:
    await ingest_talk(ports, scope)
    answer = await answer_question(ports, scope, Query("What is the name of Ana's puppy?"))
    assert answer.text == "Biscotti"
    assert answer.confidence > 0.5


async def test_a_memory_answers_too(ports: Ports, scope: Scope) -> None:
    saved = await save_memory(ports, scope, Statement("The wifi password is tin-kettle-88."))
    answer = await answer_question(ports, scope, Query("What is the wifi password?"))
    assert answer.text == "tin-kettle-88"
    assert answer.citations[0].source.id == saved.memory.id


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who was my previous manager?", "Priyanka Nair"),
        ("Who was my manager before Colin?", "Priyanka Nair"),
        ("Who is my manager?", "Colin Maddox"),
        ("Who was my previous dentist?", None),
    ],
)
async def test_a_replaced_memory_answers_a_question_about_before(
    ports: Ports, scope: Scope, question: str, expected: str | None
) -> None:
    for statement in ("My manager is Priyanka Nair.", "Since October my manager is Colin Maddox."):
        await save_memory(ports, scope, Statement(statement))
    await save_memory(ports, scope, Statement("My dentist is Dr. Lund."))
    answer = await answer_question(ports, scope, Query(question))
    assert answer.text == expected
    if expected:
        origins = await origins_of(ports, scope, answer.sources)
        assert expected in origins.memories[answer.citations[0].source.id].content


@pytest.mark.parametrize(
    ("statement", "question", "expected"),
    [
        ("Retros are held monthly, on the first Wednesday.", "When is the retro?", "Wednesday"),
        ("Bin day is Wednesday since May.", "When are the bins collected?", "Wednesday"),
        ("Swimming has shifted to Thursday evenings.", "When is swimming?", "Thursday evenings"),
        ("I have 7 vacation days left.", "How many vacation days do I have left?", "7"),
        ("The cafeteria closes at 14:30.", "When does the cafeteria open?", None),
    ],
)
async def test_a_recurring_time_keeps_its_words(
    ports: Ports, scope: Scope, statement: str, question: str, expected: str | None
) -> None:
    await save_memory(ports, scope, Statement(statement))
    answer = (await answer_question(ports, scope, Query(question))).text
    assert answer == expected or (expected and answer and expected in answer)
    assert "2026" not in (answer or "")


async def test_what_nobody_said_is_unknown(ports: Ports, scope: Scope) -> None:
    await ingest_talk(ports, scope)
    answer = await answer_question(ports, scope, Query("What is the boiling point of tungsten?"))
    assert answer.text is None


async def test_without_a_reader_the_answer_is_unknown_and_has_its_sources(
    ports: Ports, scope: Scope
) -> None:
    await ingest_talk(ports, scope)
    without_reader = replace(ports, reader=None)
    answer = await answer_question(without_reader, scope, Query("What is the name of Ana's puppy?"))
    assert answer.text is None
    assert any("Biscotti" in source.content for source in answer.sources)
