"""Server-sent events: what is told, to whom, and when it ends."""

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


def test_what_is_saved_and_done_is_told_as_it_happens(person: Person, stranger: Person) -> None:
    with (
        person.http.stream("GET", "/v3/live?seconds=60") as mine,
        stranger.http.stream("GET", "/v3/live?seconds=60") as theirs,
    ):
        assert mine.headers["Content-Type"].startswith("text/event-stream")
        assert mine.headers["Cache-Control"] == "no-store"
        other = stranger.save("The stranger's own note.")
        sent = person.http.post("/v3/memory?async=true", json={"content": "The ferry is late."})
        document, body = sent.json()["id"], events(mine)
        assert ("change", {"kind": "document", "id": document, "type": "create"}) in body
        done = next(one for name, one in body if name == "job" and one["status"] == "completed")
        assert done["document_id"] == document and done["progress"] == 1
        name, first = next(events(theirs))
        assert (name, first["id"]) == ("change", other["id"])


def test_without_seconds_the_reply_ends_at_once(person: Person) -> None:
    reply = person.http.get("/v3/live")
    assert reply.status_code == 200
    assert all(name == "job" for name, _ in events(reply))
    assert person.http.head("/v3/live?seconds=60").status_code == 200


def test_a_user_has_so_many_streams_and_no_more(person: Person) -> None:
    open_ones = [
        person.http.send(person.http.build_request("GET", "/v3/live?seconds=60"), stream=True)
        for _ in range(MAX_READERS_PER_USER)
    ]
    try:
        assert_problem(person.http.get("/v3/live?seconds=60"), 429, "rate_limited", "")
    finally:
        for one in open_ones:
            one.close()


async def test_a_stream_ends_with_its_session(
    person: Person, sign_in: SignIn, ports: Ports, monkeypatch: pytest.MonkeyPatch
) -> None:
    from uuid import UUID

    browser = sign_in(email=person.email, password=person.password)
    with browser.http.stream("GET", "/v3/live?seconds=60") as reply:
        await sign_out(ports, UUID(person.user_id), browser.http.cookies["remem_session"])
        assert ("end", {"reason": "signed_out"}) in events(reply)
    assert_problem(browser.http.get("/v3/live?seconds=60"), 401, "signed_out", "sign in")


def test_a_revoked_key_ends_its_stream_while_much_is_saved(server: Server, person: Person) -> None:
    made = make_key(person, ["read"])
    is_over = threading.Event()

    def keep_saving() -> None:
        with call(server.url, person.key) as http:
            while not is_over.is_set():
                http.post("/v3/memory", json={"content": f"Note {uuid4()}."})

    with call(server.url, made["key"]) as http, http.stream("GET", "/v3/live?seconds=30") as reply:
        saving = threading.Thread(target=keep_saving)
        saving.start()
        try:
            assert person.http.delete(f"/v3/api-keys/{made['id']}").status_code == 204
            assert ("end", {"reason": "signed_out"}) in events(reply)
        finally:
            is_over.set()
            saving.join()
