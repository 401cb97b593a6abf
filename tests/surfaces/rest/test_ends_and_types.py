"""What a statement says of itself: its end, and its type without a subject; empty containers."""

import pytest

from tests.conftest import Person
from tests.tools.waiting import until

PREFERENCE = {"preference", "procedure"}
TYPES = {
    "Prefers dark mode": {"preference"},
    "Likes hiking in the rain": {"preference"},
    "Always use TypeScript": PREFERENCE,
    "Never log tokens": PREFERENCE,
    "Never commit to the main branch": PREFERENCE,
    "Don't use semicolons": PREFERENCE,
    "Avoid global state": PREFERENCE,
    "Don't have a car": {"fact"},
    "Don't forget the milk": {"task"},
    "Fix the flaky test": {"task"},
    "Update the README": {"task"},
    "User asks about Docker frequently": {"insight"},
    "Often asks about pricing": {"fact", "insight"},
    "Meeting on Feb 18": {"episode"},
    "Never been to Paris": {"fact"},
    "Test results are fine": {"fact"},
    "The meeting room is small": {"fact"},
}


@pytest.mark.parametrize(("content", "types"), TYPES.items())
def test_the_type_of_a_statement_without_a_subject(
    person: Person, content: str, types: set[str]
) -> None:
    saved = person.post("/api/memories", {"content": content}).json()
    assert saved["memory"]["category"] in types


def test_an_end_that_a_statement_names_is_its_end(person: Person) -> None:
    fields = {"saidAt": "2098-01-01T12:00:00Z"}

    def end_of(content: str, **more: str) -> str | None:
        body = {"content": content, **fields, **more}
        return person.post("/api/memories", body).json()["memory"]["validUntil"]

    assert end_of("The ticket is valid until 5 March 2099.") == "2099-03-06T00:00:00.000Z"
    assert end_of("The permit is valid through June 2099.") == "2099-07-01T00:00:00.000Z"
    assert end_of("The offer was valid until 5 May 2099.") is None
    given = "2098-02-02T00:00:00.000Z"
    assert end_of("The pass is valid until 7 March 2099.", validUntil=given) == given


def test_an_end_in_a_document_is_the_end_of_its_memory(person: Person) -> None:
    person.save("I own a season ticket that is valid until 5 March 2099.")

    def ends() -> list[str | None]:
        listed = person.http.get("/api/memories").json()["memories"]
        return [memory["validUntil"] for memory in listed]

    until(ends)
    assert ends() == ["2099-03-06T00:00:00.000Z"]


def test_a_type_includes_the_finer_ones(person: Person) -> None:
    body = {"content": "We decided to use PostgreSQL as the database.", "project": "my-agent"}
    assert person.post("/api/memories", body).json()["memory"]["category"] == "decision"
    for types, count in ((["fact", "preference"], 1), (["fact"], 1), (["task"], 0)):
        query = {"query": "database decision", "container": "my-agent", "limit": 10}
        found = person.post("/v1/search", {**query, "filters": {"memory_type": types}}).json()
        assert len(found["results"]) == count, types


def test_the_profile_of_an_unknown_container_is_empty(person: Person) -> None:
    profile = person.http.get("/v1/profile", params={"container": "Nobody", "query": "anything"})
    assert profile.status_code == 200, profile.text
    assert profile.json()["container"] == "Nobody"
    assert not any(profile.json()[name] for name in ("static_facts", "relevant_memories"))
    search = person.post("/v1/search", {"query": "anything", "container": "Nobody"})
    assert (search.status_code, search.json()["results"]) == (200, []), search.text
    assert person.http.get("/v1/containers").json()["total"] == 1


def test_a_profile_with_a_query_has_what_is_relevant(person: Person) -> None:
    for content in ("We deploy with Docker on two servers.", "The kettle is red."):
        person.post("/api/memories", {"content": content, "project": "my-agent"})
    params = {"container": "my-agent", "query": "infrastructure"}
    relevant = person.http.get("/v1/profile", params=params).json()["relevant_memories"]
    assert relevant[0]["content"] == "We deploy with Docker on two servers."
