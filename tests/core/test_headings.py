"""A statement under a heading is about the subject that the heading names."""

from dataclasses import replace
from typing import Any

import pytest

from remem.core.answers.answer_question import answer_question
from remem.core.documents.distil import distil_document
from remem.core.documents.headings import DocumentHeadings, explicit_title, heading_above
from remem.core.documents.ingest import ingest
from remem.core.documents.model import Draft
from remem.core.judgements import Relation
from remem.core.judges.by_rules import RulesJudge
from remem.core.language.headings import have_different_topics, is_title_like
from remem.core.memories.rules.headings import is_under_different_heading, names_its_subject
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.search.model import Query
from tests.core.memories import contents, save

WITHOUT_SUBJECT = [
    "The dose is 500 mg.", "Take it three times a day.", "Simmer for 40 minutes.",
    "Serves 6 people.", "The oven is set to 180 degrees.", "It weighs 12 kg.", "He is 9.",
    "Rosa is the lead.", "Owner: Lena", "Check-in is at 15:00.", "Milk costs 1.29.",
    "Water it every ten days.", "Deadline is 3 May.",
]  # fmt: skip
WITH_SUBJECT = [
    "Anna's phone number is 5551234.", "I live in Porto.", "My manager is Colin.",
    "Our standup is at 9.", "Gustav works at Nokia.", "Balu weighs 12 kg.",
    "Acme Corp is based in Oslo.", "We meet at the station.", "Anna's phone: 5551234",
]  # fmt: skip
DIFFERENT_TOPICS = [
    ("Amoxicillin", "Prednisone"), ("Flat in Graz", "Flat in Linz"), ("Room 12", "Room 14"),
    ("Services / alpha", "Services / beta"), ("dog_balu.md", "cat_mitzi.md"),
    ("Trip to Rome, May 2026", "Trip to Oslo, May 2026"), ("42 Main Street", "44 Main Street"),
]  # fmt: skip
SAME_TOPIC = [
    ("Falcon notes", "Falcon update 12 May 2026"), ("Falcon v1.2", "Falcon v2"),
    ("1. Setup", "2. Setup"), ("2.3 Setup", "2.4 Setup"), ("Budget March", "Budget April"),
    ("2026-01-02", "2026-02-03"), ("Project Falcon", "Falcon"), ("Meeting 3", "Meeting 4"),
    ("Meeting with Anna", "Call with Anna"), ("Balu.md", "Balu (2).md"), ("", "Prednisone"),
    ("Notes", "Prednisone"), ("Weekly, Monday", "Weekly, Friday"), ("Q1 review", "Q2 review"),
]  # fmt: skip


@pytest.mark.parametrize("statement", WITHOUT_SUBJECT)
def test_a_statement_without_a_subject_needs_its_heading(statement: str) -> None:
    assert not names_its_subject(statement, "Ficus")


@pytest.mark.parametrize("statement", WITH_SUBJECT)
def test_a_statement_with_a_subject_needs_no_heading(statement: str) -> None:
    assert names_its_subject(statement, "Ficus")


def test_a_statement_with_all_words_of_its_heading_names_its_subject() -> None:
    assert names_its_subject("The chili needs 40 minutes.", "Chili")
    assert not names_its_subject("The flat costs 780 euros.", "Flat in Graz")


@pytest.mark.parametrize(("one", "other"), DIFFERENT_TOPICS)
def test_headings_with_different_topics(one: str, other: str) -> None:
    assert have_different_topics(one, other)
    assert is_under_different_heading("The owner is Lena.", one, "The owner is Omar.", other)


@pytest.mark.parametrize(("one", "other"), SAME_TOPIC)
def test_dates_versions_and_kinds_of_notes_do_not_distinguish_headings(
    one: str, other: str
) -> None:
    assert not have_different_topics(one, other)
    assert not is_under_different_heading("The owner is Lena.", one, "The owner is Omar.", other)


def test_a_title_is_short_and_not_a_sentence() -> None:
    assert is_title_like("Project Falcon")
    assert not is_title_like("The lead is Rosa")
    assert not is_title_like("Water the plants.")


@pytest.mark.parametrize(
    ("title", "text", "is_heading"),
    [
        ("Project Falcon", "Project Falcon\nThe lead is Rosa.", True),
        ("Project Falcon", "The lead is Rosa.", True),
        ("Why we are late", "The lead is Rosa.", True),
        ("The lead is Rosa.", "The lead is Rosa. The deadline is in May.", False),
        ("Water it weekly", "Water it weekly. Cut it in March.", False),
        ("Milk", "- Milk\n- Bread\n", False),
        ("Weight: 12 kg", "Weight: 12 kg\nVet: Dr. Moss.", False),
        ("Balu 12 kg", "Balu 12 kg\nMitzi 4 kg", False),
        ("Project Falcon", "Project Falcon\n", False),
    ],
)
def test_a_title_derived_from_the_text_is_not_a_heading(
    title: str, text: str, is_heading: bool
) -> None:
    assert explicit_title(title, text) == (title if is_heading else "")


def test_without_the_beginning_of_the_text_the_form_of_the_title_decides() -> None:
    assert explicit_title("Project Falcon", "") == "Project Falcon"
    assert explicit_title("The lead is Rosa.", "") == ""


