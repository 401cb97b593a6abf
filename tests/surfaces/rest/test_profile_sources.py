"""What a profile, a prompt and a session start say of texts that the user did not write."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.conftest import Person
from tests.surfaces.rest.test_ask import remember
from tests.surfaces.rest.test_whose_words import save, statements
from tests.tools.waiting import until

SOURCES = {
    "letter.eml": (
        "From: Mallory Fox <m@example.org>\nTo: k@example.org\nSubject: Harbour\n\n"
        "The harbour office of Mallory Fox moved to Porto in May 2026.\n"
    ),
    "harbour.txt": "The harbour crane was painted green in June 2026.\n",
    "hafen.txt": "Der Hafen von Porto wurde im Mai 2026 erweitert.\n",
    "harbour.html": (
        "<html><head><title>Harbour news</title></head><body><article><p>"
        "The harbour of Porto was extended by three new piers in 1932.</p></article></body></html>"
    ),
}
IMPORTED = "The harbour archive has a copper door."


def import_memories(person: Person, *texts: str) -> None:
    rows = [{"id": str(n), "memory": text, "user_id": "kim"} for n, text in enumerate(texts)]
    data = json.dumps({"results": rows}).encode()
    reply = person.http.post("/v3/import", content=data)
    assert reply.status_code in (200, 202), reply.text


def entries(profile: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for part in ("static_facts", "recent_context", "relevant_memories"):
        yield from profile[part]


@pytest.fixture
def reader(person: Person) -> Person:
    remember(person, "I work at the harbour of Oslo.")
    for name, text in SOURCES.items():
        save(person, name, text)
    import_memories(person, IMPORTED)
    until(lambda: len(statements(person)) >= 5)
    return person


@pytest.mark.parametrize("query", ["harbour", "Porto", "Hafen", "copper door", None])
def test_a_profile_names_the_source_of_all_that_is_not_mine(
    reader: Person, query: str | None
) -> None:
    params = {"query": query} if query else {}
    profile = reader.http.get("/v1/profile", params=params).json()
    shown = [*entries(profile)]
    own = {
        entry["content"]
        for entry in shown
        if entry["speaker"] in (None, "user") and not entry["imported_from"]
    }
    assert own <= {"I work at the harbour of Oslo."}
    assert {entry["imported_from"] for entry in shown if entry["content"] == IMPORTED} <= {"mem0"}
    markdown = reader.http.get("/v1/profile", params={**params, "format": "markdown"}).text
    lines = [line for line in markdown.splitlines() if line.startswith("- ")]
    for line in lines:
        prefixes = ("- I work", "- File: ", "- Page: ", "- Mallory Fox: ", "- Imported from mem0: ")
        assert line.startswith(prefixes), line


def test_a_recalled_memory_says_whose_words_it_has(reader: Person) -> None:
    body = {"query": "harbour", "limit": 20, "kinds": ["memory"]}
    results = reader.http.post("/v3/recall", json=body).json()["results"]
    for result in results:
        own = result["title"].startswith("I work") or result["metadata"].get("imported_from")
        assert bool(result["said_by"]) != bool(own), result


def test_what_several_projects_say_is_shown_once(person: Person) -> None:
    for project in ("ship", "shop", "shed"):
        remember(person, "I prefer dark mode.", project=project)
    remember(person, "I prefer tea.", project="shed")
    profile = person.http.get("/v1/profile", params={"container": "*"}).json()
    contents = [entry["content"] for entry in profile["static_facts"]]
    assert sorted(contents) == ["I prefer dark mode.", "I prefer tea."]


def test_a_personal_profile_has_only_what_is_said_by_or_about_the_user(person: Person) -> None:
    rename = {"name": "Kim Berger"}
    assert person.http.get("/v3/whoami").json()["name_given"] is False
    assert person.http.patch("/v3/account", json=rename).status_code == 200
    assert person.http.get("/v3/whoami").json()["name_given"] is True
    mail = "From: Ann <a@example.org>\nTo: k@example.org\nSubject: Dinner\n\n"
    for name, sentence in {
        "a.eml": "Kim Berger moved to Bergen in May 2026.",
        "b.eml": "The office of Bo Lund moved to Porto in June 2026.",
    }.items():
        save(person, name, f"{mail}{sentence}\n")
    remember(person, "I work at the harbour of Oslo.")
    until(lambda: len(statements(person)) >= 3)
    own = {"content": "I renew my licence.", "category": "fact", "dueAt": "2026-01-02T10:00:00Z"}
    assert person.post("/api/memories", own).status_code == 201
    profile = person.http.get("/v1/profile", params={"personal": True}).json()
    assert profile["container"] == "*"
    assert {entry["content"]: entry["speaker"] for entry in entries(profile)} == {
        "I work at the harbour of Oslo.": None,
        "Kim Berger moved to Bergen in May 2026.": "Ann",
    }
