"""The self-contained copy of a saved page: kept, shown without scripts or requests, deleted."""

from remem.core.documents.page_copy import COPY_BYTES
from tests.conftest import Person
from tests.surfaces.rest.problems import assert_problem
from tests.transfer.stores import export_lines, import_lines

PAGE = b"<!doctype html><meta charset=utf-8><title>Kiln</title><p>The glaze melts.</p>"
URL = "https://example.org/kiln"


def keep(person: Person, id: str, page: bytes = PAGE, status: int = 200) -> dict:
    reply = person.http.post(f"/v3/documents/{id}/copy", files={"file": ("page.html", page)})
    assert reply.status_code == status, reply.text
    return reply.json()


def test_a_copy_is_kept_and_shown_in_a_sandbox(person: Person, stranger: Person) -> None:
    id = person.save("The glaze melts.", source_url=URL)["id"]
    assert person.http.get(f"/v3/documents/{id}/copy").status_code == 404
    keep(person, id, b"<p>before</p>")
    keep(person, id)
    shown = person.http.get(f"/v3/documents/{id}/copy")
    assert shown.content == PAGE
    assert shown.headers["content-type"] == "text/html; charset=utf-8"
    policy = shown.headers["content-security-policy"]
    assert policy.startswith("sandbox; default-src 'none'; img-src data:")
    assert "script" not in policy and "http" not in policy
    document = person.http.get(f"/v3/documents/{id}").json()
    assert document["has_copy"] and document["has_original"]
    assert (
        "attachment"
        in person.http.get(f"/v3/documents/{id}/original").headers["content-disposition"]
    )
    assert stranger.http.get(f"/v3/documents/{id}/copy").status_code == 404


def test_a_copy_is_of_a_page_and_not_too_large(person: Person) -> None:
    note = person.save("No page.")["id"]
    files = {"file": ("page.html", PAGE)}
    reply = person.http.post(f"/v3/documents/{note}/copy", files=files)
    assert_problem(reply, 400, "invalid", "id: ")
    page = person.save("A page.", source_url=URL)["id"]
    large = {"file": ("page.html", b"x" * (COPY_BYTES + 1))}
    assert person.http.post(f"/v3/documents/{page}/copy", files=large).status_code == 413
    pdf = person.http.post(
        "/v3/documents/upload",
        files={"file": ("a.pdf", b"%PDF-1.4 no")},
        data={"source_url": "https://example.org/a.pdf"},
    ).json()["id"]
    reply = person.http.post(f"/v3/documents/{pdf}/copy", files=files)
    assert_problem(reply, 409, "has_original", "")


def test_a_copy_goes_and_returns_with_its_document(person: Person, stranger: Person) -> None:
    id = person.save("The glaze melts.", source_url=URL)["id"]
    keep(person, id)
    assert import_lines(stranger, export_lines(person))["problems"] == []
    assert stranger.http.get(f"/v3/documents/{id}/copy").content == PAGE
    assert person.http.delete(f"/v3/documents/{id}", params={"undo": True}).status_code == 204
    assert person.http.get(f"/v3/documents/{id}/copy").status_code == 404
    assert person.post(f"/v3/documents/{id}/restore", {}).status_code == 200
    assert person.http.get(f"/v3/documents/{id}/copy").content == PAGE
    newer = person.save("It melts at 1,240 degrees.", source_url=URL)["id"]
    assert not person.http.get(f"/v3/documents/{newer}").json()["has_copy"]
    assert person.http.get(f"/v3/documents/{id}/copy").content == PAGE, "of the old version"
    assert person.http.delete(f"/v3/documents/{newer}").status_code == 204
    assert person.http.get(f"/v3/documents/{id}/copy").status_code == 404
