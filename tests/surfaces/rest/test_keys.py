"""API keys: shown once, kept as hashes, stopped at once."""

import re
from typing import Any

import httpx2
import pytest

from remem.core.identity.secrets import digest
from remem.core.ports import Ports
from remem.core.time import new_id
from tests.conftest import Person, Server
from tests.surfaces.rest.conftest import call
from tests.surfaces.rest.people import (
    make_key,
    new_email,
    register,
)
from tests.surfaces.rest.problems import assert_problem
from tests.surfaces.rest.rows import all_rows, change
from tests.tools.waiting import until

pytestmark = pytest.mark.anyio


def test_a_key_is_shown_once_and_listed_by_its_beginning(keeper: Person) -> None:
    made = make_key(keeper, ["read"])
    assert re.fullmatch(r"mc_[A-Za-z0-9]{32}", made["key"])
    listing = keeper.http.get("/v3/api-keys")
    assert made["key"] not in listing.text
    (line,) = (one for one in listing.json()["api_keys"] if one["id"] == made["id"])
    assert line["prefix"] == made["key"][:11]
    assert (line["name"], line["scopes"]) == ("one more", ["read"])
    assert "key" not in line
    assert line["last_used_at"] is None


def test_keys_differ(keeper: Person) -> None:
    made = [make_key(keeper, ["read"]) for _ in range(20)]
    assert len({one["key"] for one in made}) == len({one["prefix"] for one in made}) == 20


def test_a_key_without_scopes_named_reads_and_writes(keeper: Person) -> None:
    made = keeper.post("/v3/api-keys", {"name": "plain"}).json()
    assert made["scopes"] == ["read", "write"]


def test_a_key_remembers_when_it_was_used(keeper: Person) -> None:
    def used() -> bool:
        [one] = keeper.http.get("/v3/api-keys").json()["api_keys"]
        return one["last_used_at"] is not None

    until(used)


@pytest.mark.parametrize("header", ["Authorization", "X-API-Key"])
def test_a_key_works_in_either_header_and_stops_at_once(
    header: str, keeper: Person, nobody: httpx2.Client
) -> None:
    made = make_key(keeper, ["read"])
    headers = {header: f"Bearer {made['key']}" if header == "Authorization" else made["key"]}
    assert nobody.get("/v3/whoami", headers=headers).json()["scopes"] == ["read"]
    assert keeper.http.delete(f"/v3/api-keys/{made['id']}").status_code == 204
    assert_problem(nobody.get("/v3/whoami", headers=headers), 401, "key_revoked", "make a new one")
    assert made["id"] not in keeper.http.get("/v3/api-keys").text
    assert keeper.http.delete(f"/v3/api-keys/{made['id']}").status_code == 404


@pytest.mark.parametrize(
    "body",
    [{"name": ""}, {"name": " "}, {"name": "n" * 101}, {"name": "k", "scopes": []}],
)
def test_a_bad_key_is_not_made(body: dict[str, Any], keeper: Person) -> None:
    assert_problem(keeper.post("/v3/api-keys", body), 400, "invalid")
    assert len(keeper.http.get("/v3/api-keys").json()["api_keys"]) == 1


def test_a_key_with_an_unknown_scope_is_not_made(keeper: Person) -> None:
    reply = keeper.post("/v3/api-keys", {"name": "k", "scopes": ["read", "root"]})
    assert_problem(reply, 400, "invalid", "scopes.1: ", "'read', 'write' or 'admin'")


# What a key can make


@pytest.mark.parametrize("path", ["/v3/api-keys", "/api/api-keys"])
@pytest.mark.parametrize(
    ("own", "asked"),
    [
        (["admin"], ["read"]),
        (["admin"], ["read", "write"]),
        (["admin", "read"], ["read", "write"]),
        (["admin", "write"], ["admin", "read"]),
    ],
)
def test_a_key_makes_no_key_that_may_do_more(
    path: str, own: list[str], asked: list[str], person: Person, server: Server
) -> None:
    with call(server.url, make_key(person, own)["key"]) as http:
        reply = http.post(path, json={"name": "more", "scopes": asked})
        assert_problem(reply, 403, "scope_missing", "cannot make a key", "ask for less")
        assert http.post(path, json={"name": "same", "scopes": own}).status_code == 201
    assert "more" not in [one["name"] for one in listed(person)]


def test_an_admin_key_sets_no_password_which_could_do_more(person: Person, server: Server) -> None:
    body = {"current_password": person.password, "new_password": "battery staple"}
    with call(server.url, make_key(person, ["admin"])["key"]) as http:
        reply = http.post("/v3/account/password", json=body)
    assert_problem(reply, 403, "scope_missing", "read, write")
    signed = {"email": person.email, "password": person.password}
    with call(server.url) as http:
        assert http.post("/v3/auth/login", json=signed).status_code == 200


# Keys that end


def listed(person: Person) -> list[dict[str, Any]]:
    return person.http.get("/v3/api-keys").json()["api_keys"]


