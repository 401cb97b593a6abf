"""A file that is not as an export writes it is refused by the line, and leaves nothing."""

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
from tests.transfer.stores import bring_in, give_out, of_kind, sealed, send, settled

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def exported(server: Server) -> tuple[str, ...]:
    person = new_person(server)
    with person.http:
        person.save("The lighthouse blinks every ten seconds.", tags=["sea"])
        person.post("/api/memories", {"content": "The lighthouse was built in 1890."})
        person.http.post("/v3/documents/upload", files={"file": ("a.txt", b"Buoys are red.")})
        return tuple(give_out(person, vectors=True))


@pytest.fixture(scope="module")
def refused(server: Server) -> Iterator[Person]:
    """For whom every import fails, so that nothing of one is there at the next."""
    person = new_person(server)
    yield person
    person.http.close()


@pytest.fixture
def lines(exported: tuple[str, ...]) -> list[str]:
    """For each test its own, which it may change."""
    return list(exported)


def place_of(lines: list[str], kind: str) -> int:
    return next(n for n, line in enumerate(lines) if line.startswith(f'{{"kind":"{kind}"'))


def changed(kind: str, **fields: Any) -> Callable[[list[str]], tuple[list[str], int]]:
    def change(lines: list[str]) -> tuple[list[str], int]:
        place = place_of(lines, kind)
        value = json.loads(lines[place])
        value["row"].update(fields)
        lines[place] = json.dumps(value) + "\n"
        return sealed(lines), place + 1

    return change


def replaced(kind: str, text: str) -> Callable[[list[str]], tuple[list[str], int]]:
    def change(lines: list[str]) -> tuple[list[str], int]:
        place = place_of(lines, kind)
        lines[place] = text
        return sealed(lines), place + 1

    return change


def doubled(lines: list[str]) -> tuple[list[str], int]:
    place = place_of(lines, "document")
    lines.insert(place + 1, lines[place])
    return sealed(lines), place + 2


def moved(lines: list[str]) -> tuple[list[str], int]:
    project = lines.pop(place_of(lines, "project"))
    lines.insert(-1, project)
    return sealed(lines), len(lines) - 1


def other_bytes(lines: list[str]) -> tuple[list[str], int]:
    place = place_of(lines, "part")
    part = json.loads(lines[place])
    lines[place] = json.dumps({**part, "data": "QUJD"}) + "\n"
    return sealed(lines), place_of(lines, "original") + 1


def unsealed(lines: list[str]) -> tuple[list[str], int]:
    place = place_of(lines, "document")
    lines[place] = lines[place].replace("ten seconds", "two seconds")
    return lines, len(lines)


def without_document(lines: list[str]) -> tuple[list[str], int]:
    del lines[place_of(lines, "document")]
    return sealed(lines), place_of(lines, "chunk") + 1


