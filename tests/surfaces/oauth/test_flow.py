"""What a client gets when it does everything right, and what that opens."""

from typing import Any

import httpx2
import pytest

from tests.conftest import Person, Server
from tests.surfaces.oauth.protocol import (
    LOOPBACK,
    Browser,
    Client,
    answer_in,
    new_client,
    whoami,
)
from tests.surfaces.rest.rows import all_rows

pytestmark = pytest.mark.anyio


# Metadata


def test_who_gives_tokens_is_told_at_the_root(http: httpx2.Client, server: Server) -> None:
    found = http.get("/.well-known/oauth-authorization-server").json()
    assert found["issuer"] == server.url
    for name in ("authorization", "token", "registration", "revocation"):
        assert found[f"{name}_endpoint"].startswith(f"{server.url}/oauth/")
    assert found["code_challenge_methods_supported"] == ["S256"]
    assert found["authorization_response_iss_parameter_supported"] is True
    assert http.get("/.well-known/oauth-authorization-server/mcp").json() == found


@pytest.mark.parametrize("path", ["", "/mcp", "/mcp/coding", "/v3"])
def test_what_tokens_open_is_told_for_each_door(
    path: str, http: httpx2.Client, server: Server
) -> None:
    found = http.get(f"/.well-known/oauth-protected-resource{path}").json()
    assert found["resource"] == server.url + path
    assert found["authorization_servers"] == [server.url]
    assert found["scopes_supported"] == ["read", "write"], "nobody is nudged to ask for more"


@pytest.mark.parametrize("path", ["/nothing", "/mcp/a/b", "/mcp/a%20b", "/v3/whoami"])
def test_of_what_is_no_door_nothing_is_told(path: str, http: httpx2.Client) -> None:
    assert http.get(f"/.well-known/oauth-protected-resource{path}").status_code == 404


