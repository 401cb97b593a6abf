"""What replaces a chunk goes before it, with its score."""

from uuid import UUID

import pytest

from remem.core.index.kinds import CHUNK, MEMORY
from remem.core.search.model import Ranked, Replacement, ScoreParts
from remem.core.search.newer_first import move_newer_first, replacement_pairs
from remem.core.search.plan import asks_past
from remem.core.search.replaced import is_outdated
from tests.core.pools import NOW

OLD, NEW, OTHER, MEMORY_ID, SECOND_ID = (UUID(int=n) for n in range(1, 6))
NEWER = Replacement(MEMORY_ID, "The desk is in room 9.", "fact", NOW, NEW)


def chunk(id: UUID, score: float, **fields: object) -> Ranked:
    return Ranked(id, UUID(int=100 + id.int), score, ScoreParts(), CHUNK, id)._replace(**fields)


def after(order: list[Ranked], *by: Replacement, added: Ranked | None = None) -> list[Ranked]:
    replaced = {OLD: by or (NEWER,)}
    more = {MEMORY_ID: added} if added else {}
    return move_newer_first(order, replacement_pairs(order, replaced), more)


def places(order: list[Ranked]) -> list[tuple[UUID, float]]:
    return [(one.chunk_id or one.id, one.score) for one in order]


def test_both_change_their_scores_and_say_so() -> None:
    order = [chunk(OLD, 0.9), chunk(OTHER, 0.7), chunk(NEW, 0.5, memory_ids=(MEMORY_ID,))]
    found = after(order)
    assert places(found) == [(NEW, 0.9), (OTHER, 0.7), (OLD, 0.5)]
    assert [one.parts.evidence.get("prefer_newer") for one in found] == [
        pytest.approx(0.4),
        None,
        pytest.approx(-0.4),
    ]


def test_the_chunk_of_the_newer_one_stands_for_it() -> None:
    assert places(after([chunk(OLD, 0.9), chunk(NEW, 0.5)])) == [(NEW, 0.9), (OLD, 0.5)]


@pytest.mark.parametrize(
    ("spans", "outdated"),
    [([(0, 6)], True), ([(0, 5)], False), ([(0, 3), (4, 7)], True), ([(0, 3), (0, 3)], False)],
)
def test_a_chunk_is_outdated_where_most_of_it_was_replaced(
    spans: list[tuple[int, int]], outdated: bool
) -> None:
    assert is_outdated([{"first": a, "last": b, "chars": 10} for a, b in spans]) is outdated


def test_what_goes_before_already_stays() -> None:
    order = [chunk(NEW, 0.9), chunk(OLD, 0.5)]
    assert after(order) == order


def test_one_that_is_hardly_found_comes_just_before() -> None:
    order = [chunk(OLD, 0.9), chunk(OTHER, 0.7), chunk(NEW, 0.1, is_weak=True)]
    found = after(order)
    assert places(found) == [(NEW, 0.9), (OLD, 0.9), (OTHER, 0.7)]
    assert not found[0].is_weak


def test_one_that_is_not_found_is_added_before_every_old_one_once() -> None:
    order = [chunk(OLD, 0.9), chunk(OTHER, 0.7)]
    assert places(after(order, added=chunk(NEW, 0.0))) == [(NEW, 0.9), (OLD, 0.9), (OTHER, 0.7)]
    assert after(order) == order
    both = {OLD: (NEWER,), OTHER: (NEWER,)}
    found = move_newer_first(order, replacement_pairs(order, both), {MEMORY_ID: chunk(NEW, 0.0)})
    assert places(found) == [(NEW, 0.9), (OLD, 0.9), (OTHER, 0.7)]


def test_a_weak_one_brings_nothing_in() -> None:
    order = [chunk(OLD, 0.1, is_weak=True)]
    assert after(order, added=chunk(NEW, 0.0)) == order


def test_a_chunk_that_is_found_by_what_it_still_says_stays() -> None:
    order = [chunk(OLD, 0.9, kind=MEMORY, memory_ids=(SECOND_ID,)), chunk(NEW, 0.5)]
    assert after(order) == order


def test_of_several_only_those_that_are_found_go_before() -> None:
    other = Replacement(SECOND_ID, "The bin is in the yard.", "fact", NOW, OTHER)
    order = [chunk(OLD, 0.9), chunk(NEW, 0.5), chunk(OTHER, 0.1, is_weak=True)]
    assert places(after(order, other, NEWER)) == [(NEW, 0.9), (OLD, 0.5), (OTHER, 0.1)]


@pytest.mark.parametrize(
    "query",
    [
        "what was the safe code before?",
        "our previous dentist",
        "where did Ines use to work, and where she used to live",
        "the old phone number",
        "my former landlord",
        "what was the rent originally?",
        "who was first our vet?",
        "what was the wifi password in May 2024?",
    ],
)
def test_who_asks_how_things_were(query: str) -> None:
    assert asks_past(query, NOW)


@pytest.mark.parametrize(
    "query",
    [
        "what is the safe code?",
        "safe code",
        "when is the choir rehearsal?",
        "how old is Ben?",
        "what is the first name of the vet?",
        "when does the passport expire?",
        "my previous landlord, where is she currently",
        "the meeting on 3 March 2031",
        "",
    ],
)
def test_who_does_not(query: str) -> None:
    assert not asks_past(query, NOW)
