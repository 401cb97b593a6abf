"""What the nightly jobs add: links, insights, end dates and due dates, with their sources."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from remem.core.errors import WaitsForRoom
from remem.core.evolution.upkeep.derive import derive_all
from remem.core.graph.link import links_of
from remem.core.index.kinds import MEMORY
from remem.core.memories.browse import list_memories, upcoming
from remem.core.memories.consolidation.undo import list_consolidations, undo_consolidation
from remem.core.memories.lifecycle import review_memory
from remem.core.memories.model import Memory, MemoryChoice
from remem.core.memories.rules.insight import find_chains
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.search.find import find
from remem.core.search.model import Query
from tests.core.memories import match_by_meaning, match_by_word, save, set_limit

pytestmark = pytest.mark.anyio

FOREVER = float("inf")
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


async def save_all(ports: Ports, scope: Scope, *texts: str, **fields: Any) -> list[Memory]:
    return [(await save(ports, scope, text, **fields)).memory for text in texts]


async def list_all(ports: Ports, scope: Scope, **choice: Any) -> list[Memory]:
    return (await list_memories(ports, scope, MemoryChoice(**choice), None, 100)).memories


async def linked_ids(ports: Ports, scope: Scope, id: UUID, relation: str) -> set[UUID]:
    async with ports.db.transaction(scope) as tx:
        links = await links_of(tx, MEMORY, [id], [relation])
    return {end for link in links for end in (link.from_id, link.to_id)} - {id}


CHAIN = ("Maya works at Nordlys.", "Nordlys is in Tromsø.", "Tromsø is in Norway.")


@pytest.mark.parametrize("order", [1, -1], ids=["in order", "reversed"])
async def test_three_memories_make_an_insight_that_is_hidden_until_accepted(
    ports: Ports, scope: Scope, order: int
) -> None:
    sources = await save_all(ports, scope, *CHAIN[::order])
    outcome = await derive_all(ports, scope, None, FOREVER)
    assert outcome.result["insights"] == 1
    [insight] = await list_all(ports, scope, review="pending")
    assert insight.content == " ".join(CHAIN)
    assert insight.category == "insight"
    assert await linked_ids(ports, scope, insight.id, "derives") == {
        source.id for source in sources
    }
    assert insight.id not in {memory.id for memory in await list_all(ports, scope)}
    assert insight.id not in await match_by_word(ports, scope, "Maya")
    assert insight.id not in await match_by_meaning(ports, scope, "Where does Maya work?")
    assert (await derive_all(ports, scope, None, FOREVER)).result["insights"] == 0
    await review_memory(ports, scope, insight.id, "accept")
    assert insight.id in await match_by_word(ports, scope, "Maya")


async def test_what_the_plan_has_no_room_for_waits(ports: Ports, scope: Scope) -> None:
    text = "I must file the report by 31 May 2097 and call the bank on 3 June 2097."
    await set_limit(ports, scope, 4)
    await save_all(ports, scope, *CHAIN, text)
    for _ in range(2):
        with pytest.raises(WaitsForRoom, match="plan's limit of 4"):
            await derive_all(ports, scope, None, FOREVER)
    assert len(await upcoming(ports, scope, None, 10)) == 1
    await set_limit(ports, scope, 9)
    outcome = await derive_all(ports, scope, None, FOREVER)
    assert (outcome.result["facts"], outcome.result["insights"]) == (2, 1)
    assert len(await upcoming(ports, scope, None, 10)) == 2


async def test_what_was_undone_is_not_split_again(ports: Ports, scope: Scope) -> None:
    await save_all(ports, scope, "I must call Ann on 3 June 2097 and meet Bob on 4 June 2097.")
    [action], _ = await list_consolidations(ports, scope, "derive", None, None, 10)
    await undo_consolidation(ports, scope, action.id)
    await derive_all(ports, scope, None, FOREVER)
    assert len(await upcoming(ports, scope, None, 10)) == 1


async def test_a_declined_insight_is_not_derived_again(ports: Ports, scope: Scope) -> None:
    await save_all(ports, scope, *CHAIN)
    await derive_all(ports, scope, None, FOREVER)
    [insight] = await list_all(ports, scope, review="pending")
    await review_memory(ports, scope, insight.id, "decline")
    await save_all(ports, scope, "Maya likes Tromsø.")
    assert (await derive_all(ports, scope, None, FOREVER)).result["insights"] == 0
    assert await list_all(ports, scope, review="pending") == []


@pytest.mark.parametrize(
    "texts",
    [
        CHAIN[:2],
        ("Maya does not work at Nordlys.", *CHAIN[1:]),
        ("Maya may work at Nordlys.", *CHAIN[1:]),
        # A name shared by two things, and by two people.
        (CHAIN[0], "Nordlys Bank is in Tromsø.", CHAIN[2]),
        ("My sister is Lena.", "Lena works at Nordlys.", "Nordlys is in Tromsø."),
        # A circle, and a contradiction.
        ("Berta Alm knows Clara Bo.", "Clara Bo knows Dora Cy.", "Dora Cy knows Berta Alm."),
        (*CHAIN, "Nordlys has been closed."),
    ],
)
def test_other_memories_make_no_insight(texts: tuple[str, ...]) -> None:
    assert find_chains(texts) == []


def test_of_two_values_of_one_attribute_neither_makes_an_insight() -> None:
    assert find_chains([*CHAIN, "Nordlys is in Oslo."]) == []


async def test_expired_and_planned_memories_make_no_insight(ports: Ports, scope: Scope) -> None:
    await save_all(ports, scope, *CHAIN[:2])
    await save_all(ports, scope, CHAIN[2], valid_until=NOON)
    assert (await derive_all(ports, scope, None, FOREVER)).result["insights"] == 0


async def test_an_expired_voucher_is_no_longer_found(ports: Ports, scope: Scope) -> None:
    [voucher] = await save_all(
        ports, scope, "The spa voucher is valid until 5 March 2026.", said_at=NOON
    )
    await derive_all(ports, scope, None, FOREVER)
    async with ports.db.transaction(scope) as tx:
        until = await tx.system.fetchval(
            "SELECT valid_until FROM memories WHERE id = $1", voucher.id
        )
    assert until is not None and until.date().isoformat() in ("2026-03-05", "2026-03-06")
    query = Query("Where is the spa voucher?", None, mode="balanced", fusion="rrf")
    result = await find(ports, scope, query)
    assert voucher.id not in {memory.id for hit in result.hits for memory in hit.memories}


async def test_every_due_date_of_a_statement_is_found(ports: Ports, scope: Scope) -> None:
    soon = datetime.now(UTC).replace(hour=9)
    first, second = (soon + timedelta(days=days) for days in (10, 40))
    text = (
        f"The tax form is due on {first:%d %B %Y}, and the rent deposit is due on"
        f" {second:%d %B %Y}."
    )
    await save_all(ports, scope, text, said_at=soon)
    await derive_all(ports, scope, None, FOREVER)
    due = [
        memory.due_at.date() for memory in await upcoming(ports, scope, None, 10) if memory.due_at
    ]
    assert due == [first.date(), second.date()]
    assert len(await list_all(ports, scope)) == 1


async def test_deep_goes_from_memory_to_entity_to_memory(ports: Ports, scope: Scope) -> None:
    """The answer shares no word with the question, but a name with a memory that does."""
    await save_all(ports, scope, *(f"Shelf {n} holds jars of pickled beets." for n in range(12)))
    start, answer = await save_all(
        ports, scope, "The bridge to the island was designed by Ottoline Vanterpool.",
        "Ottoline Vanterpool keeps bees.",
    )  # fmt: skip

    async def found_ids(mode: str) -> list[UUID]:
        text = "Which bridge leads to the island?"
        query = Query(text, None, mode=mode, fusion="rrf", limit=11, weak=True)  # type: ignore[arg-type]
        hits = (await find(ports, scope, query)).hits
        return [memory.id for hit in hits for memory in hit.memories]

    deep = await found_ids("deep")
    assert start.id in deep and answer.id in deep
    assert answer.id not in await found_ids("fast")
