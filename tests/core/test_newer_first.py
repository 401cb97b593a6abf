"""A chunk is ranked after the one that replaces it, which takes its score."""

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


def move_newer(
    order: list[Ranked], *replacements: Replacement, added: Ranked | None = None
) -> list[Ranked]:
    replaced = {OLD: replacements or (NEWER,)}
    additions = {MEMORY_ID: added} if added else {}
    return move_newer_first(order, replacement_pairs(order, replaced), additions)


def ids_and_scores(order: list[Ranked]) -> list[tuple[UUID, float]]:
    return [(result.chunk_id or result.id, result.score) for result in order]


def test_both_change_their_scores_and_record_by_how_much() -> None:
    order = [chunk(OLD, 0.9), chunk(OTHER, 0.7), chunk(NEW, 0.5, memory_ids=(MEMORY_ID,))]
    moved = move_newer(order)
    assert ids_and_scores(moved) == [(NEW, 0.9), (OTHER, 0.7), (OLD, 0.5)]
    assert [result.parts.evidence.get("prefer_newer") for result in moved] == [
        pytest.approx(0.4),
        None,
        pytest.approx(-0.4),
    ]


def test_the_chunk_of_the_newer_memory_is_moved() -> None:
    assert ids_and_scores(move_newer([chunk(OLD, 0.9), chunk(NEW, 0.5)])) == [
        (NEW, 0.9),
        (OLD, 0.5),
    ]


@pytest.mark.parametrize(
    ("spans", "outdated"),
    [([(0, 6)], True), ([(0, 5)], False), ([(0, 3), (4, 7)], True), ([(0, 3), (0, 3)], False)],
)
def test_a_chunk_is_outdated_if_most_of_it_was_replaced(
    spans: list[tuple[int, int]], outdated: bool
) -> None:
    assert is_outdated([{"first": a, "last": b, "chars": 10} for a, b in spans]) is outdated


def test_a_newer_chunk_that_is_first_already_stays() -> None:
    order = [chunk(NEW, 0.9), chunk(OLD, 0.5)]
    assert move_newer(order) == order


def test_a_weak_newer_chunk_is_moved_to_just_before_the_old_one() -> None:
    order = [chunk(OLD, 0.9), chunk(OTHER, 0.7), chunk(NEW, 0.1, is_weak=True)]
    moved = move_newer(order)
    assert ids_and_scores(moved) == [(NEW, 0.9), (OLD, 0.9), (OTHER, 0.7)]
    assert not moved[0].is_weak


def test_a_newer_chunk_that_is_not_found_is_added_once() -> None:
    order = [chunk(OLD, 0.9), chunk(OTHER, 0.7)]
    assert ids_and_scores(move_newer(order, added=chunk(NEW, 0.0))) == [
        (NEW, 0.9),
        (OLD, 0.9),
        (OTHER, 0.7),
    ]
    assert move_newer(order) == order
    replaced = {OLD: (NEWER,), OTHER: (NEWER,)}
    moved = move_newer_first(
        order, replacement_pairs(order, replaced), {MEMORY_ID: chunk(NEW, 0.0)}
    )
    assert ids_and_scores(moved) == [(NEW, 0.9), (OLD, 0.9), (OTHER, 0.7)]


def test_a_weak_old_chunk_adds_nothing() -> None:
    order = [chunk(OLD, 0.1, is_weak=True)]
    assert move_newer(order, added=chunk(NEW, 0.0)) == order


def test_a_chunk_that_is_found_for_a_current_statement_stays() -> None:
    order = [chunk(OLD, 0.9, kind=MEMORY, memory_ids=(SECOND_ID,)), chunk(NEW, 0.5)]
    assert move_newer(order) == order


def test_of_several_replacements_only_those_found_are_moved() -> None:
    other = Replacement(SECOND_ID, "The bin is in the yard.", "fact", NOW, OTHER)
    order = [chunk(OLD, 0.9), chunk(NEW, 0.5), chunk(OTHER, 0.1, is_weak=True)]
    assert ids_and_scores(move_newer(order, other, NEWER)) == [(NEW, 0.9), (OLD, 0.5), (OTHER, 0.1)]


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
def test_a_query_about_the_past(query: str) -> None:
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
def test_a_query_that_is_not_about_the_past(query: str) -> None:
    assert not asks_past(query, NOW)
