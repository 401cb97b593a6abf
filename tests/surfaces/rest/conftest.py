"""Callers of every sort, made without the cost of certificates; and every call they can make."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import httpx2
import pytest

from remem.surfaces.rest.router import PUBLIC
from tests.conftest import Person, Server
from tests.surfaces.rest.calls import Operation, operations
from tests.surfaces.rest.people import Browser, Organization, SignIn, call


@pytest.fixture
def nobody(server: Server) -> Iterator[httpx2.Client]:
    """Somebody without a credential; a browser, once signed in."""
    with call(server.url) as http:
        yield http


@pytest.fixture
def keeper(server: Server) -> Iterator[Person]:
    """The owner in an organization of their own: as fresh as a new person, and sooner there."""
    with _keeper(server) as keeper:
        yield keeper


@pytest.fixture(scope="module")
def shared_keeper(server: Server) -> Iterator[Person]:
    """One for all tests of a file that change nothing."""
    with _keeper(server) as keeper:
        yield keeper


@contextmanager
def _keeper(server: Server) -> Iterator[Person]:
    with call(server.url, server.owner_key) as owner:
        made = owner.post("/v3/organizations", json={"name": "Fresh"}).json()
        scopes = ["read", "write", "admin"]
        wanted = {"name": "test", "scopes": scopes, "organization_id": made["id"]}
        key = owner.post("/v3/api-keys", json=wanted).json()["key"]
    with call(server.url, key) as http:
        who = http.get("/v3/whoami").json()
        yield Person(http, key, who["email"], "", who["user_id"], made["id"])


@pytest.fixture
def sign_in(server: Server) -> Iterator[SignIn]:
    with ExitStack() as stack:

        def sign_in(**body: Any) -> Browser:
            http = stack.enter_context(call(server.url))
            reply = http.post("/v3/auth/login", json=body)
            assert reply.status_code == 200, reply.text
            return Browser(http, reply.json()["csrf_token"])

        yield sign_in


@pytest.fixture
def browser(person: Person, sign_in: SignIn) -> Browser:
    return sign_in(email=person.email, password=person.password)


@pytest.fixture
def every(nobody: httpx2.Client) -> list[Operation]:
    """What is documented by the running server, reads first and the most final deletion last."""
    found = operations(nobody.get("/openapi.json").json())
    order = ["GET", "POST", "PUT", "PATCH", "DELETE"]
    return sorted(found, key=lambda one: (order.index(one.method), -len(one.path)))


@pytest.fixture
def guarded(every: list[Operation]) -> list[Operation]:
    return [one for one in every if one.path not in PUBLIC]


@pytest.fixture
def organization(person: Person) -> Organization:
    reply = person.post("/v3/organizations", {"name": "Analytical Engines"})
    assert reply.status_code == 201, reply.text
    return Organization(reply.json()["id"], person)


@pytest.fixture(scope="module")
def has_one_note(shared_keeper: Person) -> Person:
    shared_keeper.save("The only note.")
    return shared_keeper


@pytest.fixture
def keeps_nothing(has_one_note: Person) -> Iterator[Person]:
    """Somebody with one note, who has just that note after each test."""
    yield has_one_note
    listed = has_one_note.http.get("/v3/documents").json()
    assert [one["title"] for one in listed["documents"]] == ["The only note."]
    assert listed["total"] == 1
