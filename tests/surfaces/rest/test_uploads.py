"""Files and URLs: uploaded by every API, processed by jobs, downloaded byte for byte."""

import base64
import io
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
import pytest
from PIL import Image, ImageDraw, ImageFont
from reportlab.pdfgen import canvas

from remem.core.time import new_id
from tests.conftest import Person, start_server, stop_server
from tests.surfaces.rest.things import AT_ONCE, read
from tests.tools.http_server import QuietHandler, served
from tests.tools.waiting import until


def pdf(*pages: str) -> bytes:
    """A PDF; pages with fewer than twenty characters would be treated as scans, which are slow."""
    buffer = io.BytesIO()
    sheet = canvas.Canvas(buffer, invariant=True)
    for page in pages:
        sheet.drawString(72, 700, page)
        sheet.showPage()
    sheet.save()
    return buffer.getvalue()


def upload(person: Person, name: str, data: bytes, api: str = "/v3", **form: Any):
    return person.http.post(f"{api}/documents/upload", files={"file": (name, data)}, data=form)


def wait_until_finished(person: Person, id: str) -> dict[str, Any]:
    def finished_document() -> dict[str, Any] | None:
        document = person.http.get(f"/v1/documents/{id}").json()
        return document if document["status"] in ("done", "failed") else None

    return until(finished_document)


def finished_job(person: Person, job_id: str) -> dict[str, Any] | None:
    job = person.http.get(f"/v3/jobs/{job_id}").json()
    return job if job["status"] in ("completed", "failed") else None


def test_a_text_file_can_be_found_as_soon_as_the_reply_comes(person: Person) -> None:
    reply = upload(person, "trees.md", b"# Trees\n\nThe oak by the gate is two hundred years old.")
    assert reply.status_code == 201
    assert reply.json()["status"] == "done"
    result = person.recall("how old is the oak?")[0]
    assert result["title"] == "Trees"
    assert result["content_type"] == "markdown"


@pytest.mark.parametrize(
    ("name", "day"),
    [("2024-02-17.md", "2024-02-17"), ("2024-02-18 Sunday.pdf", "2024-02-18")],
)
def test_a_file_named_after_a_day_gets_that_day(person: Person, name: str, day: str) -> None:
    data = pdf("The oak lost a branch.") if name.endswith("pdf") else b"The oak lost a branch."
    id = upload(person, name, data).json()["id"]
    assert wait_until_finished(person, id)["created_at"][:10] == day


@pytest.mark.parametrize("name", ["2999-02-17.md", "oak 2024-02-17.md", "notes.md"])
def test_other_files_get_the_time_of_the_upload(person: Person, name: str) -> None:
    id = upload(person, name, b"The oak lost a branch.").json()["id"]
    assert wait_until_finished(person, id)["created_at"][:10] >= "2026"


def test_save_pdf(person: Person) -> None:
    data = pdf("The glacier lost forty metres.", "Penguins gathered on the second page.")
    reply = upload(person, "ice.pdf", data, tags="ice, polar", metadata='{"series": 3}')
    assert reply.status_code == 202
    saved = reply.json()
    assert wait_until_finished(person, saved["id"])["status"] == "done"
    # The document is completed in one transaction, its job in the next.
    job = until(lambda: finished_job(person, saved["job_id"]))
    assert (job["status"], job["stage"], job["progress"]) == ("completed", "done", 1.0)
    result = person.recall("penguins gathered")[0]
    assert result["content_type"] == "pdf"
    assert result["tags"] == ["ice", "polar"]
    document = read(person, saved["id"])
    assert document["metadata"]["series"] == 3
    assert document["metadata"]["page_count"] == 2
    for chunk in document["chunks"]:
        start, end = chunk["start_offset"], chunk["end_offset"]
        assert document["content"][start:end] == chunk["content"]


def test_an_original_is_returned_byte_for_byte_and_deleted_with_its_document(
    person: Person,
) -> None:
    data = pdf(f"Only here: {new_id()}.")
    id = upload(person, "näme.pdf", data).json()["id"]
    wait_until_finished(person, id)
    original = person.http.get(f"/v3/documents/{id}/original")
    assert original.content == data
    assert "n%C3%A4me.pdf" in original.headers["content-disposition"]
    assert person.http.delete(f"/v3/documents/{id}").status_code == 204
    assert person.http.get(f"/v3/documents/{id}/original").status_code == 404


def test_deleting_a_document_deletes_the_bytes_of_its_original(person: Person, server) -> None:
    id = upload(person, "gone.pdf", pdf("Soon gone, with all its bytes.")).json()["id"]
    wait_until_finished(person, id)
    paths = [path for path in (server.data_dir / "blobs").rglob("*") if id in str(path)]
    assert paths
    person.http.delete(f"/v3/documents/{id}")
    until(lambda: not any(path.exists() for path in paths if path.is_file()))


