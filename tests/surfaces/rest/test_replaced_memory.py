"""A replaced memory refers to its replacement, wherever it is read."""

from typing import Any

import pytest

from tests.conftest import Person

OLD, NEW = "My dentist is Dr. Amsel.", "My dentist is now Dr. Wirth."


def add(user: Person, content: str) -> str:
    return user.post("/api/memories", {"content": content}).json()["id"]


def read(user: Person, id: str) -> dict[str, Any]:
    return user.http.get(f"/api/memories/{id}").json()


def replacement_of(user: Person, id: str) -> str | None:
    replacement = read(user, id)["replacedBy"]
    return replacement and replacement["id"]


@pytest.fixture
def pair(user: Person) -> tuple[str, str]:
    return add(user, OLD), add(user, NEW)


def test_the_old_memory_refers_to_the_new_one(user: Person, pair: tuple[str, str]) -> None:
    old, new = pair
    replacement, current = read(user, old)["replacedBy"], read(user, new)
    assert (replacement["id"], replacement["content"], replacement["category"]) == (
        new,
        NEW,
        "fact",
    )
    assert replacement["since"] == current["createdAt"]
    assert user.http.get(replacement["url"]).json()["id"] == new
    assert current["replacedBy"] is None


def test_v1_has_the_replacement_too(user: Person, pair: tuple[str, str]) -> None:
    old, new = pair
    replacement = user.http.get(f"/v1/memories/{old}").json()["replaced_by"]
    assert (replacement["id"], replacement["content"], replacement["memory_type"]) == (
        new,
        NEW,
        "fact",
    )
    assert user.http.get(f"/v1/memories/{new}").json()["replaced_by"] is None


def test_lists_have_the_replacement_too(user: Person, pair: tuple[str, str]) -> None:
    old, new = pair
    superseded = user.http.get("/api/memories", params={"state": "superseded"}).json()
    batch = user.post("/api/memories/batch-get", {"ids": [old, new]}).json()
    history = user.http.get(f"/api/memories/{new}/history").json()
    for memories in (superseded["memories"], batch["memories"], history["versions"]):
        replacement = {memory["id"]: memory["replacedBy"] for memory in memories}
        assert replacement[old]["id"] == new
        assert replacement.get(new) is None


def test_the_replacement_is_the_last_of_a_chain(user: Person, pair: tuple[str, str]) -> None:
    last = add(user, "My dentist is now Dr. Stern.")
    assert [replacement_of(user, id) for id in (*pair, last)] == [last, last, None]


def test_a_restored_memory_is_the_replacement(user: Person, pair: tuple[str, str]) -> None:
    old, new = pair
    restored = user.post(f"/api/memories/{old}/restore", {}).json()["id"]
    assert replacement_of(user, restored) is None
    assert replacement_of(user, new) == restored


def test_an_old_version_refers_to_the_current_one(user: Person) -> None:
    first = add(user, "Tea is at four.")
    body = {"content": "Tea is at five."}
    second = user.http.put(f"/api/memories/{first}", json=body).json()["id"]
    assert replacement_of(user, first) == second


def test_a_merged_memory_refers_to_the_result(user: Person) -> None:
    ids = [add(user, "Ben plays the cello."), add(user, "Ben collects stamps.")]
    merged = user.post("/api/memories/merge", {"ids": ids}).json()["id"]
    assert [replacement_of(user, id) for id in ids] == [merged, merged]


def test_other_users_do_not_see_it(user: Person, pair: tuple[str, str], person: Person) -> None:
    old, _ = pair
    assert person.http.get(f"/api/memories/{old}").status_code == 404
