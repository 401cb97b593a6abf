"""Documents that say the same, or replace what others say, are deleted, restored, changed, moved
and archived: valid are always the statements of the existing documents."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from remem.core.ports import Ports
from tests.conftest import Person
from tests.surfaces.rest.documents_desk import ALLERGY, EARLY, LATER, LATEST, TEA, Desk
from tests.surfaces.rest.rows import change


@pytest.fixture
def desk(person: Person) -> Desk:
    return Desk(person)


@pytest.mark.parametrize("remove", [Desk.erase, Desk.trash])
def test_a_restored_statement_is_deleted_after_its_other_document_is_gone(
    desk: Desk, remove: Callable[[Desk, str], None]
) -> None:
    project = desk.project()
    first = desk.save(ALLERGY, project, tags=["a"])
    second = desk.save(f"{ALLERGY} {TEA}", project, tags=["b"])
    desk.trash(first)
    remove(desk, second)
    desk.restore(first)
    assert desk.contents(project) == [ALLERGY]
    assert desk.tags(project, ALLERGY) == ["a"]
    desk.erase(first)
    assert desk.contents(project) == []


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_statement_is_valid_again_when_all_its_replacements_are_gone(
    desk: Desk, order: tuple[int, int]
) -> None:
    project = desk.project()
    desk.remember(EARLY, project)
    newer = [desk.save(LATER, project), desk.save(LATEST, project)]
    assert desk.contents(project) == [LATEST]
    for index in order:
        desk.erase(newer[index])
    assert desk.contents(project) == [EARLY]


def test_a_version_in_the_middle_is_restored_to_its_place(desk: Desk) -> None:
    project = desk.project()
    desk.save(EARLY, project)
    middle, last = desk.save(LATER, project), desk.save(LATEST, project)
    desk.trash(middle)
    desk.restore(middle)
    assert desk.contents(project) == [LATEST]
    desk.erase(last)
    assert desk.contents(project) == [LATER]
    desk.erase(middle)
    assert desk.contents(project) == [EARLY]


def test_a_document_that_no_longer_says_it_replaces_nothing(desk: Desk) -> None:
    project = desk.project()
    desk.save(EARLY, project)
    changed = desk.change(desk.save(LATER, project), content=TEA)
    assert desk.contents(project) == sorted([EARLY, TEA])
    desk.erase(changed)
    assert desk.contents(project) == [EARLY]


def test_an_ended_statement_is_skipped(desk: Desk) -> None:
    source, target = desk.project(), desk.project()
    desk.save(EARLY, source)
    moved = desk.save(LATER, source)
    ended = desk.save(LATEST, source)
    desk.change(ended, content=TEA)
    assert desk.contents(source) == sorted([LATER, TEA])
    desk.change(moved, project=target)
    assert (desk.contents(source), desk.contents(target)) == (sorted([EARLY, TEA]), [LATER])


def test_the_evidence_of_a_statement_is_all_its_documents(desk: Desk) -> None:
    project = desk.project()
    first = desk.save(EARLY, project)
    second = desk.save(f"{EARLY} {TEA}", project)
    desk.change(desk.save(LATER, project), content="Maya works at Nordlys.")
    desk.trash(second)
    evidence = desk.memory(project, EARLY)["evidence"]
    assert (evidence["document_id"], evidence.get("also")) == (first, None)


def test_a_statement_of_two_documents_is_in_the_project_of_each(desk: Desk) -> None:
    source, target = desk.project(), desk.project()
    moved = desk.save(ALLERGY, source, tags=["a"])
    desk.save(f"{ALLERGY} {TEA}", source, tags=["b"])
    desk.change(moved, project=target)
    assert (desk.contents(source), desk.contents(target)) == (sorted([ALLERGY, TEA]), [ALLERGY])
    assert (desk.tags(source, ALLERGY), desk.tags(target, ALLERGY)) == (["b"], ["a"])
    desk.change(moved, project=source)
    assert (desk.contents(source), desk.contents(target)) == (sorted([ALLERGY, TEA]), [])
    desk.change(moved, project=target)
    assert desk.person.http.delete(f"/v3/projects/{source}").status_code == 204
    assert desk.contents(target) == [ALLERGY]


@pytest.mark.parametrize("fields", [{}, {"title": "Another"}])
def test_a_statement_is_valid_again_when_its_replacement_moves_away(
    desk: Desk, fields: dict[str, str]
) -> None:
    source, target = desk.project(), desk.project()
    desk.save(EARLY, source)
    moved = desk.save(LATER, source)
    desk.change(moved, project=target, **fields)
    assert (desk.contents(source), desk.contents(target)) == ([EARLY], [LATER])
    desk.change(moved, project=source)
    assert (desk.contents(source), desk.contents(target)) == ([LATER], [])


def test_an_archive_keeps_the_statements_of_each_document(desk: Desk) -> None:
    parent = desk.project()
    child = desk.project(f"{parent}.")
    kept = desk.save(f"{ALLERGY} {TEA}", parent, tags=["a"])
    desk.save(f"{ALLERGY} Maya works at Nordlys.", child, tags=["b"])
    desk.save(LATER, child)
    desk.save(EARLY, parent)
    desk.archive(child)
    assert desk.tags(parent, ALLERGY) == ["a", "b"]
    desk.erase(kept)
    assert desk.contents(parent) == [ALLERGY, "Maya works at Nordlys.", EARLY]
    assert desk.tags(parent, ALLERGY) == ["b"]


def test_an_archive_merges_duplicate_documents_and_their_evidence(desk: Desk) -> None:
    parent = desk.project()
    child = desk.project(f"{parent}.")
    kept = desk.save(ALLERGY, parent)
    desk.save(ALLERGY, child)
    desk.archive(child)
    assert desk.contents(parent) == [ALLERGY]
    desk.erase(kept)
    assert desk.contents(parent) == []


def test_a_restored_statement_is_valid_while_its_replacement_is_deleted(desk: Desk) -> None:
    project = desk.project()
    early, later = desk.save(EARLY, project), desk.save(LATER, project)
    desk.trash(early)
    desk.trash(later)
    desk.restore(early)
    assert desk.contents(project) == [EARLY]
    desk.restore(later)
    assert desk.contents(project) == [LATER]
    assert len(desk.memories(project)) == 1


def test_a_restored_statement_is_replaced_by_a_newer_one(desk: Desk) -> None:
    project = desk.project()
    early = desk.save(EARLY, project)
    desk.trash(early)
    desk.save(LATER, project)
    desk.restore(early)
    assert desk.contents(project) == [LATER]


def test_a_statement_of_more_documents_than_are_recorded_stays_valid(desk: Desk) -> None:
    project = desk.project()
    for number in range(22):
        desk.person.save(f"{ALLERGY} Locker {number} is blue.", project=project)
    desk.settle()
    evidence = desk.memory(project, ALLERGY)["evidence"]
    ids = [source["document_id"] for source in (evidence, *evidence["also"])]
    body = {"ids": ids, "action": "delete", "undo": False}
    assert desk.person.post("/v3/documents/bulk", body).status_code == 200
    desk.settle()
    assert ALLERGY in desk.contents(project)


def test_tags_of_a_document_that_no_longer_says_it_are_removed(desk: Desk) -> None:
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
    kept = desk.save(ALLERGY, project, tags=["a"])
    restored = desk.save(f"{ALLERGY} {TEA}", project, tags=["b"])
    desk.trash(restored)
    desk.change(kept, tags=["c"])
    desk.restore(restored)
    assert desk.tags(project, ALLERGY) == ["b", "c"]


def test_a_forgotten_statement_stays_forgotten_while_a_document_says_it(desk: Desk) -> None:
    project = desk.project()
    first = desk.save(ALLERGY, project)
    desk.forget(project, ALLERGY)
    second = desk.save(f"{ALLERGY} {TEA}", project)
    desk.erase(first)
    desk.trash(second)
    desk.restore(second)
    desk.change(second, title="Another")
    assert desk.contents(project) == [TEA]


def test_a_deleted_repetition_does_not_renew_a_statement(desk: Desk) -> None:
    source, target = desk.project(), desk.project()
    desk.save(EARLY, source)
    later = desk.save(LATER, target)
    desk.erase(desk.save(f"{EARLY} {TEA}", source))
    desk.change(later, project=source)
    assert desk.contents(source) == [LATER]


@pytest.mark.anyio
async def test_documents_may_be_saved_milliseconds_apart(desk: Desk, ports: Ports) -> None:
    source, target = desk.project(), desk.project()
    desk.save(EARLY, source)
    later = desk.save(LATER, target)
    repeated = desk.save(f"{EARLY} {TEA}", source)
    await _save_a_millisecond_apart(ports, desk.person.tenant_id)
    desk.erase(repeated)
    desk.change(later, project=source)
    assert desk.contents(source) == [LATER]


async def _save_a_millisecond_apart(ports: Ports, tenant_id: str) -> None:
    """Set when the documents were saved and when each memory was last stated."""
    await change(
        ports,
        tenant_id,
        "UPDATE documents SET created_at = $1::timestamptz + interval '1 ms' *"
        " (SELECT count(*) FROM documents earlier WHERE earlier.created_at < documents.created_at)",
        datetime.now(UTC),
    )
    await change(
        ports,
        tenant_id,
        "UPDATE memories SET stated_at = (SELECT max(d.created_at) + interval '1 us'"
        " FROM documents d WHERE position(memories.content IN d.content) > 0)",
    )


def test_a_restored_document_adds_nothing_to_another_project(desk: Desk) -> None:
    source, target = desk.project(), desk.project()
    restored = desk.save(ALLERGY, source)
    moved = desk.save(f"{ALLERGY} {TEA}", source)
    desk.trash(restored)
    desk.change(moved, project=target)
    desk.restore(restored)
    assert (desk.contents(source), desk.contents(target)) == ([ALLERGY], sorted([ALLERGY, TEA]))
    desk.erase(moved)
    assert (desk.contents(source), desk.contents(target)) == ([ALLERGY], [])


def test_a_statement_merged_later_has_both_documents_as_evidence(desk: Desk) -> None:
    source, target = desk.project(), desk.project()
    first = desk.save(f"{ALLERGY} {TEA}", source, title="Kitchen notes", tags=["a"])
    second = desk.save(ALLERGY, target, title="Guests", tags=["b"])
    desk.change(second, project=source)
    desk.erase(first)
    assert desk.contents(source) == [ALLERGY]


def test_a_title_from_the_old_text_is_replaced(desk: Desk) -> None:
    project = desk.project()
    for content in (TEA, LATER):
        desk.change(desk.save(content, project), content=f"{ALLERGY} Room {len(content)} is blue.")
    assert desk.contents(project).count(ALLERGY) == 1
    titles = [
        document["title"] for document in desk.person.http.get("/v3/documents").json()["documents"]
    ]
    assert not {TEA, LATER} & set(titles)


def test_a_tag_stays_while_another_document_has_it(desk: Desk) -> None:
    project = desk.project()
    desk.save(ALLERGY, project, tags=["a"])
    retagged = desk.save(f"{ALLERGY} {TEA}", project, tags=["a", "b"])
    desk.change(retagged, tags=["c"])
    assert desk.tags(project, ALLERGY) == ["a", "c"]


def test_the_newer_statement_is_valid_when_the_old_one_is_no_longer_repeated(desk: Desk) -> None:
    project = desk.project()
    desk.save(EARLY, project)
    desk.save(LATER, project)
    repeats = desk.save(f"{EARLY} {TEA}", project)
    assert desk.contents(project) == sorted([EARLY, TEA])
    desk.change(repeats, content=TEA)
    assert desk.contents(project) == sorted([LATER, TEA])


def test_a_repeated_statement_has_the_time_of_its_remaining_document(desk: Desk) -> None:
    project, elsewhere = desk.project(), desk.project()
    desk.save(EARLY, elsewhere)
    later = desk.save(LATER, project)
    desk.save(f"{EARLY} {TEA}", elsewhere)
    repeats = desk.save(f"{EARLY} The dog is called Rex.", elsewhere)
    desk.change(later, project=elsewhere)
    assert EARLY in desk.contents(elsewhere)
    desk.erase(repeats)
    assert EARLY in desk.contents(elsewhere)
