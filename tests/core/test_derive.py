"""Deriving from a memory: atomic facts, and due items."""

from datetime import UTC, datetime

import pytest

from remem.core.errors import Conflict, NotFound
from remem.core.memories.browse import get_memory
from remem.core.memories.derive import derive_memory
from remem.core.memories.lifecycle import set_lifecycle
from remem.core.memories.related import related_memories
from remem.core.memories.rules.derive import derive
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.time import new_id
from tests.core.memories import contents, count, events, save

pytestmark = pytest.mark.anyio

SAID_AT = datetime(2026, 2, 2, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("Ann lives in Berlin and works at ACME.", ["Ann lives in Berlin and works at ACME."]),
        ("Ann lives in Berlin and Bob works at ACME.",
         ["Ann lives in Berlin", "Bob works at ACME."]),
        ("Ann moved to Rome. She owns a bakery. Bob owns a boat.",
         ["Ann moved to Rome. She owns a bakery.", "Bob owns a boat."]),
        ("The deploy runs at two, and the server needs 4 GB.",
         ["The deploy runs at two", "the server needs 4 GB."]),
        ("Bob likes tea.", ["Bob likes tea."]),
        ("Ann, who lives in Rome, likes tea and bread.",
         ["Ann, who lives in Rome, likes tea and bread."]),
        ("I prefer dark mode and I am allergic to nuts.",
         ["I prefer dark mode", "I am allergic to nuts."]),
        ("Use tea and sugar.", ["Use tea and sugar."]),
    ],
)  # fmt: skip
def test_each_fact_is_understood_on_its_own(text: str, facts: list[str]) -> None:
    derived = derive(text, SAID_AT)
    assert [fact.content for fact in derived] == facts
    assert all(text[fact.start : fact.end] == fact.content for fact in derived)


def test_a_due_item_is_a_task_with_its_day() -> None:
    _, task = derive("Ann lives in Berlin. Ann must send the report by next Friday.", SAID_AT)
    assert (task.category, task.content) == (
        "task",
        "Ann must send the report by next Friday.",
    )
    assert [date.text for date in task.dates] == ["next Friday"]
    assert task.due_at == datetime(2026, 2, 13, 23, 59, 59, tzinfo=UTC)


@pytest.mark.parametrize(
    ("first", "word", "second"),
    [
        ("Bis 31. März 2096 die Steuer abgeben", "und", "am 5. April 2096 die Bank anrufen"),
        ("Die Steuer bis 31. März 2096 abgeben", "und", "die Bank am 5. April 2096 anrufen"),
        ("Avant le 10 juin 2096 rendre le dossier", "et", "le 14 juin 2096 appeler la mairie"),
        ("Rendre le dossier avant le 10 juin 2096", "et", "appeler la mairie le 14 juin 2096"),
        ("Entregar el informe antes del 2 de julio de 2096", "y", "llamar el 9 de julio de 2096"),
        ("Consegnare la domanda entro il 3 maggio 2096", "e", "pagare la rata il 9 maggio 2096"),
        ("Сдать отчёт до 3 мая 2096", "и", "позвонить в банк 9 мая 2096"),
        ("Zwrócić książki do 3 maja 2096", "i", "zadzwonić do banku 9 maja 2096"),
        ("By 31 March 2096 hand in the tax form", "and", "on 5 April 2096 call the bank"),
        ("Hand in the form by 31 March 2096 at the hall", "and", "call the bank on 5 April 2096"),
    ],
)
def test_each_due_date_keeps_what_is_said_of_it_in_every_language(
    first: str, word: str, second: str
) -> None:
    for joint in (f" {word} ", f", {word} ", ", "):
        facts = derive(f"{first}{joint}{second}", SAID_AT)
        assert [fact.content for fact in facts] == [first, second], joint


async def test_facts_derive_from_the_memory(ports: Ports, scope: Scope) -> None:
    text = "Ann lives in Berlin and Bob works at ACME. Ann must send the report by 3 March 2096."
    memory = (await save(ports, scope, text)).memory
    derived = await derive_memory(ports, scope, memory.id)
    assert [fact.content for fact in derived.facts] == [
        "Ann lives in Berlin",
        "Bob works at ACME.",
        "Ann must send the report by 3 March 2096.",
    ]
    assert [due.content for due in derived.foresight] == [derived.facts[2].content]
    fact = derived.facts[0]
    assert (fact.source, fact.context, fact.confidence < 1) == (
        "derive",
        {"review": "pending"},
        True,
    )
    assert text[fact.evidence["start"] : fact.evidence["end"]] == "Ann lives in Berlin"
    related = await related_memories(ports, scope, memory.id, relations=["derives"])
    assert {relation.memory.id for relation in related} == {fact.id for fact in derived.facts}
    assert ("derive", {"from": str(memory.id)}) in await events(ports, scope, fact.id)


async def test_deriving_again_changes_nothing(ports: Ports, scope: Scope) -> None:
    memory = (await save(ports, scope, "Bo plays chess. Cy speaks Basque.")).memory
    first = await derive_memory(ports, scope, memory.id)
    before = await count(ports, scope, "events")
    again = await derive_memory(ports, scope, memory.id)
    assert {fact.id for fact in again.facts} == {fact.id for fact in first.facts}
    assert await count(ports, scope, "memories") == 3
    assert await count(ports, scope, "events") == before


async def test_a_single_fact_is_not_split_and_gets_its_due_date(ports: Ports, scope: Scope) -> None:
    memory = (await save(ports, scope, "The visa must be renewed by 3 March 2096.")).memory
    derived = await derive_memory(ports, scope, memory.id)
    assert derived.facts == ()
    assert [due.id for due in derived.foresight] == [memory.id]
    assert (await get_memory(ports, scope, memory.id)).due_at == datetime(
        2096, 3, 3, 23, 59, 59, tzinfo=UTC
    )
    assert await contents(ports, scope) == [memory.content]


async def test_an_inactive_or_unknown_memory_is_not_derived_from(
    ports: Ports, scope: Scope
) -> None:
    memory = (await save(ports, scope, "Cy lives in Rome and works at ACME.")).memory
    await set_lifecycle(ports, scope, memory.id, "quarantined", None)
    with pytest.raises(Conflict):
        await derive_memory(ports, scope, memory.id)
    with pytest.raises(NotFound):
        await derive_memory(ports, scope, new_id())
