"""Callers of every kind, created without loading certificates; and every documented operation."""

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
def anonymous(server: Server) -> Iterator[httpx2.Client]:
    """A client without a credential; after a sign-in, a browser."""
    with call(server.url) as http:
        yield http


@pytest.fixture
def user(server: Server) -> Iterator[Person]:
    """The owner of a new organization: as empty as a new person, and faster to create."""
    with new_user(server) as user:
        yield user


@pytest.fixture(scope="module")
def shared_user(server: Server) -> Iterator[Person]:
    """A user that all read-only tests of a file share."""
    with new_user(server) as user:
        yield user


@contextmanager
def new_user(server: Server) -> Iterator[Person]:
    with call(server.url, server.owner_key) as owner:
        organization = owner.post("/v3/organizations", json={"name": "Fresh"}).json()
        scopes = ["read", "write", "admin"]
        body = {"name": "test", "scopes": scopes, "organization_id": organization["id"]}
        key = owner.post("/v3/api-keys", json=body).json()["key"]
    with call(server.url, key) as http:
        identity = http.get("/v3/whoami").json()
        yield Person(http, key, identity["email"], "", identity["user_id"], organization["id"])


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
def all_operations(anonymous: httpx2.Client) -> list[Operation]:
    """Operations that the running server documents: reads first, the broadest deletion last."""
    documented = operations(anonymous.get("/openapi.json").json())
    order = ["GET", "POST", "PUT", "PATCH", "DELETE"]
    return sorted(
        documented, key=lambda operation: (order.index(operation.method), -len(operation.path))
    )


@pytest.fixture
def guarded(all_operations: list[Operation]) -> list[Operation]:
    return [operation for operation in all_operations if operation.path not in PUBLIC]


@pytest.fixture
def organization(person: Person) -> Organization:
    reply = person.post("/v3/organizations", {"name": "Analytical Engines"})
    assert reply.status_code == 201, reply.text
    return Organization(reply.json()["id"], person)


@pytest.fixture(scope="module")
def user_with_note(shared_user: Person) -> Person:
    shared_user.save("The only note.")
    return shared_user


@pytest.fixture
def unchanged_user(user_with_note: Person) -> Iterator[Person]:
    """A user with one note, and exactly that note after each test."""
    yield user_with_note
    listed = user_with_note.http.get("/v3/documents").json()
    assert [document["title"] for document in listed["documents"]] == ["The only note."]
    assert listed["total"] == 1
