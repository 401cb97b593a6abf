"""Texts made to stall the server: each is kept and found, and others are answered meanwhile."""

import threading
from typing import Any

import httpx2
import pytest

from tests.conftest import Person, Server

CHARS = 9_900
STALLING = ["Aa ", "Mr. ", "a.", "A ", "in May ", "tomorrow ", "a-b", "\n", "```\n", "I have a "]


@pytest.mark.parametrize("pump", STALLING)
def test_a_text_that_repeats_is_kept_and_found(person: Person, pump: str) -> None:
    content = f"zebrafish {pump * (CHARS // len(pump))} end"
    saved = person.post("/api/memories", {"content": content})
    assert saved.status_code in (200, 201), saved.text
    found = person.http.get("/api/memories/search", params={"query": "zebrafish"}).json()
    assert [one["id"] for one in found["memories"]] == [saved.json()["id"]]


def test_code_of_blank_lines_is_kept_and_found(person: Person) -> None:
    saved = person.save("x" + "\n" * 5_000 + "zebrafish", content_type="code")
    assert saved["status"] == "done"
    assert person.recall("zebrafish")


def test_a_query_that_repeats_is_answered(person: Person) -> None:
    person.save("The zebrafish swims.")
    for pump in STALLING:
        query = ("zebrafish " + pump * CHARS)[:CHARS]
        reply = person.post("/v3/recall", {"query": query})
        assert reply.status_code in (200, 422), reply.text


def test_others_are_answered_while_texts_are_analysed(person: Person, server: Server) -> None:
    """Every request for health is answered before the save that was sent ahead of it."""
    order: list[str] = []
    sent = threading.Event()

    def save() -> None:
        with httpx2.Client(base_url=server.url, timeout=120) as http:
            body: dict[str, Any] = {"content": "Ann Smith said so in May. " * 1_500}
            headers = {"Authorization": f"Bearer {person.key}"}
            sent.set()
            reply = http.post("/v3/memory", json=body, headers=headers)
            order.append(f"save {reply.status_code}")

    saving = threading.Thread(target=save)
    saving.start()
    sent.wait()
    with httpx2.Client(base_url=server.url, timeout=120) as http:
        for _ in range(5):
            order.append(f"health {http.get('/health').status_code}")
    saving.join()
    assert len(order) == 6
    assert sorted(order) == ["health 200"] * 5 + [order[-1]], order
    assert order[-1] in ("save 201", "save 202"), "the save came last"
