"""A save with a key is done once, however often it is sent."""

from concurrent.futures import ThreadPoolExecutor

from tests.conftest import Person

TEXT = "The spare key hangs behind the blue door."


def save(person: Person, key: str, content: str = TEXT) -> tuple[int, dict[str, object]]:
    reply = person.http.post(
        "/v3/memory", json={"content": content}, headers={"Idempotency-Key": key}
    )
    return reply.status_code, reply.json()


def count(person: Person) -> int:
    return len(person.http.get("/v3/documents").json()["documents"])


def test_after_a_change_it_is_still_the_same_document(person: Person) -> None:
    status, first = save(person, "1")
    assert status == 201
    changed = person.http.post(
        "/v3/memory", json={"content": "It hangs in the hall.", "updates_memory_id": first["id"]}
    ).json()
    status, again = save(person, "1")
    assert (status, again["id"], again["duplicate"]) == (200, changed["id"], True)
    assert count(person) == 1


def test_after_a_deletion_it_stays_deleted(person: Person) -> None:
    _, first = save(person, "1")
    assert person.http.delete(f"/v3/documents/{first['id']}").status_code in (200, 204)
    status, problem = save(person, "1")
    assert (status, problem["code"]) == (409, "saved_and_deleted")
    assert save(person, "2")[0] == 201


def test_files_and_parallel_requests(person: Person) -> None:
    def upload(_: int) -> str:
        reply = person.http.post(
            "/v3/documents/upload",
            files={"file": ("a.txt", b"Some words of a file.")},
            headers={"Idempotency-Key": "file"},
        )
        assert reply.status_code in (200, 201, 202), reply.text
        return reply.json()["id"]

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(upload, range(8)))) == 1
    assert count(person) == 1


def test_keys_belong_to_one_person(person: Person, stranger: Person) -> None:
    save(person, "1")
    assert save(stranger, "1", "Another note.")[0] == 201
    assert save(person, "")[0] == 400
    assert save(person, "k" * 201)[0] == 400
