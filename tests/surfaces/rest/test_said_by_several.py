"""Documents that say the same, or replace what others say, are deleted, restored, changed, moved
and archived: what is valid is what the documents say that are there."""

from collections.abc import Callable

import pytest

from tests.conftest import Person
from tests.surfaces.rest.documents_desk import ALLERGY, EARLY, LATER, LATEST, TEA, Desk


@pytest.fixture
def desk(person: Person) -> Desk:
    return Desk(person)


@pytest.mark.parametrize("remove", [Desk.erase, Desk.trash])
def test_what_was_restored_can_be_deleted_though_another_that_said_it_is_gone(
    desk: Desk, remove: Callable[[Desk, str], None]
) -> None:
    project = desk.project()
    first = desk.save(ALLERGY, project, tags=["a"])
    second = desk.save(f"{ALLERGY} {TEA}", project, tags=["b"])
    desk.trash(first)
    remove(desk, second)
    desk.restore(first)
    assert desk.said(project) == [ALLERGY]
    assert desk.tags(project, ALLERGY) == ["a"]
    desk.erase(first)
    assert desk.said(project) == []


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_statement_is_valid_again_when_all_that_replaced_it_is_gone(
    desk: Desk, order: tuple[int, int]
) -> None:
    project = desk.project()
    desk.remember(EARLY, project)
    newer = [desk.save(LATER, project), desk.save(LATEST, project)]
    assert desk.said(project) == [LATEST]
    for place in order:
        desk.erase(newer[place])
    assert desk.said(project) == [EARLY]


def test_one_in_the_middle_is_restored_to_its_place(desk: Desk) -> None:
    project = desk.project()
    desk.save(EARLY, project)
    middle, last = desk.save(LATER, project), desk.save(LATEST, project)
    desk.trash(middle)
    desk.restore(middle)
    assert desk.said(project) == [LATEST]
    desk.erase(last)
    assert desk.said(project) == [LATER]
    desk.erase(middle)
    assert desk.said(project) == [EARLY]


def test_a_document_that_says_it_no_more_replaces_nothing(desk: Desk) -> None:
    project = desk.project()
    desk.save(EARLY, project)
    changed = desk.change(desk.save(LATER, project), content=TEA)
    assert desk.said(project) == sorted([EARLY, TEA])
    desk.erase(changed)
    assert desk.said(project) == [EARLY]


def test_what_has_ended_between_is_left_out(desk: Desk) -> None:
    here, there = desk.project(), desk.project()
    desk.save(EARLY, here)
    moved = desk.save(LATER, here)
    ended = desk.save(LATEST, here)
    desk.change(ended, content=TEA)
    assert desk.said(here) == sorted([LATER, TEA])
    desk.change(moved, project=there)
    assert (desk.said(here), desk.said(there)) == (sorted([EARLY, TEA]), [LATER])


def test_what_is_said_again_rests_on_all_its_documents(desk: Desk) -> None:
    project = desk.project()
    first = desk.save(EARLY, project)
    second = desk.save(f"{EARLY} {TEA}", project)
    desk.change(desk.save(LATER, project), content="Maya works at Nordlys.")
    desk.trash(second)
    evidence = desk.memory(project, EARLY)["evidence"]
    assert (evidence["document_id"], evidence.get("also")) == (first, None)


def test_what_two_say_is_in_the_project_of_each(desk: Desk) -> None:
    here, there = desk.project(), desk.project()
    moved = desk.save(ALLERGY, here, tags=["a"])
    desk.save(f"{ALLERGY} {TEA}", here, tags=["b"])
    desk.change(moved, project=there)
    assert (desk.said(here), desk.said(there)) == (sorted([ALLERGY, TEA]), [ALLERGY])
    assert (desk.tags(here, ALLERGY), desk.tags(there, ALLERGY)) == (["b"], ["a"])
    desk.change(moved, project=here)
    assert (desk.said(here), desk.said(there)) == (sorted([ALLERGY, TEA]), [])
    desk.change(moved, project=there)
    assert desk.person.http.delete(f"/v3/projects/{here}").status_code == 204
    assert desk.said(there) == [ALLERGY]


