"""Requests that cannot work are refused immediately, with what to send instead."""

import io
import zipfile
from typing import Any

import pytest

from tests.conftest import Person
from tests.surfaces.rest.problems import assert_problem


def zipped(**files: bytes) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return target.getvalue()


@pytest.mark.parametrize("content", [" ", "\n\t", "\u2003"])
def test_a_blank_turn(user: Person, content: str) -> None:
    session = user.post("/api/sessions", {}).json()["id"]
    turn = {"role": "user", "content": content}
    reply = user.post(f"/api/sessions/{session}/turns", turn)
    assert_problem(reply, 400, "invalid", "content", "send at least")


@pytest.mark.parametrize("year", ["0001", "0999", "3001", "9999"])
def test_a_question_asked_at_an_impossible_time(user: Person, year: str) -> None:
    body = {"question": "What did I do ten years ago?", "askedAt": f"{year}-12-31T00:00:00Z"}
    assert_problem(user.post("/api/agent/ask", body), 400, "invalid", "years 1000 to 3000")


@pytest.mark.parametrize("name", ["a..b", ".a", "..", "a...b.c"])
def test_a_path_with_an_empty_part(user: Person, name: str) -> None:
    session = user.post("/api/sessions", {"project": name})
    assert_problem(session, 400, "invalid", "between two dots")
    created = user.post("/v3/projects", {"name": "fine", "slug": name})
    assert_problem(created, 400, "invalid", "slug")


@pytest.mark.parametrize(
    "slug",
    ["settings", "new", "null", "undefined", "01a1e428-7001-71d2-8ba3-cb8b21d5a71f", "0" * 32],
)
def test_a_reserved_slug(user: Person, slug: str) -> None:
    created = user.post("/v3/projects", {"name": "fine"})
    changed = user.http.patch(f"/v3/projects/{created.json()['id']}", json={"slug": slug})
    assert_problem(changed, 400, "invalid", "slug", "use another name")
    session = user.post("/api/sessions", {"project": slug})
    assert_problem(session, 400, "invalid", "project", "use another name")
    named = user.post("/v3/projects", {"name": slug})
    assert named.json()["slug"] == f"{slug}-project" and named.json()["name"] == slug
    child = user.post("/v3/projects", {"name": "below", "slug": f"work.{slug}"})
    assert child.status_code == 201, child.text


def test_names_with_dots_and_spaces_are_not_paths(user: Person) -> None:
    for name in ("Acme Inc.", "Wait... what", "v1.2"):
        session = user.post("/api/sessions", {"project": name})
        assert session.status_code == 201, session.text


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("https://example.org/a\nb", "white space"),
        ("https://ada:hunter2@example.org/feed", "leave it out"),
        ("http://192.168.0.1/feed", "not on the public internet"),
        ("not an address", "url"),
    ],
)
def test_a_feed_at_a_bad_address(user: Person, url: str, words: str) -> None:
    reply = user.post("/api/feeds", {"url": url})
    assert reply.status_code == 400 and words in reply.json()["error"], reply.text
    assert "hunter2" not in reply.text
    assert user.http.get("/api/feeds").json()["feeds"] == []


def test_an_import_as_a_form_is_refused(user: Person) -> None:
    for path in ("/v3/import", "/v3/import/preview"):
        reply = user.http.post(path, files={"file": ("notes.zip", zipped(**{"a.md": b"A"}))})
        assert_problem(reply, 400, "invalid", "send the file itself as the body")


def test_unsafe_paths_in_a_zip_are_reported(user: Person) -> None:
    names = ["../../x.md", "/tmp/y.md", "C:\\z.md", "a/../../w.md"]
    data = zipped(**dict.fromkeys(names, b"evil"), **{"ok.md": b"A fine note."})
    reply = user.http.post("/v3/import/preview", content=data)
    assert reply.status_code == 200, reply.text
    assert sorted(entry["reference"] for entry in reply.json()["left_out"]) == sorted(names)
    assert reply.json()["counts"] == {"document": 1}


def test_an_archive_that_unpacks_to_too_much_is_refused(user: Person) -> None:
    for name in ("a.md", "conversations.json"):
        data = zipped(**{name: b" " * 60_000_000})
        for path in ("/v3/import", "/v3/import/preview"):
            reply = user.http.post(path, content=data)
            assert reply.status_code == 400 and "would unpack to" in reply.json()["error"]


@pytest.mark.parametrize(
    ("path", "body", "words"),
    [
        ("/v3/recall", {"query": "x", "limit": 100_000}, "send one less than"),
        ("/v3/recall", {"query": "x", "limit": 0}, "send one greater than"),
        ("/v3/recall", {"query": 5}, "send a valid string"),
        ("/v3/recall", {"query": "x", "limit": "many"}, "send one without quotes"),
        ("/v3/recall", {"query": "x", "mode": "odd"}, "send 'fast'"),
        ("/api/agent/ask", {"question": "x" * 20_000}, "use at most"),
    ],
)
def test_error_messages_say_what_to_send(
    user: Person, path: str, body: dict[str, Any], words: str
) -> None:
    problem = assert_problem(user.post(path, body), 400, "invalid", words)
    assert "should" not in problem["error"]
