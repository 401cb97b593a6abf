"""What a person states, corrects or forgets persists, whatever happens to documents that say the
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


def test_a_persons_statement_is_valid_again_after_several_changes(desk: Desk) -> None:
    project = desk.project()
    desk.remember(EARLY, project)
    document = desk.change(desk.save(LATER, project), content=LATEST)
    desk.change(document, content=TEA)
    assert desk.contents(project) == sorted([EARLY, TEA])


def _change_title(desk: Desk, id: str) -> None:
    desk.change(id, title="Another")


def _delete_and_restore(desk: Desk, id: str) -> None:
    desk.trash(id)
    desk.restore(id)


def _add_sentence(desk: Desk, id: str) -> None:
    desk.change(id, content=f"{ALLERGY} {DOG}")


@pytest.mark.parametrize(
    "operation, others",
    [
        (_change_title, []),
        (_delete_and_restore, []),
        (_add_sentence, [DOG]),
        (Desk.erase, []),
        (Desk.trash, []),
    ],
)
def test_a_correction_persists(
    desk: Desk, operation: Callable[[Desk, str], None], others: list[str]
) -> None:
    project = desk.project()
    document = desk.save(ALLERGY, project)
    desk.correct(project, ALLERGY, CORRECTED)
    operation(desk, document)
    assert desk.contents(project) == sorted([CORRECTED, *others])


def test_a_correction_moves_with_the_document(desk: Desk) -> None:
    source, target = desk.project(), desk.project()
    document = desk.save(ALLERGY, source)
    desk.correct(source, ALLERGY, CORRECTED)
    desk.change(document, project=target)
    assert (desk.contents(source), desk.contents(target)) == ([], [CORRECTED])


def test_forgotten_although_the_person_stated_it_too(desk: Desk) -> None:
    project = desk.project()
    document = desk.save(f"{ALLERGY} {TEA}", project)
    desk.remember(ALLERGY, project)
    desk.forget(project, ALLERGY)
    desk.change(document, title="Another")
    assert desk.contents(project) == [TEA]


def test_forgotten_in_a_project_that_another_document_moves_to(desk: Desk) -> None:
    source, target = desk.project(), desk.project()
    desk.save(f"{ALLERGY} {DOG}", target)
    desk.forget(target, ALLERGY)
    desk.change(desk.save(f"{ALLERGY} {TEA}", source), project=target)
    assert desk.contents(target) == sorted([DOG, TEA])


def test_forgotten_while_a_document_was_deleted(desk: Desk) -> None:
    project = desk.project()
    deleted = desk.save(ALLERGY, project)
    desk.trash(deleted)
    desk.save(f"{ALLERGY} {TEA}", project)
    desk.forget(project, ALLERGY)
    desk.restore(deleted)
    assert desk.contents(project) == [TEA]


def test_forgotten_in_the_parent_project(desk: Desk) -> None:
    parent = desk.project()
    child = desk.project(f"{parent}.")
    desk.save(f"{ALLERGY} {DOG}", parent)
    desk.forget(parent, ALLERGY)
    desk.save(f"{ALLERGY} {TEA}", child)
    desk.archive(child)
    assert desk.contents(parent) == sorted([DOG, TEA])


def test_forgotten_in_one_project_and_not_in_another(desk: Desk) -> None:
    source, target = desk.project(), desk.project()
    desk.save(f"{ALLERGY} {DOG}", source)
    desk.forget(source, ALLERGY)
    moved = desk.save(ALLERGY, source)
    desk.change(moved, project=target)
    assert desk.contents(target) == [ALLERGY]
    desk.change(moved, project=source)
    assert (desk.contents(source), desk.contents(target)) == ([DOG], [])


def test_a_moved_document_keeps_a_statement_that_the_person_made_too(desk: Desk) -> None:
    source, target = desk.project(), desk.project()
    desk.remember(ALLERGY, source)
    desk.change(desk.save(f"{ALLERGY} {TEA}", source), project=target)
    assert (desk.contents(source), desk.contents(target)) == ([ALLERGY], sorted([ALLERGY, TEA]))
