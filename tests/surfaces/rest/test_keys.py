"""API keys: shown once, stored as hashes, revoked immediately."""

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


def test_a_key_is_shown_once_and_listed_by_its_prefix(user: Person) -> None:
    key = make_key(user, ["read"])
    assert re.fullmatch(r"mc_[A-Za-z0-9]{32}", key["key"])
    listing = user.http.get("/v3/api-keys")
    assert key["key"] not in listing.text
    (entry,) = (row for row in listing.json()["api_keys"] if row["id"] == key["id"])
    assert entry["prefix"] == key["key"][:11]
    assert (entry["name"], entry["scopes"]) == ("one more", ["read"])
    assert "key" not in entry
    assert entry["last_used_at"] is None


def test_keys_differ(user: Person) -> None:
    keys = [make_key(user, ["read"]) for _ in range(20)]
    assert len({key["key"] for key in keys}) == len({key["prefix"] for key in keys}) == 20


def test_a_key_without_given_scopes_can_read_and_write(user: Person) -> None:
    key = user.post("/v3/api-keys", {"name": "plain"}).json()
    assert key["scopes"] == ["read", "write"]


def test_the_last_use_of_a_key_is_recorded(user: Person) -> None:
    def is_used() -> bool:
        [key] = user.http.get("/v3/api-keys").json()["api_keys"]
        return key["last_used_at"] is not None

    until(is_used)


@pytest.mark.parametrize("header", ["Authorization", "X-API-Key"])
def test_a_key_works_in_either_header_until_it_is_revoked(
    header: str, user: Person, anonymous: httpx2.Client
) -> None:
    key = make_key(user, ["read"])
    headers = {header: f"Bearer {key['key']}" if header == "Authorization" else key["key"]}
    assert anonymous.get("/v3/whoami", headers=headers).json()["scopes"] == ["read"]
    assert user.http.delete(f"/v3/api-keys/{key['id']}").status_code == 204
    assert_problem(
        anonymous.get("/v3/whoami", headers=headers), 401, "key_revoked", "make a new one"
    )
    assert key["id"] not in user.http.get("/v3/api-keys").text
    assert user.http.delete(f"/v3/api-keys/{key['id']}").status_code == 404


@pytest.mark.parametrize(
    "body",
    [{"name": ""}, {"name": " "}, {"name": "n" * 101}, {"name": "k", "scopes": []}],
)
def test_a_bad_key_is_not_created(body: dict[str, Any], user: Person) -> None:
    assert_problem(user.post("/v3/api-keys", body), 400, "invalid")
    assert len(user.http.get("/v3/api-keys").json()["api_keys"]) == 1


def test_a_key_with_an_unknown_scope_is_not_created(user: Person) -> None:
    reply = user.post("/v3/api-keys", {"name": "k", "scopes": ["read", "root"]})
    assert_problem(reply, 400, "invalid", "scopes.1: ", "'read', 'write' or 'admin'")


# Keys created with a key


@pytest.mark.parametrize("path", ["/v3/api-keys", "/api/api-keys"])
@pytest.mark.parametrize(
    ("own", "requested"),
    [
        (["admin"], ["read"]),
        (["admin"], ["read", "write"]),
        (["admin", "read"], ["read", "write"]),
        (["admin", "write"], ["admin", "read"]),
    ],
)
def test_a_key_cannot_create_a_more_powerful_key(
    path: str, own: list[str], requested: list[str], person: Person, server: Server
) -> None:
    with call(server.url, make_key(person, own)["key"]) as http:
        reply = http.post(path, json={"name": "more", "scopes": requested})
        assert_problem(reply, 403, "scope_missing", "cannot make a key", "ask for less")
        assert http.post(path, json={"name": "same", "scopes": own}).status_code == 201
    assert "more" not in [key["name"] for key in listed(person)]


def test_an_admin_key_cannot_set_a_password(person: Person, server: Server) -> None:
    body = {"current_password": person.password, "new_password": "battery staple"}
    with call(server.url, make_key(person, ["admin"])["key"]) as http:
        reply = http.post("/v3/account/password", json=body)
    assert_problem(reply, 403, "scope_missing", "read, write")
    credentials = {"email": person.email, "password": person.password}
    with call(server.url) as http:
        assert http.post("/v3/auth/login", json=credentials).status_code == 200


# Keys that expire


def listed(person: Person) -> list[dict[str, Any]]:
    return person.http.get("/v3/api-keys").json()["api_keys"]


async def expire_now(ports: Ports, person: Person, id: str) -> None:
    past = "UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = $1::uuid"
    await change(ports, person.tenant_id, past, id)


