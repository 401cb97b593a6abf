"""What stands under a heading is said of what the heading names."""

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

LEANS = [
    "The dose is 500 mg.", "Take it three times a day.", "Simmer for 40 minutes.",
    "Serves 6 people.", "The oven is set to 180 degrees.", "It weighs 12 kg.", "He is 9.",
    "Rosa is the lead.", "Owner: Lena", "Check-in is at 15:00.", "Milk costs 1.29.",
    "Water it every ten days.", "Deadline is 3 May.",
]  # fmt: skip
NAMES_IT = [
    "Anna's phone number is 5551234.", "I live in Porto.", "My manager is Colin.",
    "Our standup is at 9.", "Gustav works at Nokia.", "Balu weighs 12 kg.",
    "Acme Corp is based in Oslo.", "We meet at the station.", "Anna's phone: 5551234",
]  # fmt: skip
APART = [
    ("Amoxicillin", "Prednisone"), ("Flat in Graz", "Flat in Linz"), ("Room 12", "Room 14"),
    ("Services / alpha", "Services / beta"), ("dog_balu.md", "cat_mitzi.md"),
    ("Trip to Rome, May 2026", "Trip to Oslo, May 2026"), ("42 Main Street", "44 Main Street"),
]  # fmt: skip
ALIKE = [
    ("Falcon notes", "Falcon update 12 May 2026"), ("Falcon v1.2", "Falcon v2"),
    ("1. Setup", "2. Setup"), ("2.3 Setup", "2.4 Setup"), ("Budget March", "Budget April"),
    ("2026-01-02", "2026-02-03"), ("Project Falcon", "Falcon"), ("Meeting 3", "Meeting 4"),
    ("Meeting with Anna", "Call with Anna"), ("Balu.md", "Balu (2).md"), ("", "Prednisone"),
    ("Notes", "Prednisone"), ("Weekly, Monday", "Weekly, Friday"), ("Q1 review", "Q2 review"),
]  # fmt: skip


@pytest.mark.parametrize("said", LEANS)
def test_who_is_meant_is_said_above(said: str) -> None:
    assert not names_its_subject(said, "Ficus")


@pytest.mark.parametrize("said", NAMES_IT)
def test_what_names_its_subject_needs_no_heading(said: str) -> None:
    assert names_its_subject(said, "Ficus")


def test_what_names_all_of_its_heading_names_its_subject() -> None:
    assert names_its_subject("The chili needs 40 minutes.", "Chili")
    assert not names_its_subject("The flat costs 780 euros.", "Flat in Graz")


@pytest.mark.parametrize(("one", "other"), APART)
def test_two_headings_name_two_things(one: str, other: str) -> None:
    assert have_different_topics(one, other)
    assert is_under_different_heading("The owner is Lena.", one, "The owner is Omar.", other)


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_dates_versions_and_kinds_of_notes_tell_no_headings_apart(one: str, other: str) -> None:
    assert not have_different_topics(one, other)
    assert not is_under_different_heading("The owner is Lena.", one, "The owner is Omar.", other)


def test_a_title_is_short_and_says_nothing() -> None:
    assert is_title_like("Project Falcon")
    assert not is_title_like("The lead is Rosa")
    assert not is_title_like("Water the plants.")


