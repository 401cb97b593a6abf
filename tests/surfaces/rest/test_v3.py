"""The platform dialect, by the cases of its source."""

from tests.conftest import Person


def test_save_plain_text(person: Person) -> None:
    reply = person.post("/v3/memory", {"content": "Ada wrote the first program. It ran on paper."})
    assert reply.status_code == 201
    saved = reply.json()
    assert saved["status"] == "done"
    assert saved["chunk_count"] == 1
    assert saved["summary"].startswith("Ada wrote")


def test_deduplication(person: Person) -> None:
    first = person.save("The same text, twice.")
    again = person.post("/v3/memory", {"content": "The same text, twice.  "})
    assert again.status_code == 200
    assert again.json()["id"] == first["id"]
    assert again.json()["duplicate"] is True
