"""Meaning outranks a weak shared word; unknown answers return no results."""

from typing import Any

import pytest

from tests.conftest import Person

FERRY = "The ferry to Naxos goes from Piraeus, gate E7, at 7:25."
STICKS = "Take sticks along for the toffee apples at the fair."
DENTIST = "The dentist moved me to the fourth; the user's portal is of no help."
DATABASE = "We settled on PostgreSQL for the billing rewrite."
BIRTHDAY = "Ana's birthday is on the 23rd of May, she wants a dinner."
CODE = "Error E4112 means that the meter sent a reading from the future."
NOTES = (FERRY, STICKS, DENTIST, DATABASE, BIRTHDAY, CODE, "Use the big wrench for the stopcock.")


@pytest.fixture(scope="module")
def writer(shared_user: Person) -> Person:
    for number, note in enumerate(NOTES):
        if number % 2:
            shared_user.post("/api/memories", {"content": note})
        else:
            shared_user.save(note, index_only=True)
    return shared_user


def first(results: list[dict[str, Any]]) -> str:
    return results[0]["chunks"][0]["content"]


@pytest.mark.parametrize(
    ("query", "note"),
    [
        ("which boat do I take?", FERRY),
        ("boat departure time Greece", FERRY),
        ("what ship do I have to take to the islands?", FERRY),
        ("which database do we use?", DATABASE),
        ("what do we use to store our invoices?", DATABASE),
        ("when do I have to take care of my teeth?", DENTIST),
        ("E4112", CODE),
        ("wrench", NOTES[-1]),
        ("Naxos", FERRY),
    ],
)
def test_the_note_that_means_it_ranks_first(writer: Person, query: str, note: str) -> None:
    assert first(writer.recall(query, weak=True)) == note


def test_a_note_whose_title_a_result_mentions_is_found_too(user: Person) -> None:
    """The second half of the question is answered by a note that only the first note mentions."""
    user.save("The arena of the swimming gala is Ostrava Hall.", title="Swimming gala")
    user.save("Built 2013 to 2016, red brick, seats for 900 people.", title="Ostrava Hall")
    for number, name in enumerate(("Lund Hall", "Tampere Hall", "Bergen Hall", "Graz Hall")):
        text = f"Construction began in 20{number}3, an arena of red brick, seats for 900 people."
        user.save(text, title=name)
    query = "when did they begin the construction of the arena of the swimming gala?"
    results = user.recall(query, explain=True, weak=True, limit=20)
    evidence = {result["title"]: result["chunks"][0]["explain"]["evidence"] for result in results}
    assert next(iter(evidence)) == "Swimming gala"
    assert evidence["Ostrava Hall"]["named"] > 0
    assert "named" not in evidence["Swimming gala"]


@pytest.mark.parametrize(
    "query",
    [
        "asdf qwer zxcv",
        "what is the capital of Mongolia?",
        "how does a jet engine work?",
        "which elements are noble gases?",
        "how many moons does Neptune have?",
        "name the planets in order",
    ],
)
def test_an_unknown_answer_returns_no_results(writer: Person, query: str) -> None:
    assert writer.recall(query) == []
    assert writer.recall(query, mode="deep") == []
    assert writer.post("/v1/search", {"query": query}).json()["results"] == []
    params = {"query": query}
    assert writer.http.get("/api/memories/search", params=params).json()["found"] == 0
    weak_results = writer.recall(query, weak=True)
    assert weak_results
    assert all(result["weak"] for result in weak_results)


@pytest.mark.parametrize("mode", ["fast", "balanced", "deep"])
@pytest.mark.parametrize("query", ["E4112", "PostgreSQL", "what goes to Naxos?", "stopcock"])
def test_a_matching_word_is_a_strong_result_in_every_mode(
    writer: Person, query: str, mode: str
) -> None:
    results = writer.recall(query, mode=mode)
    assert results
    assert not results[0]["weak"]


def test_a_store_with_one_note_answers_from_it(user: Person) -> None:
    user.post("/api/memories", {"content": "My passport number is P1234567"})
    for query in ("what is my passport number?", "passport", "P1234567", "passport P1234567"):
        assert len(user.recall(query)) == 1, query
    assert user.recall("how does a jet engine work?") == []


def test_a_store_with_one_note_answers_paraphrases(user: Person) -> None:
    user.save("The ferry to Naxos leaves Piraeus at 07:25.", index_only=True)
    for query in ("which boat do I take?", "boat departure time Greece", "when do we sail?"):
        assert len(user.recall(query)) == 1, query
    for query in ("name the planets in order", "asdf qwer zxcv", "a good pasta recipe"):
        assert user.recall(query) == [], query


def test_text_without_spaces_is_found(user: Person) -> None:
    user.save("会議は東京の本社で午後三時に始まります。", index_only=True)
    user.save("猫の餌は毎週土曜日に買います。", index_only=True)
    assert "東京" in first(user.recall("東京の会議"))
