"""A memory that was replaced says which one is valid instead, wherever it is read."""

from typing import Any

import pytest

from tests.conftest import Person

OLD, NEW = "My dentist is Dr. Amsel.", "My dentist is now Dr. Wirth."


def add(keeper: Person, content: str) -> str:
    return keeper.post("/api/memories", {"content": content}).json()["id"]


def read(keeper: Person, id: str) -> dict[str, Any]:
    return keeper.http.get(f"/api/memories/{id}").json()


def newer_of(keeper: Person, id: str) -> str | None:
    newer = read(keeper, id)["replacedBy"]
    return newer and newer["id"]


@pytest.fixture
def pair(keeper: Person) -> tuple[str, str]:
    return add(keeper, OLD), add(keeper, NEW)


def test_the_old_one_names_the_new_one(keeper: Person, pair: tuple[str, str]) -> None:
    old, new = pair
    newer, current = read(keeper, old)["replacedBy"], read(keeper, new)
    assert (newer["id"], newer["content"], newer["category"]) == (new, NEW, "fact")
    assert newer["since"] == current["createdAt"]
    assert keeper.http.get(newer["url"]).json()["id"] == new
    assert current["replacedBy"] is None


def test_the_other_dialect_says_it_too(keeper: Person, pair: tuple[str, str]) -> None:
    old, new = pair
    newer = keeper.http.get(f"/v1/memories/{old}").json()["replaced_by"]
    assert (newer["id"], newer["content"], newer["memory_type"]) == (new, NEW, "fact")
    assert keeper.http.get(f"/v1/memories/{new}").json()["replaced_by"] is None


def test_lists_say_it_too(keeper: Person, pair: tuple[str, str]) -> None:
    old, new = pair
    superseded = keeper.http.get("/api/memories", params={"state": "superseded"}).json()
    batch = keeper.post("/api/memories/batch-get", {"ids": [old, new]}).json()
    history = keeper.http.get(f"/api/memories/{new}/history").json()
    for memories in (superseded["memories"], batch["memories"], history["versions"]):
        newer = {one["id"]: one["replacedBy"] for one in memories}
        assert newer[old]["id"] == new
        assert newer.get(new) is None


def test_the_last_of_a_chain_is_named(keeper: Person, pair: tuple[str, str]) -> None:
    last = add(keeper, "My dentist is now Dr. Stern.")
    assert [newer_of(keeper, id) for id in (*pair, last)] == [last, last, None]


def test_a_restored_one_is_named_instead(keeper: Person, pair: tuple[str, str]) -> None:
    old, new = pair
    restored = keeper.post(f"/api/memories/{old}/restore", {}).json()["id"]
    assert newer_of(keeper, restored) is None
    assert newer_of(keeper, new) == restored


def test_a_version_names_the_current_one(keeper: Person) -> None:
    first = add(keeper, "Tea is at four.")
    body = {"content": "Tea is at five."}
    second = keeper.http.put(f"/api/memories/{first}", json=body).json()["id"]
    assert newer_of(keeper, first) == second


def test_what_was_merged_names_what_it_was_merged_into(keeper: Person) -> None:
    ids = [add(keeper, "Ben plays the cello."), add(keeper, "Ben collects stamps.")]
    merged = keeper.post("/api/memories/merge", {"ids": ids}).json()["id"]
    assert [newer_of(keeper, id) for id in ids] == [merged, merged]


def test_nobody_else_sees_it(keeper: Person, pair: tuple[str, str], person: Person) -> None:
    old, _ = pair
    assert person.http.get(f"/api/memories/{old}").status_code == 404
