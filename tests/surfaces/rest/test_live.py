"""Server-sent events: what is sent, to whom, and when a stream ends."""

import json
import threading
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import httpx2
import pytest

from remem.core.identity.sign_in import sign_out
from remem.core.ports import Ports
from remem.surfaces.rest.live import MAX_READERS_PER_USER
from tests.conftest import Person, Server
from tests.surfaces.rest.people import SignIn, call, make_key
from tests.surfaces.rest.problems import assert_problem

pytestmark = pytest.mark.anyio


def events(reply: httpx2.Response) -> Iterator[tuple[str, dict[str, Any]]]:
    name = ""
    for line in reply.iter_lines():
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))


def test_saves_and_jobs_are_streamed_to_their_owner(person: Person, stranger: Person) -> None:
    with (
        person.http.stream("GET", "/v3/live?seconds=60") as own_stream,
        stranger.http.stream("GET", "/v3/live?seconds=60") as other_stream,
    ):
        assert own_stream.headers["Content-Type"].startswith("text/event-stream")
        assert own_stream.headers["Cache-Control"] == "no-store"
        other = stranger.save("The stranger's own note.")
        sent = person.http.post("/v3/memory?async=true", json={"content": "The ferry is late."})
        document, own_events = sent.json()["id"], events(own_stream)
        assert ("change", {"kind": "document", "id": document, "type": "create"}) in own_events
        completed = next(
            data for name, data in own_events if name == "job" and data["status"] == "completed"
        )
        assert completed["document_id"] == document and completed["progress"] == 1
        name, first = next(events(other_stream))
        assert (name, first["id"]) == ("change", other["id"])


def test_without_seconds_the_reply_ends_at_once(person: Person) -> None:
    reply = person.http.get("/v3/live")
    assert reply.status_code == 200
    assert all(name == "job" for name, _ in events(reply))
    assert person.http.head("/v3/live?seconds=60").status_code == 200


def test_the_number_of_streams_per_user_is_limited(person: Person) -> None:
    streams = [
        person.http.send(person.http.build_request("GET", "/v3/live?seconds=60"), stream=True)
        for _ in range(MAX_READERS_PER_USER)
    ]
    try:
        assert_problem(person.http.get("/v3/live?seconds=60"), 429, "rate_limited", "")
    finally:
        for stream in streams:
            stream.close()


async def test_a_stream_ends_with_its_session(
    person: Person, sign_in: SignIn, ports: Ports, monkeypatch: pytest.MonkeyPatch
) -> None:
    from uuid import UUID

    browser = sign_in(email=person.email, password=person.password)
    with browser.http.stream("GET", "/v3/live?seconds=60") as reply:
        await sign_out(ports, UUID(person.user_id), browser.http.cookies["remem_session"])
        assert ("end", {"reason": "signed_out"}) in events(reply)
    assert_problem(browser.http.get("/v3/live?seconds=60"), 401, "signed_out", "sign in")


def test_a_revoked_key_ends_its_stream_during_many_saves(server: Server, person: Person) -> None:
    key = make_key(person, ["read"])
    is_over = threading.Event()

    def keep_saving() -> None:
        with call(server.url, person.key) as http:
            while not is_over.is_set():
                http.post("/v3/memory", json={"content": f"Note {uuid4()}."})

    with call(server.url, key["key"]) as http, http.stream("GET", "/v3/live?seconds=30") as reply:
        saving = threading.Thread(target=keep_saving)
        saving.start()
        try:
            assert person.http.delete(f"/v3/api-keys/{key['id']}").status_code == 204
            assert ("end", {"reason": "signed_out"}) in events(reply)
        finally:
            is_over.set()
            saving.join()
