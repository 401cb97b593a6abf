"""A change that the reader is not sure of replaces nothing: a person says which memory is true."""

from uuid import UUID, uuid4

import pytest

from remem.core.errors import Invalid, NotFound
from remem.core.memories import memory_store
from remem.core.memories.contradictions import Truth, list_contradictions, settle
from remem.core.memories.model import Memory
from remem.core.ports import Ports
from remem.core.readings import Verdict
from remem.core.scope import Scope
from remem.core.search.replaced import replacements_of
from tests.core.memories import save
from tests.core.test_read_by_model import TrainedReader, read_by

pytestmark = pytest.mark.anyio

OLD, NEW = "Müllabfuhr ist dienstags", "Müllabfuhr jetzt eher donnerstags"

UNSURE = Verdict(0, 0.7, 0, 0.3, 0)


async def save_pair(ports: Ports, scope: Scope, probability: float) -> tuple[UUID, UUID]:
    verdict = Verdict(0, probability, 0, 1 - probability, 0)
    unsure = read_by(ports, TrainedReader(verdict=verdict))
    older = await save(unsure, scope, OLD)
    newer = await save(unsure, scope, NEW)
    return newer.memory.id, older.memory.id


async def open_pairs(ports: Ports, scope: Scope) -> list[tuple[UUID, UUID]]:
    page = await list_contradictions(ports, scope, None, None, 10)
    assert page.total == len(page.contradictions)
    return [(pair.newer.id, pair.older.id) for pair in page.contradictions]


async def current(ports: Ports, scope: Scope, *ids: UUID) -> list[bool]:
    return [memory.is_shown for memory in await memories(ports, scope, *ids)]


async def memories(ports: Ports, scope: Scope, *ids: UUID) -> list[Memory]:
    async with ports.db.transaction(scope) as tx:
        return [await memory_store.require(tx, id) for id in ids]


@pytest.mark.parametrize(("probability", "is_asked"), [(0.7, True), (0.2, False)])
async def test_an_uncertain_change_is_asked_about(
    ports: Ports, scope: Scope, probability: float, is_asked: bool
) -> None:
    pair = await save_pair(ports, scope, probability)
    assert await open_pairs(ports, scope) == ([pair] if is_asked else [])
    assert await current(ports, scope, *pair) == [True, True]


@pytest.mark.parametrize(
    ("truth", "kept"), [("newer", [True, False]), ("older", [False, True]), ("both", [True, True])]
)
async def test_a_person_says_which_is_true_and_can_undo_it(
    ports: Ports, scope: Scope, truth: Truth, kept: list[bool]
) -> None:
    pair = await save_pair(ports, scope, 0.7)
    await settle(ports, scope, *pair, truth)
    assert await open_pairs(ports, scope) == []
    assert await current(ports, scope, *pair) == kept
    replaced = await replacements_of(ports, scope, await memories(ports, scope, *pair))
    assert len(replaced) == kept.count(False)
    await settle(ports, scope, *pair, "open")
    assert await current(ports, scope, *pair) == [True, True]
    assert await open_pairs(ports, scope) == [pair]


async def test_pairs_are_listed_by_project_a_page_at_a_time(ports: Ports, scope: Scope) -> None:
    pair = await save_pair(ports, scope, 0.7)
    page = await list_contradictions(ports, scope, None, None, 1)
    assert (len(page.contradictions), page.next) == (1, None)
    project = page.contradictions[0].newer.project_id
    third = await save(read_by(ports, TrainedReader(verdict=UNSURE)), scope, "Müllabfuhr freitags")
    first = await list_contradictions(ports, scope, project, None, 1)
    rest = await list_contradictions(ports, scope, project, first.next, 5)
    found = [(c.newer.id, c.older.id) for c in (*first.contradictions, *rest.contradictions)]
    assert found[0][0] == third.memory.id
    assert (len(found), len(set(found)), found[-1]) == (3, 3, pair)
    other = await save(ports, scope, "Something else", project="other", create_project=True)
    page = await list_contradictions(ports, scope, other.memory.project_id, None, 5)
    assert (page.contradictions, page.total) == ([], 0)


async def test_a_decision_can_be_changed(ports: Ports, scope: Scope) -> None:
    pair = await save_pair(ports, scope, 0.7)
    await settle(ports, scope, *pair, "newer")
    await settle(ports, scope, *pair, "older")
    assert await current(ports, scope, *pair) == [False, True]
    await settle(ports, scope, *pair, "older")
    assert await current(ports, scope, *pair) == [False, True]


async def test_what_is_no_pair_cannot_be_settled(ports: Ports, scope: Scope) -> None:
    newer, older = await save_pair(ports, scope, 0.2)
    with pytest.raises(NotFound):
        await settle(ports, scope, newer, uuid4(), "newer")
    with pytest.raises(Invalid, match="older_id"):
        await settle(ports, scope, newer, newer, "newer")
    assert await current(ports, scope, newer, older) == [True, True]


async def test_versions_of_a_memory_are_no_pair(ports: Ports, scope: Scope) -> None:
    newer, older = await save_pair(ports, scope, 0.99)
    assert await current(ports, scope, newer, older) == [True, False]
    with pytest.raises(NotFound):
        await settle(ports, scope, newer, older, "both")
