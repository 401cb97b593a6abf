"""Other forms of words are found in the index, also in texts that an older version indexed."""

from dataclasses import replace

import pytest

from remem.core.documents.ingest import ingest
from remem.core.documents.model import Draft
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.search.model import Query
from remem.core.search.recall import recall
from remem.core.upkeep import index_keys as upkeep
from remem.core.upkeep.index_keys import index_keys
from tests.core.memories import match_by_word, save

pytestmark = pytest.mark.anyio

NOTES = {
    "Die Wohnungsschlüssel liegen bei der Nachbarin.": "Wo ist der Schlüssel?",
    "커피를 두 잔 마셨다": "커피는 어디에 있어?",
    "Ключи лежат в ящике на кухне.": "Где мой ключик?",
    "Zahnarzt am 27.12. um 9 Uhr": "Was ist am 27. Dezember?",
    "La factura de la caldera fue de 1.684,22 euros.": "¿Qué costó 1684,22?",
}
_DELETE_KEYS = "DELETE FROM postings WHERE tenant_id = $1 AND (term LIKE '~%' OR term = '1684.22')"


@pytest.mark.parametrize(("note", "question"), NOTES.items())
async def test_another_form_is_found(ports: Ports, scope: Scope, note: str, question: str) -> None:
    saved = await save(ports, scope, note)
    await save(ports, scope, "Etwas ganz anderes steht hier, autre chose, совсем другое.")
    assert (await match_by_word(ports, scope, question))[:1] == [saved.memory.id]


async def test_texts_of_an_older_version_are_completed(
    ports: Ports, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upkeep, "BATCH", 2)
    memories = [(await save(ports, scope, note)).memory.id for note in NOTES]
    draft = Draft("Der Fahrradschlüssel hängt neben der Tür.\n\nUnd der Müll kommt am Dienstag.")
    # The server's worker would distil it meanwhile.
    document = (await ingest(replace(ports, distils=False), scope, draft)).document
    before = await postings(ports, scope)
    async with ports.db.transaction(scope) as tx:
        await tx.execute(_DELETE_KEYS)
        await tx.execute(
            "INSERT INTO keys_to_index SELECT $1, kind, $2 FROM unnest($3::text[]) AS kinds (kind)",
            "00000000-0000-0000-0000-000000000000",
            ["chunk", "memory"],
        )
    assert await match_by_word(ports, scope, "Wo ist der Schlüssel?") == []
    assert await match_by_word(ports, scope, "Wohnungsschlüssel") == memories[:1]
    # Interrupted after the first batch, and resumed.
    assert await index_keys(ports, scope)
    assert await postings(ports, scope) < before
    while await index_keys(ports, scope):
        pass
    assert await postings(ports, scope) == before
    assert memories[0] in await match_by_word(ports, scope, "Wo ist der Schlüssel?")
    page = await recall(ports, scope, Query("Wo ist der Schlüssel für das Fahrrad?", weak=True))
    titles = [result.document.title for result in page.results if result.document]
    assert document.title in titles
    async with ports.db.transaction(scope) as tx:
        left = "SELECT count(*) FROM keys_to_index WHERE tenant_id = $1"
        assert await tx.fetchval(left) == 0
    assert await index_keys(ports, scope) == 0


async def postings(ports: Ports, scope: Scope) -> int:
    async with ports.db.transaction(scope) as tx:
        count = "SELECT count(*) FROM postings WHERE tenant_id = $1"
        return await tx.fetchval(count)