@pytest.mark.parametrize("fields", [{}, {"title": "Another"}])
def test_what_a_moved_document_replaced_is_valid_again(desk: Desk, fields: dict[str, str]) -> None:
    here, there = desk.project(), desk.project()
    desk.save(EARLY, here)
    moved = desk.save(LATER, here)
    desk.change(moved, project=there, **fields)
    assert (desk.said(here), desk.said(there)) == ([EARLY], [LATER])
    desk.change(moved, project=here)
    assert (desk.said(here), desk.said(there)) == ([LATER], [])


def test_an_archive_keeps_what_each_document_says(desk: Desk) -> None:
    above = desk.project()
    below = desk.project(f"{above}.")
    kept = desk.save(f"{ALLERGY} {TEA}", above, tags=["a"])
    desk.save(f"{ALLERGY} Maya works at Nordlys.", below, tags=["b"])
    desk.save(LATER, below)
    desk.save(EARLY, above)
    desk.archive(below)
    assert desk.tags(above, ALLERGY) == ["a", "b"]
    desk.erase(kept)
    assert desk.said(above) == [ALLERGY, "Maya works at Nordlys.", EARLY]
    assert desk.tags(above, ALLERGY) == ["b"]


def test_a_copy_that_an_archive_drops_leaves_its_places_to_the_one_that_is_kept(desk: Desk) -> None:
    above = desk.project()
    below = desk.project(f"{above}.")
    kept = desk.save(ALLERGY, above)
    desk.save(ALLERGY, below)
    desk.archive(below)
    assert desk.said(above) == [ALLERGY]
    desk.erase(kept)
    assert desk.said(above) == []


def test_what_was_replaced_by_one_that_is_gone_is_restored_as_valid(desk: Desk) -> None:
    project = desk.project()
    early, later = desk.save(EARLY, project), desk.save(LATER, project)
    desk.trash(early)
    desk.trash(later)
    desk.restore(early)
    assert desk.said(project) == [EARLY]
    desk.restore(later)
    assert desk.said(project) == [LATER]
    assert len(desk.memories(project)) == 1


def test_what_is_restored_gives_way_to_what_was_said_since(desk: Desk) -> None:
    project = desk.project()
    early = desk.save(EARLY, project)
    desk.trash(early)
    desk.save(LATER, project)
    desk.restore(early)
    assert desk.said(project) == [LATER]


def test_one_of_more_documents_than_are_recorded_still_says_it(desk: Desk) -> None:
    project = desk.project()
    for number in range(22):
        desk.person.save(f"{ALLERGY} Locker {number} is blue.", project=project)
    desk.settle()
    evidence = desk.memory(project, ALLERGY)["evidence"]
    ids = [place["document_id"] for place in (evidence, *evidence["also"])]
    body = {"ids": ids, "action": "delete", "undo": False}
    assert desk.person.post("/v3/documents/bulk", body).status_code == 200
    desk.settle()
    assert ALLERGY in desk.said(project)


def test_tags_go_with_the_document_that_says_it_no_more(desk: Desk) -> None:
    project = desk.project()
    changed = desk.save(ALLERGY, project, tags=["a"])
    other = desk.save(f"{ALLERGY} {TEA}", project, tags=["b"])
    desk.change(changed, content="Maya works at Nordlys.")
    assert desk.tags(project, ALLERGY) == ["b"]
    desk.trash(other)
    desk.restore(other)
    assert desk.tags(project, ALLERGY) == ["b"]