async def test_a_key_stops_working_when_it_expires(
    person: Person, server: Server, ports: Ports
) -> None:
    body = {"name": "short", "expires_in_days": 2}
    key = person.post("/v3/api-keys", body).json()
    assert key["expires_at"] in [entry["expires_at"] for entry in listed(person)]
    with call(server.url, key["key"]) as http:
        assert http.get("/v3/whoami").status_code == 200
        await expire_now(ports, person, key["id"])
        reply = http.get("/v3/whoami")
        assert_problem(reply, 401, "key_expired", "expired at", "make a new one")
        assert reply.headers["WWW-Authenticate"]
        mcp = http.post("/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
        assert (mcp.status_code, mcp.json()["code"]) == (401, "key_expired")
        login = http.post("/v3/auth/login", json={"api_key": key["key"]})
        assert_problem(login, 401, "key_expired")


def test_the_expiry_of_a_key_is_a_time_or_a_number_of_days(person: Person) -> None:
    moment = "2030-05-06T07:08:09.000Z"
    key = person.post("/v3/api-keys", {"name": "k", "expires_at": moment}).json()
    assert key["expires_at"] == moment
    camel_case = person.post("/api/api-keys", {"name": "k", "expiresAt": moment}).json()
    assert camel_case["expiresAt"] == moment
    days = person.post("/api/api-keys", {"name": "k", "expiresInDays": 1}).json()
    assert days["expiresAt"] is not None
    keys = person.http.get("/api/api-keys").json()["keys"]
    assert [line["expiresAt"] for line in keys].count(moment) == 2
    assert person.post("/v3/api-keys", {"name": "k"}).json()["expires_at"] is None


@pytest.mark.parametrize(
    ("expiry", "message"),
    [
        ({"expires_at": "2020-01-01T00:00:00Z"}, "is in the past"),
        ({"expires_at": "9999-01-01T00:00:00Z"}, "is too far in the future"),
        ({"expires_at": "soon"}, "not a time"),
        ({"expires_in_days": 0}, "greater than or equal to 1"),
        ({"expires_in_days": 3_651}, "less than or equal to 3650"),
        ({"expires_in_days": 1, "expires_at": "2030-01-01T00:00:00Z"}, "not both"),
    ],
)
def test_an_invalid_expiry_is_refused(expiry: dict[str, Any], message: str, user: Person) -> None:
    assert_problem(user.post("/v3/api-keys", {"name": "k", **expiry}), 400, "invalid", message)


def test_what_a_key_creates_expires_no_later_than_the_key(person: Person, server: Server) -> None:
    scopes = ["read", "write", "admin"]
    body = {"name": "short", "scopes": scopes, "expires_in_days": 2}
    key = person.post("/v3/api-keys", body).json()
    with call(server.url, key["key"]) as http:
        inherited = http.post("/v3/api-keys", json={"name": "child"}).json()
        assert inherited["expires_at"] == key["expires_at"]
        later = http.post("/v3/api-keys", json={"name": "child", "expires_in_days": 3})
        assert_problem(later, 400, "invalid", "or earlier, when this key ends")
        password = http.post("/v3/account/password", json={"new_password": "battery staple"})
        assert_problem(password, 403, "credential_expires", "cannot set a password")
        member = {"email": "ada@example.org", "role": "owner"}
        path = f"/v3/organizations/{person.tenant_id}/members"
        added = http.post(path, json=member)
        assert_problem(added, 403, "credential_expires", "cannot add a member")
    with call(server.url) as browser:
        session = browser.post("/v3/auth/login", json={"api_key": key["key"]}).json()
        assert session["expires_at"] == key["expires_at"]
        child = browser.post(
            "/v3/api-keys", json={"name": "c"}, headers={"X-CSRF-Token": session["csrf_token"]}
        )
        assert child.json()["expires_at"] == key["expires_at"]


async def test_no_secret_is_in_the_database(anonymous: httpx2.Client, server: Server) -> None:
    """Search every row of every table as text: hashes are stored, the secrets are not."""
    email, password = new_email(), f"horse {new_id()}"
    csrf = register(anonymous, email=email, password=password).json()["csrf_token"]
    headers = {"X-CSRF-Token": csrf}
    key = anonymous.post("/v3/api-keys", json={"name": "k"}, headers=headers).json()["key"]
    token = anonymous.cookies["remem_session"]
    rows = await all_rows(server)
    all_text = "\n".join(row for table_rows in rows.values() for row in table_rows)
    for secret in (password, csrf, key, token, server.owner_key):
        assert secret not in all_text
    assert digest(key) in "\n".join(rows["api_keys"])
    assert digest(token) in "\n".join(rows["sign_ins"])
    (user,) = (row for row in rows["users"] if email in row)
    assert "$argon2id$" in user