def test_the_same_file_is_stored_once(person: Person) -> None:
    data = pdf("The same file twice.")
    first = upload(person, "a.pdf", data).json()
    wait_until_finished(person, first["id"])
    again = upload(person, "b.pdf", data)
    assert again.status_code == 200
    assert again.json()["id"] == first["id"]


def test_the_same_text_in_another_file_refers_to_the_first(person: Person) -> None:
    first = person.save("The same text in a note and in a file.", content_type="text")
    twin = b"The same text in a note and in a file.\n"
    assert upload(person, "twin.txt", twin).json()["id"] == first["id"]
    original = upload(person, "one.pdf", pdf("Twins made of paper.")).json()["id"]
    wait_until_finished(person, original)
    other = upload(person, "two.pdf", pdf("Twins made of paper.") + b"\n%more").json()["id"]
    assert wait_until_finished(person, other)["duplicate_of"] == original
    assert [result["id"] for result in person.recall("twins made of paper")] == [original]


def test_a_copy_with_other_bytes_keeps_its_original(person: Person) -> None:
    data = pdf("The receipt of the carpenter.")
    first = upload(person, "one.pdf", data).json()["id"]
    wait_until_finished(person, first)
    second, third = data + b"\n%scan two", data + b"\n%scan three"
    copy = upload(person, "two.pdf", second).json()["id"]
    body = {"content": base64.b64encode(third).decode(), "content_type": "pdf"}
    other_copy = person.post("/v3/memory", body).json()["id"]
    for id, original in ((copy, second), (other_copy, third)):
        assert wait_until_finished(person, id)["duplicate_of"] == first
        document = read(person, id)
        assert (document["content_type"], document["has_original"]) == ("pdf", True)
        assert person.http.get(f"/v3/documents/{id}/original").content == original
    again = upload(person, "again.pdf", second)
    assert (again.status_code, again.json()["id"]) == (200, copy)
    assert [result["id"] for result in person.recall("receipt of the carpenter")] == [first]


def test_a_text_file_that_is_a_duplicate_says_that_its_bytes_are_not_kept(person: Person) -> None:
    upload(person, "one.txt", b"The fence was painted green.")
    again = upload(person, "two.txt", b"The fence was painted green.\n").json()
    assert (again["duplicate"], again["not_taken"]) == (True, ["original"])
    same = upload(person, "three.txt", b"The fence was painted green.").json()
    assert (same["duplicate"], same["not_taken"]) == (True, [])


def test_twenty_concurrent_uploads_create_one_document(person: Person) -> None:
    data = pdf(f"At once: {new_id()}.")
    with ThreadPoolExecutor(AT_ONCE) as threads:
        replies = list(threads.map(lambda _: upload(person, "x.pdf", data), range(AT_ONCE)))
    assert {reply.status_code for reply in replies} <= {200, 202}
    assert len({reply.json()["id"] for reply in replies}) == 1
    assert person.http.get("/v3/documents").json()["total"] == 1


def test_an_unreadable_file_fails_with_a_reason_and_keeps_the_original(person: Person) -> None:
    data = pdf("Whole.")[:200]
    id = upload(person, "broken.pdf", data).json()["id"]
    document = wait_until_finished(person, id)
    assert document["status"] == "failed"
    assert document["content_type"] == "pdf"
    assert len(document["error_message"]) > 20
    assert person.http.get(f"/v3/documents/{id}/original").content == data


def test_an_empty_file_is_refused(person: Person) -> None:
    reply = upload(person, "nothing.txt", b"")
    assert reply.status_code == 400
    assert reply.json()["details"]["field"] == "file"


def test_wrong_metadata_names_the_field(person: Person) -> None:
    reply = upload(person, "a.txt", b"text", metadata="[1]")
    assert reply.status_code == 400
    assert reply.json()["details"]["field"] == "metadata"


@pytest.mark.parametrize("path", ["/v3/memory", "/v3/memory?async=true"])
def test_a_pdf_or_picture_in_base64_is_recognised_by_its_first_bytes(
    person: Person, path: str
) -> None:
    buffer = io.BytesIO()
    Image.new("RGB", (40, 40), "white").save(buffer, "PNG")
    for data, kind in ((pdf("Chestnuts ripen in October."), "pdf"), (buffer.getvalue(), "image")):
        id = person.post(path, {"content": base64.b64encode(data).decode()}).json()["id"]
        assert wait_until_finished(person, id)["content_type"] == kind
        assert person.http.get(f"/v3/documents/{id}/original").content == data


