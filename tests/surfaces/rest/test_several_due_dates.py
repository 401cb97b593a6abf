"""A text that is due at several times is listed at each of them as soon as it is saved."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.conftest import Person
from tests.tools.waiting import until

TAX, BANK, RENT = "2097-05-31", "2097-06-03", "2097-07-01"
TEXTS = {
    "I must file the tax report by 31 May 2097 and call the bank on 3 June 2097.": [TAX, BANK],
    "Call the bank on 3 June 2097; file the tax report by 31 May 2097.": [TAX, BANK],
    "Todo: tax report (31 May 2097), bank call (3 June 2097)": [TAX, BANK],
    "File the tax report by 31 May 2097, call the bank on 3 June 2097 and pay the rent by"
    " 1 July 2097.": [TAX, BANK, RENT],
    "- file the tax report by 31 May 2097\n- call the bank on 3 June 2097": [TAX, BANK],
    "By 31 May 2097 file the tax report and on 3 June 2097 call the bank.": [TAX, BANK],
    "I filed the form on 3 May 2020. Call the bank on 3 June 2097.": [BANK],
}


def due(person: Person) -> list[dict[str, Any]]:
    reply = person.http.get("/api/memories/foresight/active")
    assert reply.status_code == 200, reply.text
    return sorted(reply.json()["memories"], key=lambda memory: memory["dueAt"])


def days(person: Person) -> list[str]:
    return [memory["dueAt"][:10] for memory in due(person)]


def total(person: Person) -> int:
    return len(person.http.get("/api/memories").json()["memories"])


def by_api(person: Person, text: str) -> None:
    person.post("/api/memories", {"content": text}).raise_for_status()


def by_v1(person: Person, text: str) -> None:
    person.post("/v1/documents", {"content": text, "container": "default"}).raise_for_status()


def by_document(person: Person, text: str) -> None:
    person.save(text)


@pytest.mark.parametrize(("text", "dates"), TEXTS.items())
def test_each_date_is_due_at_once(person: Person, text: str, dates: list[str]) -> None:
    by_api(person, text)
    assert days(person) == dates
    assert total(person) == 1


@pytest.mark.parametrize("save", [by_v1, by_document])
def test_each_date_is_due_by_every_way(person: Person, save: Callable[..., None]) -> None:
    save(person, next(iter(TEXTS)))
    until(lambda: days(person) == [TAX, BANK])


def test_saved_again_it_is_due_once(person: Person) -> None:
    text = next(iter(TEXTS))
    by_api(person, text)
    for again in (text, "Call the bank on 3 June 2097."):
        assert person.post("/api/memories", {"content": again}).json()["status"] == "duplicate"
    assert days(person) == [TAX, BANK]
    [first, second] = due(person)
    assert first["partOf"] == second["partOf"]
    again = person.post(f"/api/memories/{first['partOf']}/derive", {})
    assert again.status_code == 200, again.text
    assert days(person) == [TAX, BANK]


def test_what_is_said_already_is_due_once(person: Person) -> None:
    by_api(person, "Call the bank on 3 June 2097.")
    by_api(person, next(iter(TEXTS)))
    assert days(person) == [TAX, BANK]


def test_a_part_is_cancelled_alone(person: Person) -> None:
    by_api(person, next(iter(TEXTS)))
    person.http.delete(f"/api/memories/{due(person)[0]['id']}").raise_for_status()
    assert days(person) == [BANK]


def test_a_correction_has_its_own_dates(person: Person) -> None:
    by_api(person, next(iter(TEXTS)))
    path = f"/api/memories/{due(person)[0]['partOf']}"
    text = "I must file the tax report by 31 May 2097 and pay the rent by 1 July 2097."
    new = person.http.put(path, json={"content": text})
    assert new.status_code == 200, new.text
    assert days(person) == [TAX, RENT]
    id = new.json()["id"]
    given = {"dueAt": "2097-08-01T12:00:00Z"}
    person.http.put(f"/api/memories/{id}", json=given).raise_for_status()
    assert days(person) == ["2097-08-01"]


def test_the_split_is_undone(person: Person) -> None:
    by_api(person, next(iter(TEXTS)))
    [action] = person.http.get("/api/evolve/actions").json()["actions"]
    undone = person.post(f"/api/evolve/actions/{action['id']}/undo", {})
    assert undone.status_code == 200, undone.text
    assert days(person) == [TAX]