@pytest.mark.parametrize(
    ("title", "text", "written"),
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
def test_a_title_made_of_the_text_is_no_heading(title: str, text: str, written: bool) -> None:
    assert explicit_title(title, text) == (title if written else "")


def test_behind_the_opening_the_form_of_a_title_tells() -> None:
    assert explicit_title("Project Falcon", "") == "Project Falcon"
    assert explicit_title("The lead is Rosa.", "") == ""


def test_headings_are_those_above_a_place() -> None:
    text = "## alpha\n\nThe port is 1.\n\n## beta\n\nThe port is 2.\n"
    assert heading_above(text, text.index("1"), "", ["Services", "alpha"]) == "Services / alpha"
    assert heading_above(text, text.index("2"), "", ["Services", "alpha"]) == "Services / beta"
    assert heading_above("The port is 3.", 4, "Ports", ["beta"]) == "Ports / beta"
    assert DocumentHeadings("Ports", []).at(4) == ""


pytestmark = pytest.mark.anyio


async def keep(ports: Ports, scope: Scope, content: str, **fields: Any) -> None:
    saved = await ingest(ports, scope, Draft(content=content, content_type="markdown", **fields))
    await distil_document(ports, scope, saved.document.id)


AMOXICILLIN = "# Amoxicillin\n\nTake it three times a day. The dose is 500 mg.\n"
PREDNISONE = "# Prednisone\n\nTake it once a day. The dose is 20 mg.\n"


async def test_what_two_headings_name_stays_side_by_side(ports: Ports, scope: Scope) -> None:
    await keep(ports, scope, AMOXICILLIN)
    await keep(ports, scope, PREDNISONE)
    assert {"The dose is 500 mg.", "The dose is 20 mg."} <= set(await contents(ports, scope))
    found = await answer_question(ports, scope, Query("what is the dose of amoxicillin?"))
    assert found.text == "500 mg"


async def test_a_later_note_of_the_same_heading_replaces(ports: Ports, scope: Scope) -> None:
    await keep(ports, scope, AMOXICILLIN)
    await keep(ports, scope, "# Amoxicillin, update v2\n\nThe dose is 250 mg.\n")
    kept = await contents(ports, scope)
    assert "The dose is 250 mg." in kept and "The dose is 500 mg." not in kept


async def test_a_title_is_a_heading(ports: Ports, scope: Scope) -> None:
    await save(ports, scope, "The lead is Rosa.", title="Project Falcon")
    beside = await save(ports, scope, "The lead is Timo.", title="Project Stork")
    after = await save(ports, scope, "The lead is Ines.", title="Project Falcon, minutes")
    assert (beside.status, after.status) == ("saved", "updated")
    assert sorted(await contents(ports, scope)) == ["The lead is Ines.", "The lead is Timo."]


async def test_without_a_title_all_is_as_before(ports: Ports, scope: Scope) -> None:
    await save(ports, scope, "The lead is Rosa.", title="Project Falcon")
    assert (await save(ports, scope, "The lead is Timo.")).status == "updated"


async def test_a_title_does_not_keep_apart_what_names_its_subject(
    ports: Ports, scope: Scope
) -> None:
    await save(ports, scope, "I live in Oslo.", title="Personal")
    assert (await save(ports, scope, "I live in Porto.", title="Contacts")).status == "updated"


class EagerModel(RulesJudge):
    """A language model that takes everything for an update."""

    async def relate_ahead(
        self, content: str, known: Any, speaker: str | None
    ) -> list[Relation] | None:
        return [Relation("update", one.id, 1.0, ("by the language model",)) for one in known]

    async def relate(self, content: str, known: Any, context: Any) -> list[Relation]:
        return [Relation("update", one.id, 1.0, ("always",)) for one in known]


async def test_no_judge_decides_over_two_headings(ports: Ports, scope: Scope) -> None:
    eager = replace(ports, judge=EagerModel(ports.analysis, asks_model=True))
    await save(eager, scope, "The rent is 780 euros.", title="Flat in Graz")
    saved = await save(eager, scope, "The rent is 650 euros.", title="Flat in Linz")
    assert saved.status == "saved"


async def test_what_is_only_indexed_is_not_renewed_by_another_heading(
    ports: Ports, scope: Scope
) -> None:
    for text in ("# Chili\n\nSimmer for 40 minutes.\n", "# Goulash\n\nSimmer for 2 hours.\n"):
        await ingest(ports, scope, Draft(text, content_type="markdown", index_only=True))
    found = await answer_question(ports, scope, Query("how long does the chili simmer?"))
    assert found.text == "40 minutes"


async def test_the_same_words_under_two_headings_are_two_statements(
    ports: Ports, scope: Scope
) -> None:
    said = "The dose is 20 mg."
    first = await save(ports, scope, said, title="Ibuprofen")
    other = await save(ports, scope, said, title="Prednisone")
    again = await save(ports, scope, said, title="Prednisone, notes")
    assert (first.status, other.status, again.status) == ("saved", "saved", "duplicate")
    assert again.memory.id == other.memory.id
    assert (await save(ports, scope, "I live in Oslo.", title="A town")).status == "saved"
    assert (await save(ports, scope, "I live in Oslo.", title="My home")).status == "duplicate"


async def test_two_recipes_may_serve_as_many(ports: Ports, scope: Scope) -> None:
    for name in ("Chili", "Goulash"):
        await keep(ports, scope, f"# {name}\n\nServes 4 people.\n")
    await keep(ports, scope, "# Chili, update\n\nServes 6 people.\n")
    assert sorted(await contents(ports, scope)) == ["Serves 4 people.", "Serves 6 people."]