def test_headings_are_those_above_a_place() -> None:
    text = "## alpha\n\nThe port is 1.\n\n## beta\n\nThe port is 2.\n"
    assert heading_above(text, text.index("1"), "", ["Services", "alpha"]) == "Services / alpha"
    assert heading_above(text, text.index("2"), "", ["Services", "alpha"]) == "Services / beta"
    assert heading_above("The port is 3.", 4, "Ports", ["beta"]) == "Ports / beta"
    assert DocumentHeadings("Ports", []).at(4) == ""


pytestmark = pytest.mark.anyio


async def ingest_and_distil(ports: Ports, scope: Scope, content: str, **fields: Any) -> None:
    saved = await ingest(ports, scope, Draft(content=content, content_type="markdown", **fields))
    await distil_document(ports, scope, saved.document.id)


AMOXICILLIN = "# Amoxicillin\n\nTake it three times a day. The dose is 500 mg.\n"
PREDNISONE = "# Prednisone\n\nTake it once a day. The dose is 20 mg.\n"


async def test_statements_under_two_headings_do_not_replace_each_other(
    ports: Ports, scope: Scope
) -> None:
    await ingest_and_distil(ports, scope, AMOXICILLIN)
    await ingest_and_distil(ports, scope, PREDNISONE)
    assert {"The dose is 500 mg.", "The dose is 20 mg."} <= set(await contents(ports, scope))
    answer = await answer_question(ports, scope, Query("what is the dose of amoxicillin?"))
    assert answer.text == "500 mg"


async def test_a_later_note_under_the_same_heading_replaces_the_older_one(
    ports: Ports, scope: Scope
) -> None:
    await ingest_and_distil(ports, scope, AMOXICILLIN)
    await ingest_and_distil(ports, scope, "# Amoxicillin, update v2\n\nThe dose is 250 mg.\n")
    current = await contents(ports, scope)
    assert "The dose is 250 mg." in current and "The dose is 500 mg." not in current


async def test_a_title_is_a_heading(ports: Ports, scope: Scope) -> None:
    await save(ports, scope, "The lead is Rosa.", title="Project Falcon")
    different = await save(ports, scope, "The lead is Timo.", title="Project Stork")
    same = await save(ports, scope, "The lead is Ines.", title="Project Falcon, minutes")
    assert (different.status, same.status) == ("saved", "updated")
    assert sorted(await contents(ports, scope)) == ["The lead is Ines.", "The lead is Timo."]


async def test_without_a_title_a_statement_replaces_as_usual(ports: Ports, scope: Scope) -> None:
    await save(ports, scope, "The lead is Rosa.", title="Project Falcon")
    assert (await save(ports, scope, "The lead is Timo.")).status == "updated"


async def test_a_title_does_not_separate_statements_with_a_subject(
    ports: Ports, scope: Scope
) -> None:
    await save(ports, scope, "I live in Oslo.", title="Personal")
    assert (await save(ports, scope, "I live in Porto.", title="Contacts")).status == "updated"


class EagerModel(RulesJudge):
    """A language model that judges everything to be an update."""

    async def relate_ahead(
        self, content: str, known: Any, speaker: str | None
    ) -> list[Relation] | None:
        return [Relation("update", memory.id, 1.0, ("by the language model",)) for memory in known]

    async def relate(self, content: str, known: Any, context: Any) -> list[Relation]:
        return [Relation("update", memory.id, 1.0, ("always",)) for memory in known]


async def test_no_judge_relates_statements_under_different_headings(
    ports: Ports, scope: Scope
) -> None:
    eager = replace(ports, judge=EagerModel(ports.analysis, asks_model=True))
    await save(eager, scope, "The rent is 780 euros.", title="Flat in Graz")
    saved = await save(eager, scope, "The rent is 650 euros.", title="Flat in Linz")
    assert saved.status == "saved"


async def test_an_index_only_document_is_not_outdated_by_another_heading(
    ports: Ports, scope: Scope
) -> None:
    for text in ("# Chili\n\nSimmer for 40 minutes.\n", "# Goulash\n\nSimmer for 2 hours.\n"):
        await ingest(ports, scope, Draft(text, content_type="markdown", index_only=True))
    answer = await answer_question(ports, scope, Query("how long does the chili simmer?"))
    assert answer.text == "40 minutes"


async def test_the_same_words_under_two_headings_are_two_statements(
    ports: Ports, scope: Scope
) -> None:
    statement = "The dose is 20 mg."
    first = await save(ports, scope, statement, title="Ibuprofen")
    other = await save(ports, scope, statement, title="Prednisone")
    again = await save(ports, scope, statement, title="Prednisone, notes")
    assert (first.status, other.status, again.status) == ("saved", "saved", "duplicate")
    assert again.memory.id == other.memory.id
    assert (await save(ports, scope, "I live in Oslo.", title="A town")).status == "saved"
    assert (await save(ports, scope, "I live in Oslo.", title="My home")).status == "duplicate"


async def test_two_recipes_may_have_the_same_servings(ports: Ports, scope: Scope) -> None:
    for name in ("Chili", "Goulash"):
        await ingest_and_distil(ports, scope, f"# {name}\n\nServes 4 people.\n")
    await ingest_and_distil(ports, scope, "# Chili, update\n\nServes 6 people.\n")
    assert sorted(await contents(ports, scope)) == ["Serves 4 people.", "Serves 6 people."]
