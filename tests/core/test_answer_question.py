"""Questions answered out of what is kept, by the reader itself."""

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

SAID = [
    ("Ana", "I adopted a puppy last Friday, his name is Biscotti."),
    ("Ben", "Lovely! I went to a pottery class in Lisbon yesterday."),
    ("Ana", "What did you make there?"),
    ("Ben", "A blue bowl for my grandmother."),
]
TALK = {
    "messages": [
        {"speaker": speaker, "content": text, "timestamp": "2023-05-17T14:00:00Z"}
        for speaker, text in SAID
    ]
}


async def keep_talk(ports: Ports, scope: Scope) -> None:
    draft = Draft(json.dumps(TALK), content_type="json", index_only=True)
    await ingest(ports, scope, draft)


async def test_an_answer_has_its_words_date_and_place(ports: Ports, scope: Scope) -> None:
    await keep_talk(ports, scope)
    found = await answer_question(ports, scope, Query("When did Ana adopt a puppy?"))
    assert found.kind == "when"
    assert found.text == "Friday 12 May 2023"
    [cited] = found.citations
    assert cited.text == "last Friday"
    assert cited.source.document_id is not None
    whole = await get_document(ports, scope, cited.source.document_id)
    text = whole.document.content
    start = cited.source.start_offset + cited.start
    assert text[start : start + len(cited.text)] == "last Friday"


async def test_one_thing_is_read_out_of_the_talk(ports: Ports, scope: Scope) -> None:
    await keep_talk(ports, scope)
    found = await answer_question(ports, scope, Query("What is the name of Ana's puppy?"))
    assert found.text == "Biscotti"
    assert found.confidence > 0.5


async def test_a_memory_answers_too(ports: Ports, scope: Scope) -> None:
    saved = await save_memory(ports, scope, Statement("The wifi password is tin-kettle-88."))
    found = await answer_question(ports, scope, Query("What is the wifi password?"))
    assert found.text == "tin-kettle-88"
    assert found.citations[0].source.id == saved.memory.id


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who was my previous manager?", "Priyanka Nair"),
        ("Who was my manager before Colin?", "Priyanka Nair"),
        ("Who is my manager?", "Colin Maddox"),
        ("Who was my previous dentist?", None),
    ],
)
async def test_what_was_replaced_answers_for_before(
    ports: Ports, scope: Scope, question: str, expected: str | None
) -> None:
    for said in ("My manager is Priyanka Nair.", "Since October my manager is Colin Maddox."):
        await save_memory(ports, scope, Statement(said))
    await save_memory(ports, scope, Statement("My dentist is Dr. Lund."))
    found = await answer_question(ports, scope, Query(question))
    assert found.text == expected
    if expected:
        origins = await origins_of(ports, scope, found.sources)
        assert expected in origins.memories[found.citations[0].source.id].content


@pytest.mark.parametrize(
    ("said", "question", "expected"),
    [
        ("Retros are held monthly, on the first Wednesday.", "When is the retro?", "Wednesday"),
        ("Bin day is Wednesday since May.", "When are the bins collected?", "Wednesday"),
        ("Swimming has shifted to Thursday evenings.", "When is swimming?", "Thursday evenings"),
        ("I have 7 vacation days left.", "How many vacation days do I have left?", "7"),
        ("The cafeteria closes at 14:30.", "When does the cafeteria open?", None),
    ],
)
async def test_what_comes_again_keeps_its_words(
    ports: Ports, scope: Scope, said: str, question: str, expected: str | None
) -> None:
    await save_memory(ports, scope, Statement(said))
    found = (await answer_question(ports, scope, Query(question))).text
    assert found == expected or (expected and found and expected in found)
    assert "2026" not in (found or "")


async def test_what_nobody_told_is_not_known(ports: Ports, scope: Scope) -> None:
    await keep_talk(ports, scope)
    found = await answer_question(ports, scope, Query("What is the boiling point of tungsten?"))
    assert found.text is None


async def test_without_a_reader_it_is_not_known_and_shows_what_was_found(
    ports: Ports, scope: Scope
) -> None:
    await keep_talk(ports, scope)
    silent = replace(ports, reader=None)
    found = await answer_question(silent, scope, Query("What is the name of Ana's puppy?"))
    assert found.text is None
    assert any("Biscotti" in source.content for source in found.sources)
