"""What a person says, changes or forgets stays so, whatever is done to the documents that say the
same."""

from collections.abc import Callable

import pytest

from tests.conftest import Person
from tests.surfaces.rest.documents_desk import ALLERGY, EARLY, LATER, LATEST, TEA, Desk

DOG = "The dog is called Rex."
CORRECTED = "Anna is allergic to walnuts."


@pytest.fixture
def desk(person: Person) -> Desk:
    return Desk(person)


def test_their_own_statement_is_valid_again_behind_several_changes(desk: Desk) -> None:
    project = desk.project()
    desk.remember(EARLY, project)
    document = desk.change(desk.save(LATER, project), content=LATEST)
    desk.change(document, content=TEA)
    assert desk.said(project) == sorted([EARLY, TEA])


def _give_another_title(desk: Desk, id: str) -> None:
    desk.change(id, title="Another")


def _delete_and_restore(desk: Desk, id: str) -> None:
    desk.trash(id)
    desk.restore(id)


def _add_something(desk: Desk, id: str) -> None:
    desk.change(id, content=f"{ALLERGY} {DOG}")


@pytest.mark.parametrize(
    "treat, others",
    [
        (_give_another_title, []),
        (_delete_and_restore, []),
        (_add_something, [DOG]),
        (Desk.erase, []),
        (Desk.trash, []),
    ],
)
def test_a_correction_stays(
    desk: Desk, treat: Callable[[Desk, str], None], others: list[str]
) -> None:
    project = desk.project()
    document = desk.save(ALLERGY, project)
    desk.correct(project, ALLERGY, CORRECTED)
    treat(desk, document)
    assert desk.said(project) == sorted([CORRECTED, *others])


def test_a_correction_moves_with_the_document(desk: Desk) -> None:
    here, there = desk.project(), desk.project()
    document = desk.save(ALLERGY, here)
    desk.correct(here, ALLERGY, CORRECTED)
    desk.change(document, project=there)
    assert (desk.said(here), desk.said(there)) == ([], [CORRECTED])


def test_forgotten_though_they_said_it_too(desk: Desk) -> None:
    project = desk.project()
    document = desk.save(f"{ALLERGY} {TEA}", project)
    desk.remember(ALLERGY, project)
    desk.forget(project, ALLERGY)
    desk.change(document, title="Another")
    assert desk.said(project) == [TEA]


def test_forgotten_where_another_document_comes_to(desk: Desk) -> None:
    here, there = desk.project(), desk.project()
    desk.save(f"{ALLERGY} {DOG}", there)
    desk.forget(there, ALLERGY)
    desk.change(desk.save(f"{ALLERGY} {TEA}", here), project=there)
    assert desk.said(there) == sorted([DOG, TEA])


def test_forgotten_while_a_document_was_deleted(desk: Desk) -> None:
    project = desk.project()
    deleted = desk.save(ALLERGY, project)
    desk.trash(deleted)
    desk.save(f"{ALLERGY} {TEA}", project)
    desk.forget(project, ALLERGY)
    desk.restore(deleted)
    assert desk.said(project) == [TEA]


def test_forgotten_in_the_project_above(desk: Desk) -> None:
    above = desk.project()
    below = desk.project(f"{above}.")
    desk.save(f"{ALLERGY} {DOG}", above)
    desk.forget(above, ALLERGY)
    desk.save(f"{ALLERGY} {TEA}", below)
    desk.archive(below)
    assert desk.said(above) == sorted([DOG, TEA])


def test_forgotten_in_one_project_and_not_in_another(desk: Desk) -> None:
    here, there = desk.project(), desk.project()
    desk.save(f"{ALLERGY} {DOG}", here)
    desk.forget(here, ALLERGY)
    moved = desk.save(ALLERGY, here)
    desk.change(moved, project=there)
    assert desk.said(there) == [ALLERGY]
    desk.change(moved, project=here)
    assert (desk.said(here), desk.said(there)) == ([DOG], [])


def test_a_moved_document_says_there_what_they_said_here(desk: Desk) -> None:
    here, there = desk.project(), desk.project()
    desk.remember(ALLERGY, here)
    desk.change(desk.save(f"{ALLERGY} {TEA}", here), project=there)
    assert (desk.said(here), desk.said(there)) == ([ALLERGY], sorted([ALLERGY, TEA]))
