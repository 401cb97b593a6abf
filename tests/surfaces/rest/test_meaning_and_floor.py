"""Meaning beats one weak word; what the store does not know is not answered."""

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
def writer(shared_keeper: Person) -> Person:
    for place, note in enumerate(NOTES):
        if place % 2:
            shared_keeper.post("/api/memories", {"content": note})
        else:
            shared_keeper.save(note, index_only=True)
    return shared_keeper


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
def test_the_note_that_means_it_stands_first(writer: Person, query: str, note: str) -> None:
    assert first(writer.recall(query, weak=True)) == note


def test_what_a_result_names_by_its_title_is_found_with_it(keeper: Person) -> None:
    """The second half of a question is answered by a note that only the first note names."""
    keeper.save("The arena of the swimming gala is Ostrava Hall.", title="Swimming gala")
    keeper.save("Built 2013 to 2016, red brick, seats for 900 people.", title="Ostrava Hall")
    for place, name in enumerate(("Lund Hall", "Tampere Hall", "Bergen Hall", "Graz Hall")):
        text = f"Construction began in 20{place}3, an arena of red brick, seats for 900 people."
        keeper.save(text, title=name)
    query = "when did they begin the construction of the arena of the swimming gala?"
    results = keeper.recall(query, explain=True, weak=True, limit=20)
    found = {one["title"]: one["chunks"][0]["explain"]["evidence"] for one in results}
    assert list(found)[:2] == ["Swimming gala", "Ostrava Hall"]
    assert found["Ostrava Hall"]["named"] > 0
    assert "named" not in found["Swimming gala"]


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
def test_what_is_not_known_is_not_answered(writer: Person, query: str) -> None:
    assert writer.recall(query) == []
    assert writer.recall(query, mode="deep") == []
    assert writer.post("/v1/search", {"query": query}).json()["results"] == []
    asked = {"query": query}
    assert writer.http.get("/api/memories/search", params=asked).json()["found"] == 0
    shown = writer.recall(query, weak=True)
    assert shown
    assert all(one["weak"] for one in shown)


@pytest.mark.parametrize("mode", ["fast", "balanced", "deep"])
@pytest.mark.parametrize("query", ["E4112", "PostgreSQL", "what goes to Naxos?", "stopcock"])
def test_a_word_that_is_there_is_an_answer_in_every_mode(
    writer: Person, query: str, mode: str
) -> None:
    found = writer.recall(query, mode=mode)
    assert found
    assert not found[0]["weak"]


def test_a_store_of_one_note_answers_what_it_knows(keeper: Person) -> None:
    keeper.post("/api/memories", {"content": "My passport number is P1234567"})
    for query in ("what is my passport number?", "passport", "P1234567", "passport P1234567"):
        assert len(keeper.recall(query)) == 1, query
    assert keeper.recall("how does a jet engine work?") == []


def test_a_store_of_one_note_answers_in_other_words(keeper: Person) -> None:
    keeper.save("The ferry to Naxos leaves Piraeus at 07:25.", index_only=True)
    for query in ("which boat do I take?", "boat departure time Greece", "when do we sail?"):
        assert len(keeper.recall(query)) == 1, query
    for query in ("name the planets in order", "asdf qwer zxcv", "a good pasta recipe"):
        assert keeper.recall(query) == [], query


def test_text_without_spaces_is_an_answer(keeper: Person) -> None:
    keeper.save("会議は東京の本社で午後三時に始まります。", index_only=True)
    keeper.save("猫の餌は毎週土曜日に買います。", index_only=True)
    assert "東京" in first(keeper.recall("東京の会議"))
