"""A server that moves the vectors of two tenants to another model is killed twice on the way: what
is found stays the same, what is saved meanwhile is found at once, and the move comes to its end."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2

from tests.conftest import Person, Server, new_person, start_server, stop_server
from tests.tools.second_model import FIRST, SECOND
from tests.tools.waiting import until

NOTES = 150
QUESTIONS = range(0, NOTES, 10)
THINGS = (
    ("beekeeping", "apiculture"),
    ("the automobile", "my car"),
    ("the physician", "our doctor"),
    ("garbage", "rubbish"),
    ("the film", "that movie"),
)


def note(number: int) -> str:
    return f"Entry {number}: {THINGS[number % 5][0]} costs {number * 37} crowns on day {number}."


def question(number: int) -> str:
    return f"What is the price of {THINGS[number % 5][1]} in entry {number}?"


@contextmanager
def running(folder: Path, model: str) -> Iterator[Server]:
    server = start_server(
        folder,
        module="tests.tools.second_model",
        REMEM_EMBEDDING_MODEL=model,
        REMEM_EMBEDDING_THREADS="1",
        REMEM_DISTIL="false",
    )
    try:
        yield server
    finally:
        stop_server(server)


def on(server: Server, person: Person) -> Person:
    """The same person on a server that was started again, on another port."""
    person.http.base_url = httpx2.URL(server.url)
    return person


def answers(person: Person) -> list[list[tuple[str, float]]]:
    return [
        [(hit["id"], round(hit["score"], 2)) for hit in person.recall(question(number))]
        for number in QUESTIONS
    ]


def move_of(person: Person) -> dict[str, Any] | None:
    return person.http.get("/v3/stats").json()["vector_move"]


def size_of(person: Person) -> int:
    return person.http.get("/v3/stats").json()["storage_bytes"]


def has_moved(person: Person, share: float) -> bool:
    move = move_of(person)
    return move is not None and move["moved"] >= share * move["total"]


def test_killed_twice_while_two_tenants_move(data_dir: Path) -> None:
    with running(data_dir, FIRST) as server:
        people = [new_person(server), new_person(server)]
        for person in people:
            for number in range(NOTES):
                person.save(note(number))
        before = [answers(person) for person in people]
        size = size_of(people[1])

    for share in (0.1, 0.4):
        with running(data_dir, SECOND) as server:
            first = on(server, people[0])
            until(lambda share=share, first=first: has_moved(first, share))
            server.process.kill()

    with running(data_dir, SECOND) as server:
        for person in people:
            on(server, person)
        assert any(move_of(person) for person in people)
        assert [answers(person) for person in people] == before
        saved = people[0].save("Grandma bakes rye loaves.")
        assert people[0].recall("Which bread does granny make?")[0]["id"] == saved["id"]
        # One more text changes how rare each word is, hence the scores.
        meanwhile = [answers(person) for person in people]
        until(lambda: not any(move_of(person) for person in people))
        assert [answers(person) for person in people] == meanwhile
        assert people[0].recall("Which bread does granny make?")[0]["id"] == saved["id"]
        for person in people:
            assert person.http.get("/v3/stats").json()["embedding_coverage"] == 1
        # The old vectors are removed.
        until(lambda: size_of(people[1]) == size)
    for person in people:
        person.http.close()