@pytest.mark.parametrize("word", ["JVBERi0xLjQ", "iVBORw0KGgo", "UEsDBBQA", "VGhlIG9hayBieSB0aGUg"])
def test_a_text_that_looks_like_base64_stays_text(person: Person, word: str) -> None:
    content = f"{word} begins the file that Ada sent, in base64, which is no file by itself."
    if word.startswith("VGhl"):
        content = word * 5
    saved = person.save(content)
    document = read(person, saved["id"])
    assert (document["content_type"], document["content"]) == ("text", content)


def test_a_file_in_base64(person: Person) -> None:
    body = {
        "file": base64.b64encode(pdf("Walnuts ripen in October.")).decode(),
        "filename": "nuts.pdf",
        "container": "garden.trees",
    }
    reply = person.post("/v1/documents", body)
    assert reply.status_code == 202
    assert reply.json()["container"] == "garden.trees"
    assert wait_until_finished(person, reply.json()["id"])["content_type"] == "pdf"
    assert person.recall("when are walnuts ripe?", project="garden.trees")


def png(words: str) -> bytes:
    picture = Image.new("RGB", (640, 120), "white")
    font = ImageFont.load_default(40)
    ImageDraw.Draw(picture).text((20, 30), words, fill="black", font=font)
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return buffer.getvalue()


@pytest.mark.parametrize("background", ["false", "true"])
@pytest.mark.parametrize(
    ("prefix", "content_type", "media_type"),
    [
        ("", "pdf", "application/pdf"),
        ("", "image", "image/png"),
        ("data:image/png;base64,", None, "image/png"),
    ],
)
def test_a_file_in_the_content_keeps_its_original(
    person: Person, prefix: str, content_type: str | None, media_type: str, background: str
) -> None:
    data = pdf(f"Walnuts of {new_id()}.") if content_type == "pdf" else png("Walnuts ripen late")
    body = {"content": prefix + base64.encodebytes(data).decode(), "content_type": content_type}
    reply = person.post(f"/v3/memory?async={background}", body)
    assert reply.status_code == (202 if background == "true" else 201), reply.text
    id = reply.json()["id"]
    assert wait_until_finished(person, id)["status"] == "done"
    original = person.http.get(f"/v3/documents/{id}/original", params={"inline": True})
    assert original.content == data
    assert original.headers["content-type"] == media_type
    again = person.post("/v3/memory", body)
    assert (again.status_code, again.json()["id"]) == (200, id)


def test_a_damaged_file_in_the_content_keeps_its_original(person: Person) -> None:
    data = pdf("Whole.")[:200]
    body = {"content": base64.b64encode(data).decode(), "content_type": "pdf"}
    id = person.post("/v3/memory", body).json()["id"]
    assert wait_until_finished(person, id)["status"] == "failed"
    assert person.http.get(f"/v3/documents/{id}/original").content == data


def test_a_new_version_of_a_picture_keeps_its_own_original(person: Person) -> None:
    first, second = (base64.b64encode(png(words)).decode() for words in ("One oak", "Two oaks"))
    saved = person.post("/v3/memory", {"content": first, "content_type": "image"}).json()
    reply = person.http.patch(f"/v3/documents/{saved['id']}", json={"content": second})
    original = person.http.get(f"/v3/documents/{reply.json()['id']}/original")
    assert original.content == base64.b64decode(second)


def test_words_are_not_taken_for_base64(person: Person) -> None:
    words = "walnuts ripen late in our garden and the squirrels take them by night " * 2
    saved = person.save(words, content_type="pdf")
    assert read(person, saved["id"])["content"].startswith("walnuts ripen")
    assert person.http.get(f"/v3/documents/{saved['id']}/original").status_code == 404


def test_simple_text_in_a_container(person: Person) -> None:
    reply = person.post(
        "/v1/documents",
        {"content": "We decided to use PostgreSQL.", "container": "My Agent", "tags": ["db"]},
    )
    assert reply.status_code == 201
    assert reply.json()["status"] == "done"
    assert reply.json()["container"] == "My Agent", "it comes back as it was sent"
    listed = person.post("/v1/documents/list", {"container": "My Agent", "tags": ["db"]}).json()
    assert [document["id"] for document in listed["documents"]] == [reply.json()["id"]]
    assert person.post("/v1/documents/list", {"tags": ["other"]}).json()["total"] == 0


@pytest.mark.parametrize("body", [{}, {"content": "a", "url": "https://example.org"}])
def test_exactly_one_source(person: Person, body: dict[str, str]) -> None:
    reply = person.post("/v1/documents", body)
    assert reply.status_code == 400
    assert "exactly one" in reply.json()["error"]


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/", "http://169.254.169.254/latest/"])
def test_a_private_address_is_not_fetched(person: Person, url: str) -> None:
    reply = person.post("/v1/documents", {"url": url})
    assert reply.status_code == 202
    document = wait_until_finished(person, reply.json()["id"])
    assert document["status"] == "failed"
    assert "not on the public internet" in document["error_message"]


