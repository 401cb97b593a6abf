"""People as callers: with a key, with a browser, with an organization."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import httpx2

from remem.core.ports import Ports
from remem.core.time import new_id
from tests.conftest import Person, Server
from tests.surfaces.rest.rows import rows_of

PASSWORD = "correct horse"
EVERY_SCOPE = ["admin", "read", "write"]
MakePerson: TypeAlias = Callable[[], Person]


def call(url: str, key: str | None = None) -> httpx2.Client:
    """A client with a key or without one; on loopback there is no certificate to check."""
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    return httpx2.Client(base_url=url, headers=headers, timeout=60, verify=False)


def new_email() -> str:
    return f"{new_id()}@example.org"


def register(http: httpx2.Client, **fields: Any) -> httpx2.Response:
    body = {"email": new_email(), "password": PASSWORD, **fields}
    return http.post("/v3/auth/register", json=body)


@dataclass(frozen=True)
class Browser:
    """A client that is signed in with a cookie."""

    http: httpx2.Client
    csrf: str

    @property
    def headers(self) -> dict[str, str]:
        return {"X-CSRF-Token": self.csrf}

    def post(self, path: str, body: Any = None) -> httpx2.Response:
        return self.http.post(path, json=body, headers=self.headers)


SignIn: TypeAlias = Callable[..., Browser]


def make_key(person: Person, scopes: list[str], **fields: Any) -> dict[str, Any]:
    reply = person.post("/v3/api-keys", {"name": "one more", "scopes": scopes, **fields})
    assert reply.status_code == 201, reply.text
    return reply.json()


def whoami(server: Server, key: str) -> httpx2.Response:
    with call(server.url, key) as http:
        return http.get("/v3/whoami")


@dataclass(frozen=True)
class Organization:
    """An organization of a person, used through the API."""

    id: str
    owner: Person

    @property
    def members(self) -> dict[str, str]:
        reply = self.owner.http.get(f"/v3/organizations/{self.id}/members")
        return {member["user_id"]: member["role"] for member in reply.json()["members"]}

    def add(
        self, member: Person, role: str = "member", by: Person | None = None
    ) -> httpx2.Response:
        body = {"email": member.email, "role": role}
        return (by or self.owner).post(f"/v3/organizations/{self.id}/members", body)

    def change(self, member: Person, role: str, by: Person | None = None) -> httpx2.Response:
        body = {"user_id": member.user_id, "role": role}
        path = f"/v3/organizations/{self.id}/members"
        return (by or self.owner).http.patch(path, json=body)

    def remove(self, member: Person, by: Person | None = None) -> httpx2.Response:
        path = f"/v3/organizations/{self.id}/members"
        return (by or self.owner).http.delete(path, params={"user_id": member.user_id})

    def delete(self, by: Person | None = None) -> httpx2.Response:
        return (by or self.owner).http.delete(f"/v3/organizations/{self.id}")


async def assert_erased(ports: Ports, tenant_id: str) -> None:
    """Assert that no table has rows of the tenant except the audit trail, which has only ids."""
    remaining = {table for table, rows in (await rows_of(ports, tenant_id)).items() if rows}
    assert remaining <= {"events"}, remaining
