"""People and things are renamed, merged and split by the API; an import does not undo it."""

from typing import Any

from tests.conftest import Person
from tests.tools.waiting import until

URL = "/v3/entities"


def say(person: Person, content: str) -> str:
    return person.post("/api/memories", {"content": content}).json()["id"]


def listed(person: Person, **params: Any) -> dict[str, dict[str, Any]]:
    entities = person.http.get(URL, params=params).json()["entities"]
    return {item["name"]: item for item in entities}


def millers(person: Person) -> tuple[str, str]:
    say(person, "Robert Miller painted the house.")
    say(person, "Bobby Miller repaired the fence.")
    found = listed(person, query="miller")
    return found["Robert Miller"]["id"], found["Bobby Miller"]["id"]


def test_a_change_is_made_listed_audited_and_undone(person: Person) -> None:
    robert, bobby = millers(person)
    merged = person.post(f"{URL}/{robert}/merge", {"entity_ids": [bobby]}).json()
    assert (merged["id"], merged["mention_count"]) == (robert, 2)
    assert list(listed(person, query="miller")) == ["Robert Miller"]
    full = person.http.get(f"{URL}/{robert}").json()
    assert [memory["content"] for memory in full["memories"]] == [
        "Bobby Miller repaired the fence.",
        "Robert Miller painted the house.",
    ]
    [change] = person.http.get("/v3/entity-changes").json()["changes"]
    assert (change["id"], change["summary"]) == (
        merged["change_id"],
        "Bobby Miller → Robert Miller",
    )
    [event] = person.http.get("/api/events", params={"kind": "entity"}).json()["events"]
    assert (event["subjectId"], event["type"]) == (robert, "merge")
    undone = person.post(f"/v3/entity-changes/{change['id']}/undo", None)
    assert len(undone.json()["entities"]) == 2
    assert set(listed(person, query="miller")) == {"Robert Miller", "Bobby Miller"}
    assert person.post(f"/v3/entity-changes/{change['id']}/undo", None).status_code == 409


def test_an_import_does_not_bring_back_what_was_merged(person: Person, stranger: Person) -> None:
    robert, bobby = millers(person)
    export = person.http.get("/v3/export").content
    person.post(f"{URL}/{robert}/merge", {"entity_ids": [bobby]})
    later = person.http.get("/v3/export").content
    import_file(person, export)
    assert {name: item["mention_count"] for name, item in listed(person).items()} == {
        "Robert Miller": 2
    }
    # Exports carry what the names mean.
    import_file(stranger, later)
    say(stranger, "Bobby Miller looked at the roof.")
    assert listed(stranger)["Robert Miller"]["mention_count"] == 3


def import_file(person: Person, content: bytes) -> None:
    reply = person.http.post("/v3/import", content=content)
    assert reply.status_code == 202, reply.text
    job = reply.json()["job_id"]
    status = until(
        lambda: (
            state
            if (state := person.http.get(f"/v3/jobs/{job}").json())["status"]
            in ("completed", "failed")
            else None
        )
    )
    assert status["status"] == "completed", status


def test_others_neither_see_nor_change_them(person: Person, stranger: Person) -> None:
    robert, bobby = millers(person)
    change = person.http.patch(f"{URL}/{robert}", json={"name": "Rob"}).json()["change_id"]
    assert listed(stranger) == {}
    replies = [
        stranger.http.get(f"{URL}/{robert}"),
        stranger.http.patch(f"{URL}/{robert}", json={"name": "Mine"}),
        stranger.post(f"{URL}/{robert}/merge", {"entity_ids": [bobby]}),
        stranger.post(f"{URL}/{robert}/split", {"name": "X", "spellings": ["Robert Miller"]}),
        stranger.post(f"/v3/entity-changes/{change}/undo", None),
    ]
    assert [reply.status_code for reply in replies] == [404] * 5
    mine = millers(stranger)[0]
    reply = stranger.post(f"{URL}/{mine}/merge", {"entity_ids": [bobby]})
    assert reply.status_code == 404
    assert "Rob" in listed(person)


def test_a_taken_name_says_who_has_it(person: Person) -> None:
    robert, bobby = millers(person)
    reply = person.http.patch(f"{URL}/{robert}", json={"name": "bobby miller"})
    assert (reply.status_code, reply.json()["code"]) == (409, "name_taken")
    assert reply.json()["details"] == {"entity_id": bobby}
