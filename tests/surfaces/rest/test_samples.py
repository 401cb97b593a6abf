"""Sample data for a first visit, and the models on the settings page."""

from tests.conftest import Person
from tests.surfaces.rest.problems import assert_problem


def test_sample_data_is_added_and_removed_with_one_call(person: Person, stranger: Person) -> None:
    own = person.save("My own note about the harbour.")
    assert person.http.get("/v3/samples").json()["present"] is False
    added = person.post("/v3/samples", None)
    assert added.status_code == 201, added.text
    assert added.json()["documents"] == 8
    assert added.json()["memories"] >= 7
    results = person.recall("what do I do when the heating shows an error?")
    assert results[0]["title"] == "Notes on the boiler"
    due = person.http.get("/api/memories/foresight/active").json()["memories"]
    assert "Renew the passport at the town hall." in [memory["content"] for memory in due]
    assert_problem(person.post("/v3/samples", None), 409, "conflict", "remove it first")
    assert stranger.http.get("/v3/samples").json()["present"] is False
    assert person.http.delete("/v3/samples").status_code == 204
    assert person.http.get("/v3/samples").json()["present"] is False
    remaining = person.http.get("/v3/documents").json()["documents"]
    assert [document["id"] for document in remaining] == [own["id"]]
    assert person.http.delete("/v3/samples").status_code == 404


def test_the_models_in_use_are_listed_and_tested(person: Person) -> None:
    models = {model["use"]: model for model in person.http.get("/v3/models").json()["models"]}
    assert set(models) == {"embedding", "reader", "language"}
    assert models["embedding"]["local"] is True
    assert models["language"]["model"] is None
    for _ in range(2):  # the model answers the second time too, not a cache
        answer = person.post("/v3/models/test", None).json()
        tested = {model["use"]: model for model in answer["models"]}
        assert tested["embedding"]["works"] is True
        assert tested["embedding"]["latency_ms"] > 0
        assert "language" not in tested
