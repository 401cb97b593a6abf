"""What a night adds by itself: links, insights, ends and due dates, with their sources."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from remem.core.evolution.upkeep.derive import derive_all
from remem.core.graph.link import links_of
from remem.core.index.kinds import MEMORY
from remem.core.memories.browse import list_memories, upcoming
from remem.core.memories.model import Memory, MemoryChoice
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.search.find import find
from remem.core.search.model import Query
from tests.core.memories import save

pytestmark = pytest.mark.anyio

FOREVER = float("inf")
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


async def saved(ports: Ports, scope: Scope, *texts: str, **fields: Any) -> list[Memory]:
    return [(await save(ports, scope, text, **fields)).memory for text in texts]


async def every(ports: Ports, scope: Scope, **choice: Any) -> list[Memory]:
    return (await list_memories(ports, scope, MemoryChoice(**choice), None, 100)).memories


async def linked(ports: Ports, scope: Scope, id: UUID, relation: str) -> set[UUID]:
    async with ports.db.transaction(scope) as tx:
        links = await links_of(tx, scope, MEMORY, [id], [relation])
    return {end for link in links for end in (link.from_id, link.to_id)} - {id}


@pytest.mark.parametrize("order", [1, -1], ids=["as told", "the other way round"])
async def test_two_memories_make_an_insight_that_waits_for_review(
    ports: Ports, scope: Scope, order: int
) -> None:
    pair = ["Maya works at Nordlys.", "Nordlys is in Tromsø."]
    sources = await saved(ports, scope, *pair[::order])
    done = await derive_all(ports, scope, None, FOREVER)
    assert done.result["insights"] == 1
    [insight] = await every(ports, scope, category="insight")
    assert insight.content == "Maya works at Nordlys. Nordlys is in Tromsø."
    assert insight.context["review"] == "pending"
    assert await linked(ports, scope, insight.id, "derives") == {one.id for one in sources}
    assert (await derive_all(ports, scope, None, FOREVER)).result["insights"] == 0


async def test_what_is_denied_or_about_something_else_makes_none(
    ports: Ports, scope: Scope
) -> None:
    await saved(
        ports, scope, "Maya does not work at Nordlys.", "Nordlys is in Tromsø.",
        "Maya likes Oslo.", "The hiking club meets at the mill.",
    )  # fmt: skip
    assert (await derive_all(ports, scope, None, FOREVER)).result["insights"] == 0


async def test_a_voucher_ends_when_it_says_so_and_is_found_no_more(
    ports: Ports, scope: Scope
) -> None:
    [voucher] = await saved(
        ports, scope, "The spa voucher is valid until 5 March 2026.", said_at=NOON
    )
    await derive_all(ports, scope, None, FOREVER)
    async with ports.db.transaction(scope) as tx:
        until = await tx.fetchval("SELECT valid_until FROM memories WHERE id = $1", voucher.id)
    assert until is not None and until.date().isoformat() in ("2026-03-05", "2026-03-06")
    query = Query("Where is the spa voucher?", None, mode="balanced", fusion="rrf")
    found = await find(ports, scope, query)
    assert voucher.id not in {memory.id for hit in found.hits for memory in hit.memories}


async def test_every_due_date_of_a_statement_is_known(ports: Ports, scope: Scope) -> None:
    soon = datetime.now(UTC).replace(hour=9)
    first, second = (soon + timedelta(days=days) for days in (10, 40))
    text = (
        f"The tax form is due on {first:%d %B %Y}, and the rent deposit is due on"
        f" {second:%d %B %Y}."
    )
    await saved(ports, scope, text, said_at=soon)
    await derive_all(ports, scope, None, FOREVER)
    due = [one.due_at.date() for one in await upcoming(ports, scope, None, 10) if one.due_at]
    assert due == [first.date(), second.date()]
    assert len(await every(ports, scope)) == 1


async def test_deep_goes_from_memory_to_entity_to_memory(ports: Ports, scope: Scope) -> None:
    """The answer shares no word with the question, but a name with what does."""
    await saved(ports, scope, *(f"Shelf {n} holds jars of pickled beets." for n in range(12)))
    start, answer = await saved(
        ports, scope, "The bridge to the island was designed by Ottoline Vanterpool.",
        "Ottoline Vanterpool keeps bees.",
    )  # fmt: skip

    async def shown(mode: str) -> list[UUID]:
        text = "Which bridge leads to the island?"
        query = Query(text, None, mode=mode, fusion="rrf", limit=5, weak=True)  # type: ignore[arg-type]
        hits = (await find(ports, scope, query)).hits
        return [memory.id for hit in hits for memory in hit.memories]

    deep = await shown("deep")
    assert start.id in deep and answer.id in deep
    assert answer.id not in await shown("fast")