def test_a_restored_document_brings_its_own_tags_only(desk: Desk) -> None:
    project = desk.project()
    stays = desk.save(ALLERGY, project, tags=["a"])
    goes = desk.save(f"{ALLERGY} {TEA}", project, tags=["b"])
    desk.trash(goes)
    desk.change(stays, tags=["c"])
    desk.restore(goes)
    assert desk.tags(project, ALLERGY) == ["b", "c"]


def test_what_was_forgotten_stays_so_while_a_document_says_it(desk: Desk) -> None:
    project = desk.project()
    first = desk.save(ALLERGY, project)
    desk.forget(project, ALLERGY)
    second = desk.save(f"{ALLERGY} {TEA}", project)
    desk.erase(first)
    desk.trash(second)
    desk.restore(second)
    desk.change(second, title="Another")
    assert desk.said(project) == [TEA]


def test_one_that_restates_it_takes_the_time_along(desk: Desk) -> None:
    here, there = desk.project(), desk.project()
    desk.save(EARLY, here)
    later = desk.save(LATER, there)
    desk.erase(desk.save(f"{EARLY} {TEA}", here))
    desk.change(later, project=here)
    assert desk.said(here) == [LATER]


def test_a_restored_document_says_nothing_in_another_project(desk: Desk) -> None:
    here, there = desk.project(), desk.project()
    restored = desk.save(ALLERGY, here)
    moved = desk.save(f"{ALLERGY} {TEA}", here)
    desk.trash(restored)
    desk.change(moved, project=there)
    desk.restore(restored)
    assert (desk.said(here), desk.said(there)) == ([ALLERGY], sorted([ALLERGY, TEA]))
    desk.erase(moved)
    assert (desk.said(here), desk.said(there)) == ([ALLERGY], [])


def test_what_is_merged_later_stands_on_both_documents(desk: Desk) -> None:
    here, there = desk.project(), desk.project()
    first = desk.save(f"{ALLERGY} {TEA}", here, title="Kitchen notes", tags=["a"])
    second = desk.save(ALLERGY, there, title="Guests", tags=["b"])
    desk.change(second, project=here)
    desk.erase(first)
    assert desk.said(here) == [ALLERGY]


def test_a_title_of_the_old_text_goes_with_it(desk: Desk) -> None:
    project = desk.project()
    for before in (TEA, LATER):
        desk.change(desk.save(before, project), content=f"{ALLERGY} Room {len(before)} is blue.")
    assert desk.said(project).count(ALLERGY) == 1
    titles = [one["title"] for one in desk.person.http.get("/v3/documents").json()["documents"]]
    assert not {TEA, LATER} & set(titles)


def test_a_tag_stays_while_another_document_has_it(desk: Desk) -> None:
    project = desk.project()
    desk.save(ALLERGY, project, tags=["a"])
    retagged = desk.save(f"{ALLERGY} {TEA}", project, tags=["a", "b"])
    desk.change(retagged, tags=["c"])
    assert desk.tags(project, ALLERGY) == ["a", "c"]


def test_what_was_said_since_is_valid_when_nobody_repeats_the_old_any_more(desk: Desk) -> None:
    project = desk.project()
    desk.save(EARLY, project)
    desk.save(LATER, project)
    repeats = desk.save(f"{EARLY} {TEA}", project)
    assert desk.said(project) == sorted([EARLY, TEA])
    desk.change(repeats, content=TEA)
    assert desk.said(project) == sorted([LATER, TEA])


def test_one_that_was_said_twice_is_as_old_as_who_still_says_it(desk: Desk) -> None:
    project, elsewhere = desk.project(), desk.project()
    desk.save(EARLY, elsewhere)
    later = desk.save(LATER, project)
    desk.save(f"{EARLY} {TEA}", elsewhere)
    repeats = desk.save(f"{EARLY} The dog is called Rex.", elsewhere)
    desk.change(later, project=elsewhere)
    assert EARLY in desk.said(elsewhere)
    desk.erase(repeats)
    assert EARLY in desk.said(elsewhere)