def test_pages_of_other_origins_may_read_what_programs_read(http: httpx2.Client) -> None:
    for path in ("/.well-known/oauth-protected-resource/mcp", "/oauth/token", "/oauth/register"):
        asked = http.options(path, headers={"Origin": "https://inspector.example"})
        assert asked.status_code == 204
        assert asked.headers["Access-Control-Allow-Origin"] == "*"
        assert "Access-Control-Allow-Credentials" not in asked.headers
    assert http.post("/oauth/token").headers["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Origin" not in http.get("/oauth/authorize").headers


@pytest.mark.parametrize(("path", "at"), [("/v3/whoami", ""), ("/v1/search", "")])
def test_a_refused_caller_is_told_where_to_begin(
    path: str, at: str, http: httpx2.Client, server: Server
) -> None:
    asked = http.get(path) if path == "/v3/whoami" else http.post(path, json={})
    assert asked.status_code == 401
    where = f'resource_metadata="{server.url}/.well-known/oauth-protected-resource{at}"'
    assert where in asked.headers["WWW-Authenticate"]
    assert "error=" not in asked.headers["WWW-Authenticate"]
    assert 'error="invalid_token"' in whoami(server.url, "mct_x").headers["WWW-Authenticate"]


# The way to a token


def test_a_client_gets_what_was_allowed(client: Client, browser: Browser, server: Server) -> None:
    answer = answer_in(browser.decide(client.ask(resource=server.url)))
    assert set(answer) == {"code", "state", "iss"}
    assert (answer["state"], answer["iss"]) == ("a state & more", server.url)
    reply = client.exchange(answer["code"])
    assert reply.headers["Cache-Control"] == "no-store"
    tokens = reply.json()
    assert (tokens["token_type"], tokens["expires_in"]) == ("Bearer", 3600)
    assert tokens["scope"] == "read write", "what is given when nothing is named"
    assert tokens["access_token"].startswith("mct_")
    assert tokens["refresh_token"].startswith("mcr_")
    who = whoami(server.url, tokens["access_token"]).json()
    assert who["email"] == "owner@localhost"
    assert who["scopes"] == ["read", "write"]


def test_scopes_hold_as_those_of_keys_do(client: Client, browser: Browser, server: Server) -> None:
    token = client.tokens(browser, scope="read")["access_token"]
    headers = {"Authorization": f"Bearer {token}"}
    refused = client.http.post("/v3/memory", json={"content": "x"}, headers=headers)
    assert refused.status_code == 403
    assert refused.json()["code"] == "scope_missing"
    challenge = refused.headers["WWW-Authenticate"]
    assert 'error="insufficient_scope", scope="write"' in challenge
    assert client.http.get("/v3/documents", headers=headers).status_code == 200


def test_a_client_may_ask_for_admin_and_is_given_it_when_allowed(
    client: Client, browser: Browser, server: Server
) -> None:
    page = browser.see(client.ask(scope="admin")).text
    assert "Manage your account" in page
    assert "Save new things" not in page
    tokens = client.tokens(browser, scope="read admin")
    assert whoami(server.url, tokens["access_token"]).json()["scopes"] == ["admin", "read"]


def test_scopes_of_other_servers_are_passed_over(client: Client, browser: Browser) -> None:
    assert client.tokens(browser, scope="read offline_access")["scope"] == "read"


def test_a_client_with_a_secret_must_show_it(
    http: httpx2.Client, browser: Browser, server: Server
) -> None:
    for method in ("client_secret_post", "client_secret_basic", None):
        client = new_client(http, token_endpoint_auth_method=method)
        assert client.secret
        code = client.code(browser)
        for wrong in (None, "guessed"):
            refused = client.exchange(code, client_secret=wrong)
            assert refused.status_code == 401
            assert refused.json()["error"] == "invalid_client"
        assert client.exchange(code).status_code == 200


def test_a_secret_is_taken_from_the_header_too(http: httpx2.Client, browser: Browser) -> None:
    client = new_client(http, token_endpoint_auth_method="client_secret_basic")
    form = {
        "grant_type": "authorization_code",
        "code": client.code(browser),
        "redirect_uri": client.redirect_uri,
        "code_verifier": client.verifier,
    }
    assert client.secret
    wrong = http.post("/oauth/token", data=form, auth=(client.id, "guessed"))
    assert wrong.status_code == 401
    assert wrong.headers["WWW-Authenticate"].startswith("Basic")
    assert http.post("/oauth/token", data=form, auth=(client.id, client.secret)).status_code == 200


def test_a_program_on_this_machine_listens_on_any_port(client: Client, browser: Browser) -> None:
    elsewhere = LOOPBACK.replace("3334", "51999")
    code = client.code(browser, redirect_uri=elsewhere)
    assert client.exchange(code, redirect_uri=elsewhere).status_code == 200


async def test_tokens_are_kept_only_as_hashes(
    client: Client, browser: Browser, server: Server
) -> None:
    code = client.code(browser)
    tokens = client.exchange(code).json()
    rows = str(await all_rows(server))
    assert client.id in rows
    for secret in (code, tokens["access_token"], tokens["refresh_token"], client.verifier):
        assert secret not in rows


# Refreshing and giving up


def test_a_refresh_gives_new_tokens_for_the_same(
    client: Client, browser: Browser, server: Server
) -> None:
    first = client.tokens(browser)
    second = client.refresh(first["refresh_token"]).json()
    assert second["access_token"] != first["access_token"]
    assert second["refresh_token"] != first["refresh_token"]
    assert second["scope"] == first["scope"]
    for tokens in (first, second):
        assert whoami(server.url, tokens["access_token"]).status_code == 200


def test_a_refresh_may_ask_for_less_and_not_for_more(
    client: Client, browser: Browser, server: Server
) -> None:
    tokens = client.tokens(browser, scope="read write")
    more = client.refresh(tokens["refresh_token"], scope="read admin")
    assert (more.status_code, more.json()["error"]) == (400, "invalid_scope")
    less = client.refresh(tokens["refresh_token"], scope="read").json()
    assert less["scope"] == "read"
    assert whoami(server.url, less["access_token"]).json()["scopes"] == ["read"]
    assert client.refresh(less["refresh_token"]).json()["scope"] == "read write"


def test_giving_up_a_refresh_token_ends_the_grant(
    client: Client, browser: Browser, server: Server
) -> None:
    tokens = client.tokens(browser)
    assert client.revoke(tokens["refresh_token"]).status_code == 200
    refused = whoami(server.url, tokens["access_token"])
    assert (refused.status_code, refused.json()["code"]) == (401, "token_revoked")
    assert client.refresh(tokens["refresh_token"]).json()["error"] == "invalid_grant"


def test_giving_up_an_access_token_leaves_the_grant(
    client: Client, browser: Browser, server: Server
) -> None:
    tokens = client.tokens(browser)
    assert client.revoke(tokens["access_token"]).status_code == 200
    assert whoami(server.url, tokens["access_token"]).status_code == 401
    assert client.refresh(tokens["refresh_token"]).status_code == 200


def test_giving_up_what_is_not_there_or_not_ones_own_changes_nothing(
    client: Client, other: Client, browser: Browser, server: Server
) -> None:
    tokens = client.tokens(browser)
    assert client.revoke("mcr_nothing").status_code == 200
    assert other.revoke(tokens["refresh_token"]).status_code == 200
    assert whoami(server.url, tokens["access_token"]).status_code == 200


# Seeing and ending what was allowed


def grants(person: Person) -> list[dict[str, Any]]:
    return person.http.get("/v3/grants").json()["grants"]


def test_a_person_sees_and_ends_what_they_allowed(
    person: Person, stranger: Person, client: Client, own_browser: Browser, server: Server
) -> None:
    client.code(own_browser)
    assert grants(person) == [], "nobody came for it yet"
    tokens = client.tokens(own_browser, scope="read", resource=f"{server.url}/v3")
    (grant,) = grants(person)
    assert (grant["client_id"], grant["client_name"]) == (client.id, "Test client")
    assert (grant["scopes"], grant["resource"]) == (["read"], f"{server.url}/v3")
    assert grant["last_used_at"] is None
    assert whoami(server.url, tokens["access_token"]).status_code == 200
    assert grants(person)[0]["last_used_at"]
    assert stranger.http.delete(f"/v3/grants/{grant['id']}").status_code == 404
    assert person.http.delete(f"/v3/grants/{grant['id']}").status_code == 204
    assert whoami(server.url, tokens["access_token"]).json()["code"] == "token_revoked"
    assert client.refresh(tokens["refresh_token"]).status_code == 400
    assert grants(person) == []
    assert person.http.delete(f"/v3/grants/{grant['id']}").status_code == 404


def test_the_audit_trail_tells_of_grants(
    person: Person, client: Client, own_browser: Browser, server: Server
) -> None:
    tokens = client.tokens(own_browser)
    (grant,) = grants(person)
    headers = {"Authorization": f"Bearer {tokens['access_token']}"}
    saved = client.http.post("/v3/memory", json={"content": "By a client."}, headers=headers)
    client.revoke(tokens["refresh_token"])
    events = person.http.get("/api/events", params={"subject": grant["id"]}).json()["events"]
    assert [one["type"] for one in reversed(events)] == ["create", "revoke"]
    assert events[-1]["data"]["client"] == "Test client"
    assert events[0]["data"] == {"reason": "client"}
    asked = {"subject": saved.json()["id"]}
    made = person.http.get("/api/events", params=asked).json()["events"]
    assert made[0]["actor"] == f"grant:{grant['id']}"


@pytest.mark.parametrize("keep", [False, True])
def test_a_changed_password_ends_grants_unless_told_otherwise(
    keep: bool, person: Person, client: Client, own_browser: Browser, server: Server
) -> None:
    token = client.tokens(own_browser)["access_token"]
    body = {"current_password": person.password, "new_password": "battery staple"}
    done = person.post("/v3/account/password", {**body, "keep_grants": keep})
    assert done.status_code == 204
    assert whoami(server.url, token).status_code == (200 if keep else 401)
    assert whoami(server.url, person.key).status_code == 200


def test_who_leaves_takes_their_grants_along(
    person: Person, client: Client, own_browser: Browser, server: Server
) -> None:
    tokens = client.tokens(own_browser)
    assert person.http.delete("/v3/account").status_code == 204
    assert whoami(server.url, tokens["access_token"]).status_code == 401
    assert client.refresh(tokens["refresh_token"]).json()["error"] == "invalid_grant"


# Organizations


def test_a_client_works_in_the_space_that_was_chosen_and_never_above_its_givers_role(
    person: Person, stranger: Person, client: Client, own_browser: Browser, server: Server
) -> None:
    made = stranger.post("/v3/organizations", {"name": "Analytical Engines"}).json()["id"]
    path = f"/v3/organizations/{made}/members"
    stranger.post(path, {"email": person.email, "role": "admin"})
    ask = client.ask(scope="read write admin")
    assert "Analytical Engines" in own_browser.see(ask).text
    code = answer_in(own_browser.decide(ask, organization=made))["code"]
    token = client.exchange(code).json()["access_token"]
    who = whoami(server.url, token).json()
    assert (who["organization_id"], who["scopes"]) == (made, ["admin", "read", "write"])
    stranger.http.patch(path, json={"user_id": person.user_id, "role": "member"})
    assert whoami(server.url, token).json()["scopes"] == ["read", "write"]
    fresh = client.exchange(answer_in(own_browser.decide(ask, organization=made))["code"])
    assert fresh.json()["scope"] == "read write"
    stranger.http.delete(path, params={"user_id": person.user_id})
    assert whoami(server.url, token).status_code == 401
