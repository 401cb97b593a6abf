"""Error messages that suggest what to send instead."""

from typing import Any

import pytest

from tests.conftest import Person


@pytest.mark.parametrize(
    ("path", "body", "error"),
    [
        ("/v3/recall", {"filters": {"category": "decision"}}, 'send ["decision"]'),
        ("/v3/recall", {"filters": {"tags": "home"}}, 'filters.tags: is not a list; send ["home"]'),
        ("/v3/memory", {"content": "x", "tags": "home"}, 'tags: is not a list; send ["home"]'),
        ("/v3/recall", {"tags": ["home"]}, "tags: is not a field here; use filters.tags"),
        ("/v3/recall", {"category": "fact"}, "category: is not a field here; use filters.category"),
        ("/v1/search", {"query": "x", "tags": ["a"]}, "use filters.tags"),
    ],
)
def test_the_error_suggests_what_to_send(
    person: Person, path: str, body: dict[str, Any], error: str
) -> None:
    reply = person.post(path, body)
    assert reply.status_code == 400
    assert error in reply.json()["error"]


def test_the_error_for_a_short_id_names_the_lookup_endpoint(person: Person) -> None:
    short = person.save("Kept under a long id.")["id"][-8:]
    for path in ("/v3/documents", "/v1/documents", "/api/memories"):
        reply = person.http.get(f"{path}/{short}")
        assert reply.status_code == 400
        assert f"GET /v3/ids/{short}" in reply.json()["error"]
    assert "is not a UUID" in person.http.get("/v3/documents/nope").json()["error"]