def nested(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(levels):
        value = {"a": value}
    return value


NOWHERE = str(new_id())
WRONG: dict[str, tuple[Callable[[list[str]], tuple[list[str], int]], str]] = {
    "no JSON": (replaced("document", "{broken\n"), "not JSON"),
    "a number": (replaced("document", "5\n"), "kind"),
    "an unknown kind": (replaced("document", '{"kind":"spell","row":{}}\n'), "does not know"),
    "no row": (replaced("document", '{"kind":"document"}\n'), "row"),
    "no id": (changed("document", id="x"), "UUID"),
    "a NUL": (changed("document", title="a\x00b"), "NUL"),
    "half a character": (changed("document", title="\ud800"), "Unicode"),
    "an unknown field": (changed("document", colour="red"), "colour"),
    "a field of the store's own": (changed("memory", deleted_at=None), "deleted_at"),
    "a tenant": (changed("memory", tenant_id=NOWHERE), "tenant_id"),
    "no moment": (changed("document", created_at="yesterday at noonish"), "created_at: "),
    "a far year": (changed("memory", due_at="20000-01-01T00:00:00+00:00"), "due_at: "),
    "a year before Christ": (
        changed("memory", created_at="0044-03-15T00:00:00+00:00 BC"),
        "created_at: is not a time in the years 1 to 9999",
    ),
    "infinity": (changed("document", forget_after="infinity"), "forget_after: "),
    "minus infinity": (changed("event", created_at="-infinity"), "created_at: "),
    "off the calendar": (changed("memory", due_at="9999-12-31T23:59:59-12:00"), "9999"),
    "metadata that is a list": (changed("document", metadata=[1]), "metadata: is not a JSON obj"),
    "deep metadata": (changed("document", metadata=nested(300)), "nested deeper than 100 levels"),
    "an infinite number": (changed("memory", context={"n": 10**400}), "context.n: "),
    "nested tags": (changed("document", tags=[["a"], ["b"]]), "tags: is not a flat list"),
    "tags with nothing": (changed("memory", tags=[None]), "tags: is not a flat list"),
    "a header in a media type": (
        changed("original", media_type="text/plain\r\nX-Evil: 1"),
        "media_type: is not a media type",
    ),
    "a script for an address": (
        changed("document", source_url="javascript:alert(1)"),
        "source_url: begins with another scheme",
    ),
    "a title of 2 MB": (changed("document", title="t" * 2_000_000), "title: has 2,000,000"),
    "version nought": (changed("document", version=0), "version: "),
    "a yes that is text": (changed("document", is_latest="yes"), "is_latest: "),
    "an event of a key": (changed("event", subject_kind="api_key"), "subject_kind: "),
    "no content": (changed("chunk", content=None), "content"),
    "an unknown category": (changed("memory", category="rumour"), "not allowed"),
    "no such project": (changed("document", project_id=NOWHERE), "its project"),
    "no such document": (changed("chunk", document_id=NOWHERE), "its document"),
    "a way out of the folder": (changed("original", key="../../etc/passwd"), "key"),
    "a broken vector": (changed("vector", vector="!"), "base64"),
    "the same twice": (doubled, "repeats"),
    "another order": (moved, "order"),
    "other bytes": (other_bytes, "bytes"),
    "a changed line": (unsealed, "changed or is damaged"),
    "a lost line": (without_document, "its document"),
}


@pytest.mark.parametrize("name", WRONG)
async def test_a_bad_line_is_named_and_nothing_is_left(
    name: str, lines: list[str], refused: Person, ports: Ports
) -> None:
    before = await rows_of(ports, refused.tenant_id)
    change, said = WRONG[name]
    wrong, number = change(lines)
    job = bring_in(refused, wrong)
    assert (job["status"], job["stage"]) == ("failed", "failed"), job
    assert job["error"].startswith(f"line {number}: "), job["error"]
    assert said in job["error"]
    assert "Nothing was imported" in job["error"]
    after = await rows_of(ports, refused.tenant_id)
    # When a key or a browser was used is noted a little later.
    kept = set(before) - {"jobs", "imports", "blobs", "api_keys", "sign_ins"}
    assert {table: after[table] for table in kept} == {table: before[table] for table in kept}


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
    reply = send(refused, cut(lines))
    assert reply.status_code == 400, reply.text
    assert reply.json()["code"] == code


async def test_more_memories_than_the_plan_has_room_for(
    lines: list[str], person: Person, ports: Ports
) -> None:
    await change_rows(ports, person.tenant_id, "UPDATE subscriptions SET memory_limit = 0")
    job = bring_in(person, lines)
    assert job["status"] == "failed"
    assert "limit of 0 memories" in job["error"]
    assert not of_kind(give_out(person), "document")


async def test_the_file_itself_is_not_kept(lines: list[str], person: Person, ports: Ports) -> None:
    bring_in(person, lines)
    await settled(ports, person.tenant_id)
    found = await rows_of(ports, person.tenant_id)
    assert [row["blob_key"] for row in found["imports"]] == [None]
    assert [row for row in found["blobs"] if "/import-" in row["key"]] == []
    assert found["blobs"]


def test_a_hash_of_the_file_is_not_believed(person: Person) -> None:
    """Another's hash would make the next save of that text a duplicate of something else."""
    wanted = {"memory": "The pilot boards at six.", "document": "The crane lifts nine tons."}
    person.post("/api/memories", {"content": "A decoy that stays."})
    person.save("A decoy of a document.")
    lines = [json.loads(line) for line in give_out(person)]
    for one in lines:
        if one["kind"] in wanted:
            one["row"]["content_hash"] = content_hash(wanted[one["kind"]])
            one["row"]["id"] = str(new_id())
            one["row"]["root_id"] = one["row"]["id"]
            one["row"]["content"] += " Changed."
    kept = [one for one in lines if one["kind"] in ("header", "project", "footer", *wanted)]
    forged = sealed([json.dumps(one) + "\n" for one in kept])
    assert bring_in(person, forged)["status"] == "completed"
    saved = person.post("/api/memories", {"content": wanted["memory"]})
    assert saved.json()["status"] == "saved", saved.text
    assert person.save(wanted["document"])["duplicate"] is False


@pytest.mark.parametrize(
    ("field", "value"), [("type", "zz<script>"), ("subject_kind", "javascript:alert(1)")]
)
def test_an_event_says_what_happened_in_a_word(person: Person, field: str, value: str) -> None:
    person.save("Something that happened.")
    lines = [json.loads(line) for line in give_out(person)]
    for one in lines:
        if one["kind"] == "event":
            one["row"] |= {"id": str(new_id()), field: value}
    job = bring_in(person, sealed([json.dumps(one) + "\n" for one in lines]))
    assert job["status"] == "failed" and f"{field}: is not a word" in str(job), job
