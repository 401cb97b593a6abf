"""API keys: shown once, kept as hashes, stopped at once."""

import re
from typing import Any

import httpx2
import pytest

from remem.core.identity.secrets import digest
from remem.core.time import new_id
from tests.conftest import Person, Server
from tests.surfaces.rest.people import (
    make_key,
    new_email,
    register,
)
from tests.surfaces.rest.problems import assert_problem
from tests.surfaces.rest.rows import all_rows
from tests.surfaces.rest.waiting import until

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