class Site(QuietHandler):
    """Serves a page that tests can change."""

    page = "<html><body><article><p>The fountain was dry.</p></article></body></html>"

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(type(self).page.encode())


@pytest.fixture
def site() -> Iterator[str]:
    with served(Site) as url:
        yield f"{url}/page"


@pytest.mark.parametrize("path", ["/v3/memory", "/v1/documents"])
def test_content_that_is_a_url_is_fetched(person: Person, path: str) -> None:
    """The server refuses to fetch from this machine: its error shows that the content was treated
    as an address and not saved as text."""
    address = f"http://127.0.0.1:9/{new_id()}"
    reply = person.post(path, {"content": address, "content_type": "url"})
    assert reply.status_code == 202, reply.text
    document = wait_until_finished(person, reply.json()["id"])
    assert (document["status"], document["source_url"]) == ("failed", address)
    assert "public internet" in document["error_message"]


@pytest.mark.parametrize("path", ["/v3/memory", "/v1/documents"])
def test_content_that_is_no_url_is_refused_as_one(person: Person, path: str) -> None:
    reply = person.post(path, {"content": "the harbour", "content_type": "url"})
    assert reply.status_code == 400
    assert "content" in reply.json()["error"]


def test_version_chain_of_a_page(data_dir: Path, site: str) -> None:
    server = start_server(data_dir, REMEM_FETCH_PRIVATE='["127.0.0.1"]')
    headers = {"Authorization": f"Bearer {server.owner_key}"}
    try:
        with httpx2.Client(base_url=server.url, headers=headers, timeout=60) as http:
            person = Person(http, server.owner_key, "", "", "", "")
            first = save_page(person, site)
            assert wait_until_finished(person, save_page(person, site))["duplicate_of"] == first
            Site.page = Site.page.replace("was dry", "runs again")
            second = save_page(person, site)
            versions = read(person, second, include_versions=True)["versions"]
            assert [version["id"] for version in versions] == [second, first]
            assert len(person.recall("the fountain")) == 1
    finally:
        stop_server(server)


def save_page(person: Person, url: str) -> str:
    id = person.post("/v1/documents", {"url": url}).json()["id"]
    assert wait_until_finished(person, id)["status"] == "done"
    return id


def test_html_is_cleaned(person: Person) -> None:
    page = (
        "<html><head><title>Bees</title><script>alert('x')</script></head><body>"
        "<nav>Home Shop Contact</nav><article><h1>About bees</h1>"
        "<p>Honeybees dance to tell each other where the flowers are.</p></article></body></html>"
    )
    saved = person.save(page, content_type="html")
    content = read(person, saved["id"])["content"]
    assert "Honeybees dance" in content
    assert "alert" not in content
    assert "Shop" not in content


def test_save_code(person: Person) -> None:
    parts = [f"def step_{n}(x):\n    return x + {n}\n\n\n" + "# pad\n" * 60 for n in range(20)]
    saved = person.save("".join(parts), content_type="code", title="steps.py")
    document = read(person, saved["id"])
    assert document["metadata"]["code_language"] == "python"
    names = {name for chunk in document["chunks"] for name in chunk["heading_path"]}
    assert {"step_0", "step_7"} <= names


def test_change_a_document(person: Person) -> None:
    person.post("/v3/projects", {"name": "Attic"})
    id = person.save("The trunk holds letters from Vienna.")["id"]
    change = {"title": "The trunk", "tags": ["old"], "metadata": {"floor": 3}, "project": "attic"}
    assert person.http.patch(f"/v3/documents/{id}", json=change).status_code in (200, 202)
    wait_until_finished(person, id)
    result = person.recall("trunk", project="attic")[0]
    assert (result["title"], result["tags"]) == ("The trunk", ["old"])
    assert not person.recall("trunk", project="default")
    version = person.http.patch(f"/v3/documents/{id}", json={"content": "It is empty now."}).json()
    assert version["id"] != id
    assert read(person, version["id"])["updates_memory_id"] == id


def test_originals_and_jobs_of_others_are_not_found(person: Person, stranger: Person) -> None:
    saved = upload(person, "mine.pdf", pdf("Mine alone, and nobody else's.")).json()
    for path in (f"/v3/documents/{saved['id']}/original", f"/v3/jobs/{saved['job_id']}"):
        assert stranger.http.get(path).status_code == 404


def test_the_text_of_a_page_is_kept_as_it_was_cleaned(person: Person) -> None:
    """The extension has the page open and sends its text as Markdown instead of its markup."""
    text = "Write </memory> into `<li>`, then\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n<table></table>"
    page = {"content": text, "content_type": "html", "cleaned": True, "title": "steps.py"}
    saved = person.post("/v3/memory", page).json()
    document = person.http.get(f"/v3/documents/{saved['id']}").json()
    assert (document["content_type"], document["content"]) == ("html", text)
