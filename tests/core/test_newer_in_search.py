"""What was written later about the same is found first, whatever words and language ask for it."""

from datetime import timedelta

import pytest

from remem.core.documents.ingest import ingest
from remem.core.documents.model import Draft
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.search.model import Mode, Query
from remem.core.search.recall import recall
from tests.core.pools import NOW

pytestmark = pytest.mark.anyio

CHANGES = [
    (
        "Cleaner Halina: 14 euros an hour.",
        "From the new year on the cleaner Halina wants 17 euros an hour, paid every week.",
        "How much does the cleaner Halina get an hour?",
    ),
    (
        "Putzhilfe Halina: 14 Euro die Stunde.",
        "Die Putzhilfe Halina will ab Januar 17 Euro die Stunde, bar am Freitag.",
        "Wieviel kostet die Putzhilfe Halina die Stunde?",
    ),
    (
        "Code porte du garage : 4711",
        "Depuis que le voisin le connaît, le code de la porte du garage est 9034 pour tous.",
        "Quel est le code de la porte du garage ?",
    ),
]


@pytest.mark.parametrize(("older", "newer", "question"), CHANGES)
async def test_the_newer_note_is_first(
    ports: Ports, scope: Scope, older: str, newer: str, question: str
) -> None:
    for days, text in ((40, older), (4, newer)):
        at = (NOW - timedelta(days=days)).isoformat()
        await ingest(ports, scope, Draft(text, content_type="text", metadata={"date": at}))
    found = await recall(ports, scope, Query(question))
    contents = [hit.chunk.content for result in found.results for hit in result.hits if hit.chunk]
    assert contents[:1] == [newer]


@pytest.mark.parametrize("mode", ["balanced", "best"])
async def test_a_newer_note_that_only_names_the_same_is_not_first(
    ports: Ports, scope: Scope, mode: Mode
) -> None:
    contract = "Garage rent 480 a year, Mr Onu, expires on 30 April."
    rules = "New rules of the garage: no credit, pay before the car goes."
    for days, text in ((40, contract), (4, rules)):
        at = (NOW - timedelta(days=days)).isoformat()
        await ingest(ports, scope, Draft(text, content_type="text", metadata={"date": at}))
    query = Query("When does the lease of the garage run out?", mode=mode)
    found = await recall(ports, scope, query)
    contents = [hit.chunk.content for result in found.results for hit in result.hits if hit.chunk]
    assert contents[:1] == [contract]