async def end_now(ports: Ports, person: Person, id: str) -> None:
    past = "UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = $1::uuid"
    await change(ports, person.tenant_id, past, id)


async def test_a_key_stops_working_when_it_is_said_to(
    person: Person, server: Server, ports: Ports
) -> None:
    body = {"name": "short", "expires_in_days": 2}
    made = person.post("/v3/api-keys", body).json()
    assert made["expires_at"] in [one["expires_at"] for one in listed(person)]
    with call(server.url, made["key"]) as http:
        assert http.get("/v3/whoami").status_code == 200
        await end_now(ports, person, made["id"])
        reply = http.get("/v3/whoami")
        assert_problem(reply, 401, "key_expired", "expired at", "make a new one")
        assert reply.headers["WWW-Authenticate"]
        mcp = http.post("/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
        assert (mcp.status_code, mcp.json()["code"]) == (401, "key_expired")
        signed = http.post("/v3/auth/login", json={"api_key": made["key"]})
        assert_problem(signed, 401, "key_expired")


def test_the_end_of_a_key_is_a_moment_or_days(person: Person) -> None:
    moment = "2030-05-06T07:08:09.000Z"
    made = person.post("/v3/api-keys", {"name": "k", "expires_at": moment}).json()
    assert made["expires_at"] == moment
    agent = person.post("/api/api-keys", {"name": "k", "expiresAt": moment}).json()
    assert agent["expiresAt"] == moment
    days = person.post("/api/api-keys", {"name": "k", "expiresInDays": 1}).json()
    assert days["expiresAt"] is not None
    lines = person.http.get("/api/api-keys").json()["keys"]
    assert [one["expiresAt"] for one in lines].count(moment) == 2
    assert person.post("/v3/api-keys", {"name": "k"}).json()["expires_at"] is None


@pytest.mark.parametrize(
    ("end", "says"),
    [
        ({"expires_at": "2020-01-01T00:00:00Z"}, "is in the past"),
        ({"expires_at": "9999-01-01T00:00:00Z"}, "is too far in the future"),
        ({"expires_at": "soon"}, "not a time"),
        ({"expires_in_days": 0}, "greater than or equal to 1"),
        ({"expires_in_days": 3_651}, "less than or equal to 3650"),
        ({"expires_in_days": 1, "expires_at": "2030-01-01T00:00:00Z"}, "not both"),
    ],
)
def test_an_end_that_makes_no_sense_is_refused(
    end: dict[str, Any], says: str, keeper: Person
) -> None:
    assert_problem(keeper.post("/v3/api-keys", {"name": "k", **end}), 400, "invalid", says)


def test_what_a_key_makes_ends_no_later_than_itself(person: Person, server: Server) -> None:
    scopes = ["read", "write", "admin"]
    ending = {"name": "short", "scopes": scopes, "expires_in_days": 2}
    made = person.post("/v3/api-keys", ending).json()
    with call(server.url, made["key"]) as http:
        inherited = http.post("/v3/api-keys", json={"name": "child"}).json()
        assert inherited["expires_at"] == made["expires_at"]
        later = http.post("/v3/api-keys", json={"name": "child", "expires_in_days": 3})
        assert_problem(later, 400, "invalid", "or earlier, when this key ends")
        password = http.post("/v3/account/password", json={"new_password": "battery staple"})
        assert_problem(password, 403, "credential_expires", "cannot set a password")
        member = {"email": "ada@example.org", "role": "owner"}
        path = f"/v3/organizations/{person.tenant_id}/members"
        added = http.post(path, json=member)
        assert_problem(added, 403, "credential_expires", "cannot add a member")
    with call(server.url) as browser:
        signed = browser.post("/v3/auth/login", json={"api_key": made["key"]}).json()
        assert signed["expires_at"] == made["expires_at"]
        child = browser.post(
            "/v3/api-keys", json={"name": "c"}, headers={"X-CSRF-Token": signed["csrf_token"]}
        )
        assert child.json()["expires_at"] == made["expires_at"]


async def test_no_secret_is_in_the_database(nobody: httpx2.Client, server: Server) -> None:
    """Every row of every table, as text: hashes are there and what they are made of is not."""
    email, password = new_email(), f"horse {new_id()}"
    csrf = register(nobody, email=email, password=password).json()["csrf_token"]
    headers = {"X-CSRF-Token": csrf}
    key = nobody.post("/v3/api-keys", json={"name": "k"}, headers=headers).json()["key"]
    token = nobody.cookies["remem_session"]
    rows = await all_rows(server)
    kept = "\n".join(row for found in rows.values() for row in found)
    for secret in (password, csrf, key, token, server.owner_key):
        assert secret not in kept
    assert digest(key) in "\n".join(rows["api_keys"])
    assert digest(token) in "\n".join(rows["sign_ins"])
    (user,) = (row for row in rows["users"] if email in row)
    assert "$argon2id$" in user
