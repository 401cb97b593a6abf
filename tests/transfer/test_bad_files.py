"""A file that differs from what an export writes is refused with the line, and nothing stays."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from remem.core.ports import Ports
from remem.core.text import content_hash
from remem.core.time import new_id
from tests.conftest import Person, Server, new_person
from tests.surfaces.rest.rows import change as change_rows
from tests.surfaces.rest.rows import rows_of
from tests.transfer.stores import (
    export_lines,
    import_lines,
    of_kind,
    post_import,
    wait_for_jobs,
    with_footer,
)

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def exported(server: Server) -> tuple[str, ...]:
    person = new_person(server)
    with person.http:
        person.save("The lighthouse blinks every ten seconds.", tags=["sea"])
        person.post("/api/memories", {"content": "The lighthouse was built in 1890."})
        person.http.post("/v3/documents/upload", files={"file": ("a.txt", b"Buoys are red.")})
        return tuple(export_lines(person, vectors=True))


@pytest.fixture(scope="module")
def refused(server: Server) -> Iterator[Person]:
    """A user whose imports all fail, so that none leaves anything for the next."""
    person = new_person(server)
    yield person
    person.http.close()


@pytest.fixture
def lines(exported: tuple[str, ...]) -> list[str]:
    """A copy for each test, which may change it."""
    return list(exported)


def index_of(lines: list[str], kind: str) -> int:
    return next(n for n, line in enumerate(lines) if line.startswith(f'{{"kind":"{kind}"'))


def with_fields(kind: str, **fields: Any) -> Callable[[list[str]], tuple[list[str], int]]:
    def change(lines: list[str]) -> tuple[list[str], int]:
        index = index_of(lines, kind)
        value = json.loads(lines[index])
        value["row"].update(fields)
        lines[index] = json.dumps(value) + "\n"
        return with_footer(lines), index + 1

    return change


def with_line(kind: str, text: str) -> Callable[[list[str]], tuple[list[str], int]]:
    def change(lines: list[str]) -> tuple[list[str], int]:
        index = index_of(lines, kind)
        lines[index] = text
        return with_footer(lines), index + 1

    return change


def with_repeated_line(lines: list[str]) -> tuple[list[str], int]:
    index = index_of(lines, "document")
    lines.insert(index + 1, lines[index])
    return with_footer(lines), index + 2


def with_project_last(lines: list[str]) -> tuple[list[str], int]:
    project = lines.pop(index_of(lines, "project"))
    lines.insert(-1, project)
    return with_footer(lines), len(lines) - 1


def with_other_bytes(lines: list[str]) -> tuple[list[str], int]:
    index = index_of(lines, "part")
    part = json.loads(lines[index])
    lines[index] = json.dumps({**part, "data": "QUJD"}) + "\n"
    return with_footer(lines), index_of(lines, "original") + 1


def with_stale_footer(lines: list[str]) -> tuple[list[str], int]:
    index = index_of(lines, "document")
    lines[index] = lines[index].replace("ten seconds", "two seconds")
    return lines, len(lines)


def without_document(lines: list[str]) -> tuple[list[str], int]:
    del lines[index_of(lines, "document")]
    return with_footer(lines), index_of(lines, "chunk") + 1


def nested(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(levels):
        value = {"a": value}
    return value


UNKNOWN_ID = str(new_id())
BAD_FILES: dict[str, tuple[Callable[[list[str]], tuple[list[str], int]], str]] = {
    "no JSON": (with_line("document", "{broken\n"), "not JSON"),
    "a number": (with_line("document", "5\n"), "kind"),
    "an unknown kind": (with_line("document", '{"kind":"spell","row":{}}\n'), "does not know"),
    "no row": (with_line("document", '{"kind":"document"}\n'), "row"),
    "no id": (with_fields("document", id="x"), "UUID"),
    "a NUL": (with_fields("document", title="a\x00b"), "NUL"),
    "half a character": (with_fields("document", title="\ud800"), "Unicode"),
    "an unknown field": (with_fields("document", colour="red"), "colour"),
    "a field of the store's own": (with_fields("memory", deleted_at=None), "deleted_at"),
    "a tenant": (with_fields("memory", tenant_id=UNKNOWN_ID), "tenant_id"),
    "no moment": (with_fields("document", created_at="yesterday at noonish"), "created_at: "),
    "a far year": (with_fields("memory", due_at="20000-01-01T00:00:00+00:00"), "due_at: "),
    "a year before Christ": (
        with_fields("memory", created_at="0044-03-15T00:00:00+00:00 BC"),
        "created_at: is not a time in the years 1 to 9999",
    ),
    "infinity": (with_fields("document", forget_after="infinity"), "forget_after: "),
    "minus infinity": (with_fields("event", created_at="-infinity"), "created_at: "),
    "off the calendar": (with_fields("memory", due_at="9999-12-31T23:59:59-12:00"), "9999"),
    "metadata that is a list": (
        with_fields("document", metadata=[1]),
        "metadata: is not a JSON obj",
    ),
    "deep metadata": (
        with_fields("document", metadata=nested(300)),
        "nested deeper than 100 levels",
    ),
    "an infinite number": (with_fields("memory", context={"n": 10**400}), "context.n: "),
    "nested tags": (with_fields("document", tags=[["a"], ["b"]]), "tags: is not a flat list"),
    "tags with nothing": (with_fields("memory", tags=[None]), "tags: is not a flat list"),
    "a header in a media type": (
        with_fields("original", media_type="text/plain\r\nX-Evil: 1"),
        "media_type: is not a media type",
    ),
    "a script for an address": (
        with_fields("document", source_url="javascript:alert(1)"),
        "source_url: begins with another scheme",
    ),
    "a title of 2 MB": (with_fields("document", title="t" * 2_000_000), "title: has 2,000,000"),
    "a memory of 10,001 characters": (
        with_fields("memory", content="t" * 10_001),
        "content: has 10,001 characters; use 1 to 10,000",
    ),
    "an empty memory": (with_fields("memory", content=""), "content: has 0 characters"),
    "a speaker of 81": (with_fields("memory", speaker="s" * 81), "speaker: has 81 characters"),
    "a document of five million and one": (
        with_fields("document", content="t" * 5_000_001),
        "content: has 5,000,001 characters; use at most 5,000,000",
    ),
    "a long summary": (with_fields("document", summary="t" * 10_001), "summary: has 10,001"),
    "a tag of 101": (with_fields("document", tags=["t" * 101]), "tags: use at most 100 tags"),
    "101 tags": (with_fields("memory", tags=[f"t{n}" for n in range(101)]), "tags: use at most"),
    "a heading of 10,001": (
        with_fields("chunk", heading_path=["t" * 10_001]),
        "heading_path: has 10,001",
    ),
    "metadata of a megabyte": (
        with_fields("document", metadata={"k": "v" * 1_000_000}),
        "bytes of JSON; use at most 1,000,000",
    ),
    "version nought": (with_fields("document", version=0), "version: "),
    "a yes that is text": (with_fields("document", is_latest="yes"), "is_latest: "),
    "an event of a key": (with_fields("event", subject_kind="api_key"), "subject_kind: "),
    "no content": (with_fields("chunk", content=None), "content"),
    "an unknown category": (with_fields("memory", category="rumour"), "not allowed"),
    "no such project": (with_fields("document", project_id=UNKNOWN_ID), "its project"),
    "no such document": (with_fields("chunk", document_id=UNKNOWN_ID), "its document"),
    "a way out of the folder": (with_fields("original", key="../../etc/passwd"), "key"),
    "a broken vector": (with_fields("vector", vector="!"), "base64"),
    "the same twice": (with_repeated_line, "repeats"),
    "another order": (with_project_last, "order"),
    "other bytes": (with_other_bytes, "bytes"),
    "a changed line": (with_stale_footer, "changed or is damaged"),
    "a lost line": (without_document, "its document"),
}


@pytest.mark.parametrize("name", BAD_FILES)
async def test_a_bad_line_is_named_and_nothing_is_left(
    name: str, lines: list[str], refused: Person, ports: Ports
) -> None:
    before = await rows_of(ports, refused.tenant_id)
    change, message = BAD_FILES[name]
    bad_lines, number = change(lines)
    job = import_lines(refused, bad_lines)
    assert (job["status"], job["stage"]) == ("failed", "failed"), job
    assert job["error"].startswith(f"line {number}: "), job["error"]
    assert message in job["error"]
    assert "Nothing was imported" in job["error"]
    after = await rows_of(ports, refused.tenant_id)
    # The time when a key or a browser was used is saved a little later.
    unchanged_tables = set(before) - {"jobs", "imports", "blobs", "api_keys", "sign_ins"}
    assert {table: after[table] for table in unchanged_tables} == {
        table: before[table] for table in unchanged_tables
    }


@pytest.mark.parametrize(
    ("cut", "code"),
    [
        (lambda lines: lines[:-1], "cut_file"),
        (lambda lines: lines[:5], "cut_file"),
        (lambda lines: [*lines[:-1], lines[-1][:20]], "cut_file"),
        (lambda lines: [], "cut_file"),
        (lambda lines: lines[1:], "bad_line"),
        (lambda lines: ["hello\n"], "unknown_file"),
        (lambda lines: [lines[0].replace('"version":1', '"version":99'), *lines[1:]], "bad_line"),
    ],
    ids=["no footer", "cut", "half a footer", "empty", "no header", "no export", "newer"],
)
def test_a_cut_file_is_refused_at_once(
    lines: list[str], refused: Person, cut: Callable[[list[str]], list[str]], code: str
) -> None:
    reply = post_import(refused, cut(lines))
    assert reply.status_code == 400, reply.text
    assert reply.json()["code"] == code


async def test_more_memories_than_the_plan_allows_are_refused(
    lines: list[str], person: Person, ports: Ports
) -> None:
    await change_rows(ports, person.tenant_id, "UPDATE subscriptions SET memory_limit = 0")
    job = import_lines(person, lines)
    assert job["status"] == "failed"
    assert "limit of 0 memories" in job["error"]
    assert not of_kind(export_lines(person), "document")


async def test_the_uploaded_file_is_deleted(lines: list[str], person: Person, ports: Ports) -> None:
    import_lines(person, lines)
    await wait_for_jobs(ports, person.tenant_id)
    tables = await rows_of(ports, person.tenant_id)
    assert [row["blob_key"] for row in tables["imports"]] == [None]
    assert [row for row in tables["blobs"] if "/import-" in row["key"]] == []
    assert tables["blobs"]


def test_content_hashes_of_the_file_are_not_trusted(person: Person) -> None:
    """The hash of another text would make the next save of that text a wrong duplicate."""
    texts = {"memory": "The pilot boards at six.", "document": "The crane lifts nine tons."}
    person.post("/api/memories", {"content": "A decoy that stays."})
    person.save("A decoy of a document.")
    lines = [json.loads(line) for line in export_lines(person)]
    for line in lines:
        if line["kind"] in texts:
            line["row"]["content_hash"] = content_hash(texts[line["kind"]])
            line["row"]["id"] = str(new_id())
            line["row"]["root_id"] = line["row"]["id"]
            line["row"]["content"] += " Changed."
    kept_lines = [line for line in lines if line["kind"] in ("header", "project", "footer", *texts)]
    forged = with_footer([json.dumps(line) + "\n" for line in kept_lines])
    assert import_lines(person, forged)["status"] == "completed"
    saved = person.post("/api/memories", {"content": texts["memory"]})
    assert saved.json()["status"] == "saved", saved.text
    assert person.save(texts["document"])["duplicate"] is False


@pytest.mark.parametrize(
    ("field", "value"), [("type", "zz<script>"), ("subject_kind", "javascript:alert(1)")]
)
def test_an_event_type_must_be_a_single_word(person: Person, field: str, value: str) -> None:
    person.save("Something that happened.")
    lines = [json.loads(line) for line in export_lines(person)]
    for line in lines:
        if line["kind"] == "event":
            line["row"] |= {"id": str(new_id()), field: value}
    job = import_lines(person, with_footer([json.dumps(line) + "\n" for line in lines]))
    assert job["status"] == "failed" and f"{field}: is not a word" in str(job), job
