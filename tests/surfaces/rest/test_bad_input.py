"""Bad input to a save is refused with the right status and a fix, and nothing is stored."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from remem.core.time import new_id
from tests.conftest import Person
from tests.surfaces.rest.problems import assert_problem

MIB = 1_000_000
JSON = {"Content-Type": "application/json"}


def nested(levels: int) -> dict[str, Any]:
    metadata: dict[str, Any] = {}
    for _ in range(levels):
        metadata = {"a": metadata}
    return metadata


# Each case has one wrong field: its name, its value, and what the message must say.

FIELDS: dict[str, tuple[str, Any, str]] = {
    "empty content": ("content", "", "send at least one character"),
    "whitespace-only content": ("content", " \n\t ", "is empty; send the text"),
    "500,001 characters": ("content", "x" * 500_001, "split it into several saves"),
    "content is a number": ("content", 5, "valid string"),
    "content is null": ("content", None, "valid string"),
    "content is a list": ("content", ["x"], "valid string"),
    "NUL byte in the content": ("content", "a\x00b", "contains a NUL byte; remove it"),
    "lone surrogate": ("content", "a\ud800b", "is not valid Unicode"),
    "unknown content_type": ("content_type", "bogus", "'text', 'markdown'"),
    "malformed UUID": ("project_id", "not-an-id", "is not a UUID; send an id such as"),
    "malformed UUID of a version": ("updates_memory_id", "7", "is not a UUID; send an id such as"),
    "project of 300 characters": ("project", "p" * 300, "use at most"),
    "past forget_after": ("forget_after", "2020-01-01T00:00:00Z", "is in the past"),
    "forget_after is no moment": ("forget_after", "tomorrow", "send ISO 8601 such as"),
    "forget_after off the calendar": ("forget_after", "9999-12-31T23:59:59-12:00", "ISO 8601"),
    "forget_after is a huge number": ("forget_after", 1e30, "send ISO 8601 such as"),
    "title of 501 characters": ("title", "t" * 501, "at most 500 characters"),
    "NUL byte in the title": ("title", "a\x00", "contains a NUL byte; remove it"),
    "source_url is no URL": ("source_url", "example", "valid URL"),
    "source_url of 3,000 characters": ("source_url", "http://a/" + "b" * 3_000, "at most"),
    "source_url opens no page": ("source_url", "javascript:alert(1)", "'http' or 'https'"),
    "101 tags": ("tags", [str(number) for number in range(101)], "at most 100 tags"),
    "tag of 101 characters": ("tags", ["t" * 101], "of 1 to 100 characters"),
    "tags is text": ("tags", "one", "is not a list; send"),
    "metadata is a list": ("metadata", [], "is not a JSON object; send one"),
    "metadata of 64,001 characters": ("metadata", {"a": "b" * 64_001}, "at most 64,000"),
    "unknown field": ("colour", "red", "is not a field here; check its spelling"),
}


@pytest.mark.parametrize("case", FIELDS)
def test_a_wrong_field_is_named_with_its_fix(case: str, unchanged_user: Person) -> None:
    name, value, fix = FIELDS[case]
    # Written in ASCII, so that a lone surrogate travels as its escape.
    body = json.dumps({"content": case, name: value}).encode()
    reply = unchanged_user.http.post("/v3/memory", content=body, headers=JSON)
    problem = assert_problem(reply, 400, "invalid", f"{name}: ", fix)
    assert problem["details"]["field"] == name


NESTED_FIELDS: dict[str, tuple[dict[str, Any], str, str]] = {
    "tag is a number": ({"tags": ["a", 1]}, "tags.1", "valid string"),
    "metadata.tags is text": ({"metadata": {"tags": "x"}}, "metadata.tags", "list of strings"),
    "metadata.tags contains null": ({"metadata": {"tags": [None]}}, "metadata.tags", "list of str"),
    "NUL byte in a tag": ({"tags": ["a", "\x00"]}, "tags.1", "NUL byte"),
    "NUL byte in a metadata value": ({"metadata": {"a": {"b": ["\x00"]}}}, "metadata.a.b.0", "NUL"),
    "NUL byte in a metadata key": ({"metadata": {"a": {"\x00": 1}}}, "metadata.a", "NUL byte"),
    "lone surrogate in a key": ({"metadata": {"\udfff": 1}}, "metadata", "not valid Unicode"),
    "metadata is not a number": ({"metadata": {"a": float("nan")}}, "metadata.a", "finite number"),
    "metadata is infinite": ({"metadata": {"a": float("-inf")}}, "metadata.a", "finite number"),
}


@pytest.mark.parametrize("case", NESTED_FIELDS)
def test_a_wrong_value_inside_a_field_is_named_by_its_path(
    case: str, unchanged_user: Person
) -> None:
    fields, path, fix = NESTED_FIELDS[case]
    body = json.dumps({"content": case, **fields}).encode()
    reply = unchanged_user.http.post("/v3/memory", content=body, headers=JSON)
    problem = assert_problem(reply, 400, "invalid", f"{path}: ", fix)
    assert problem["details"]["field"] == path


@pytest.mark.parametrize("levels", [100, 250, 300, 500, 900])
def test_metadata_nested_too_deep_is_refused(levels: int, unchanged_user: Person) -> None:
    reply = unchanged_user.post("/v3/memory", {"content": "x", "metadata": nested(levels)})
    assert_problem(reply, 400, "invalid", "metadata.a.a", "nested deeper than 100 levels; flatten")


def test_all_wrong_fields_are_reported_together(unchanged_user: Person) -> None:
    reply = unchanged_user.post("/v3/memory", {"content": 1, "title": 2, "colour": 3})
    problem = assert_problem(reply, 400, "invalid")
    assert {entry["field"] for entry in problem["details"]["all"]} == {"content", "title", "colour"}


BODIES: dict[str, tuple[bytes, str]] = {
    "not JSON": (b'{"content": ', "is not valid JSON; send a JSON object"),
    "nothing": (b"", "is required; send it"),
    "a JSON array": (b'["content"]', "is not a JSON object; send one"),
    "a JSON string": (b'"content"', "is not a JSON object; send one"),
    "JSON null": (b"null", "is not a JSON object; send one"),
    "invalid UTF-8": (b'{"content": "\xff\xfe"}', "is not valid UTF-8 JSON"),
    "truncated UTF-8": (b'{"content": "\xe2\x82"}', "is not valid UTF-8 JSON"),
    "10,000 levels of lists": (
        b'{"content": "x", "metadata": {"a": ' + b"[" * 10_000 + b"]" * 10_000 + b"}}",
        "is nested too deeply; flatten it",
    ),
    "10,000 levels of objects": (
        b'{"content": "x", "metadata": ' + b'{"a":' * 10_000 + b"1" + b"}" * 10_001,
        "is nested too deeply; flatten it",
    ),
    "a number of 5,000 digits": (
        b'{"content": "x", "metadata": {"a": ' + b"9" * 5_000 + b"}}",
        "too many digits; send it as text",
    ),
}


@pytest.mark.parametrize("case", BODIES)
def test_a_body_that_cannot_be_read_is_refused(case: str, unchanged_user: Person) -> None:
    body, fix = BODIES[case]
    reply = unchanged_user.http.post("/v3/memory", content=body, headers=JSON)
    problem = assert_problem(reply, 400, "invalid", "body: ", fix)
    assert problem["details"]["field"] == "body"


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", None])
def test_a_body_of_another_type_is_refused(kind: str | None, unchanged_user: Person) -> None:
    """A form on another site can send these types without a CORS preflight; JSON it cannot."""
    headers = {"Content-Type": kind} if kind else {}
    reply = unchanged_user.http.post("/v3/memory", content=b'{"content": "x"}', headers=headers)
    assert_problem(reply, 400, "invalid", "body: ", "application/json")


# Limits


def test_exactly_500_000_characters_are_accepted(user: Person) -> None:
    # Long words make fewer chunks to embed before the document is deleted.
    words = " ".join(["word" * 31] * 4_000)
    reply = user.post("/v3/memory", {"content": f"{words}s"})
    assert reply.status_code == 202, reply.text
    assert user.http.get("/v3/documents").json()["total"] == 1
    assert user.http.delete(f"/v3/documents/{reply.json()['id']}").status_code == 204


def test_metadata_at_the_depth_limit_is_returned_unchanged(user: Person) -> None:
    saved = user.save("Deep.", metadata=nested(99))
    metadata = user.http.get(f"/v3/documents/{saved['id']}").json()["metadata"]
    assert {name: metadata[name] for name in nested(99)} == nested(99)


def test_a_long_wrong_name_is_shortened_in_the_error(unchanged_user: Person) -> None:
    for body in ({"n" * MIB: 1, "content": "x"}, {"content": "x", "metadata": {"n" * MIB: "\x00"}}):
        reply = unchanged_user.post("/v3/memory", body)
        assert_problem(reply, 400, "invalid", "nnn")
        assert len(reply.content) < 2_000


def test_a_20_MB_body_is_too_large(unchanged_user: Person) -> None:
    reply = unchanged_user.post("/v3/memory", {"content": "x" * 20 * MIB})
    assert_problem(reply, 413, "too_large", "larger than 10,000,000 bytes; send less at once")


def test_a_20_MB_body_without_a_content_length_is_too_large(unchanged_user: Person) -> None:
    def pieces() -> Iterator[bytes]:
        yield b'{"content": "'
        yield from (b"x" * MIB for _ in range(20))
        yield b'"}'

    reply = unchanged_user.http.post("/v3/memory", content=pieces(), headers=JSON)
    assert "content-length" not in reply.request.headers
    assert_problem(reply, 413, "too_large", "larger than 10,000,000 bytes; send less at once")


# Unknown ids and projects


@pytest.mark.parametrize(
    ("field", "fix"),
    [
        ("project_id", "list the projects to see their names"),
        ("updates_memory_id", "check the id, or list what there is"),
    ],
)
def test_a_save_that_names_an_unknown_id_is_not_found(
    field: str, fix: str, unchanged_user: Person
) -> None:
    unknown = str(new_id())
    reply = unchanged_user.post("/v3/memory", {"content": "To nowhere.", field: unknown})
    assert_problem(reply, 404, "not_found", unknown, fix)


def test_a_save_into_an_unknown_project_is_not_found(unchanged_user: Person) -> None:
    reply = unchanged_user.post("/v3/memory", {"content": "To nowhere.", "project": "no.such"})
    assert_problem(reply, 404, "not_found", "project no.such")
    slugs = [
        project["slug"] for project in unchanged_user.http.get("/v3/projects").json()["projects"]
    ]
    assert slugs == ["default"]
