"""The regular OAuth flow, and what its tokens allow."""

from typing import Any

import httpx2
import pytest

from tests.conftest import Person, Server
from tests.surfaces.oauth.protocol import (
    LOOPBACK,
    Browser,
    Client,
    new_client,
    redirect_params,
    whoami,
)
from tests.surfaces.rest.rows import all_rows

pytestmark = pytest.mark.anyio


# Metadata


def test_the_authorization_server_metadata_is_at_the_root(
    http: httpx2.Client, server: Server
) -> None:
    metadata = http.get("/.well-known/oauth-authorization-server").json()
    assert metadata["issuer"] == server.url
    for name in ("authorization", "token", "registration", "revocation"):
        assert metadata[f"{name}_endpoint"].startswith(f"{server.url}/oauth/")
    assert metadata["code_challenge_methods_supported"] == ["S256"]
    assert metadata["authorization_response_iss_parameter_supported"] is True
    assert http.get("/.well-known/oauth-authorization-server/mcp").json() == metadata


@pytest.mark.parametrize("path", ["", "/mcp", "/mcp/coding", "/v3"])
def test_every_endpoint_has_resource_metadata(
    path: str, http: httpx2.Client, server: Server
) -> None:
    metadata = http.get(f"/.well-known/oauth-protected-resource{path}").json()
    assert metadata["resource"] == server.url + path
    assert metadata["authorization_servers"] == [server.url]
    assert metadata["scopes_supported"] == ["read", "write"], (
        "clients must not be invited to request more"
    )


@pytest.mark.parametrize("path", ["/nothing", "/mcp/a/b", "/mcp/a%20b", "/v3/whoami"])
def test_other_paths_have_no_resource_metadata(path: str, http: httpx2.Client) -> None:
    assert http.get(f"/.well-known/oauth-protected-resource{path}").status_code == 404


def test_cors_is_allowed_for_programs_but_not_for_pages(http: httpx2.Client) -> None:
    for path in ("/.well-known/oauth-protected-resource/mcp", "/oauth/token", "/oauth/register"):
        reply = http.options(path, headers={"Origin": "https://inspector.example"})
        assert reply.status_code == 204
        assert reply.headers["Access-Control-Allow-Origin"] == "*"
        assert "Access-Control-Allow-Credentials" not in reply.headers
    assert http.post("/oauth/token").headers["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Origin" not in http.get("/oauth/authorize").headers


@pytest.mark.parametrize(("path", "resource_path"), [("/v3/whoami", ""), ("/v1/search", "")])
def test_a_refused_caller_gets_the_address_of_the_metadata(
    path: str, resource_path: str, http: httpx2.Client, server: Server
) -> None:
    reply = http.get(path) if path == "/v3/whoami" else http.post(path, json={})
    assert reply.status_code == 401
    metadata_param = (
        f'resource_metadata="{server.url}/.well-known/oauth-protected-resource{resource_path}"'
    )
    assert metadata_param in reply.headers["WWW-Authenticate"]
    assert "error=" not in reply.headers["WWW-Authenticate"]
    assert 'error="invalid_token"' in whoami(server.url, "mct_x").headers["WWW-Authenticate"]


# Getting a token


def test_a_client_gets_what_was_allowed(client: Client, browser: Browser, server: Server) -> None:
    answer = redirect_params(browser.decide(client.authorization_params(resource=server.url)))
    assert set(answer) == {"code", "state", "iss"}
    assert (answer["state"], answer["iss"]) == ("a state & more", server.url)
    reply = client.exchange(answer["code"])
    assert reply.headers["Cache-Control"] == "no-store"
    tokens = reply.json()
    assert (tokens["token_type"], tokens["expires_in"]) == ("Bearer", 3600)
    assert tokens["scope"] == "read write", "the default when none are requested"
    assert tokens["access_token"].startswith("mct_")
    assert tokens["refresh_token"].startswith("mcr_")
    identity = whoami(server.url, tokens["access_token"]).json()
    assert identity["email"] == "owner@localhost"
    assert identity["scopes"] == ["read", "write"]


def test_scopes_are_enforced_as_for_keys(client: Client, browser: Browser, server: Server) -> None:
    token = client.tokens(browser, scope="read")["access_token"]
    headers = {"Authorization": f"Bearer {token}"}
    refused = client.http.post("/v3/memory", json={"content": "x"}, headers=headers)
    assert refused.status_code == 403
    assert refused.json()["code"] == "scope_missing"
    challenge = refused.headers["WWW-Authenticate"]
    assert 'error="insufficient_scope", scope="write"' in challenge
    assert client.http.get("/v3/documents", headers=headers).status_code == 200


def test_a_client_may_request_admin(client: Client, browser: Browser, server: Server) -> None:
    page = browser.open_page(client.authorization_params(scope="admin")).text
    assert "Manage your account" in page
    assert "Save new things" not in page
    tokens = client.tokens(browser, scope="read admin")
    assert whoami(server.url, tokens["access_token"]).json()["scopes"] == ["admin", "read"]


def test_scopes_of_other_servers_are_ignored(client: Client, browser: Browser) -> None:
    assert client.tokens(browser, scope="read offline_access")["scope"] == "read"


def test_a_client_with_a_secret_must_send_it(
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


def test_a_secret_is_accepted_in_the_header_too(http: httpx2.Client, browser: Browser) -> None:
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


def test_a_local_program_may_listen_on_any_port(client: Client, browser: Browser) -> None:
    other_port = LOOPBACK.replace("3334", "51999")
    code = client.code(browser, redirect_uri=other_port)
    assert client.exchange(code, redirect_uri=other_port).status_code == 200


async def test_tokens_are_kept_only_as_hashes(
    client: Client, browser: Browser, server: Server
) -> None:
    code = client.code(browser)
    tokens = client.exchange(code).json()
    rows = str(await all_rows(server))
    assert client.id in rows
    for secret in (code, tokens["access_token"], tokens["refresh_token"], client.verifier):
        assert secret not in rows


# Refreshing and revoking


def test_a_refresh_gives_new_tokens_with_the_same_scope(
    client: Client, browser: Browser, server: Server
) -> None:
    first = client.tokens(browser)
    second = client.refresh(first["refresh_token"]).json()
    assert second["access_token"] != first["access_token"]
    assert second["refresh_token"] != first["refresh_token"]
    assert second["scope"] == first["scope"]
    for tokens in (first, second):
        assert whoami(server.url, tokens["access_token"]).status_code == 200


def test_a_refresh_may_narrow_the_scope_but_not_widen_it(
    client: Client, browser: Browser, server: Server
) -> None:
    tokens = client.tokens(browser, scope="read write")
    more = client.refresh(tokens["refresh_token"], scope="read admin")
    assert (more.status_code, more.json()["error"]) == (400, "invalid_scope")
    less = client.refresh(tokens["refresh_token"], scope="read").json()
    assert less["scope"] == "read"
    assert whoami(server.url, less["access_token"]).json()["scopes"] == ["read"]
    assert client.refresh(less["refresh_token"]).json()["scope"] == "read write"


def test_revoking_a_refresh_token_ends_the_grant(
    client: Client, browser: Browser, server: Server
) -> None:
    tokens = client.tokens(browser)
    assert client.revoke(tokens["refresh_token"]).status_code == 200
    refused = whoami(server.url, tokens["access_token"])
    assert (refused.status_code, refused.json()["code"]) == (401, "token_revoked")
    assert client.refresh(tokens["refresh_token"]).json()["error"] == "invalid_grant"


def test_revoking_an_access_token_keeps_the_grant(
    client: Client, browser: Browser, server: Server
) -> None:
    tokens = client.tokens(browser)
    assert client.revoke(tokens["access_token"]).status_code == 200
    assert whoami(server.url, tokens["access_token"]).status_code == 401
    assert client.refresh(tokens["refresh_token"]).status_code == 200


def test_revoking_an_unknown_or_foreign_token_changes_nothing(
    client: Client, other_client: Client, browser: Browser, server: Server
) -> None:
    tokens = client.tokens(browser)
    assert client.revoke("mcr_nothing").status_code == 200
    assert other_client.revoke(tokens["refresh_token"]).status_code == 200
    assert whoami(server.url, tokens["access_token"]).status_code == 200


# Listing and revoking grants


def grants(person: Person) -> list[dict[str, Any]]:
    return person.http.get("/v3/grants").json()["grants"]


def test_a_person_lists_and_revokes_grants(
    person: Person, stranger: Person, client: Client, own_browser: Browser, server: Server
) -> None:
    client.code(own_browser)
    assert grants(person) == [], "the code was not exchanged yet"
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


def test_the_audit_trail_has_grants(
    person: Person, client: Client, own_browser: Browser, server: Server
) -> None:
    tokens = client.tokens(own_browser)
    (grant,) = grants(person)
    headers = {"Authorization": f"Bearer {tokens['access_token']}"}
    saved = client.http.post("/v3/memory", json={"content": "By a client."}, headers=headers)
    client.revoke(tokens["refresh_token"])
    events = person.http.get("/api/events", params={"subject": grant["id"]}).json()["events"]
    assert [event["type"] for event in reversed(events)] == ["create", "revoke"]
    assert events[-1]["data"]["client"] == "Test client"
    assert events[0]["data"] == {"reason": "client"}
    reply = {"subject": saved.json()["id"]}
    document_events = person.http.get("/api/events", params=reply).json()["events"]
    assert document_events[0]["actor"] == f"grant:{grant['id']}"


@pytest.mark.parametrize("keep", [False, True])
def test_a_changed_password_ends_grants_unless_they_are_kept(
    keep: bool, person: Person, client: Client, own_browser: Browser, server: Server
) -> None:
    token = client.tokens(own_browser)["access_token"]
    body = {"current_password": person.password, "new_password": "battery staple"}
    reply = person.post("/v3/account/password", {**body, "keep_grants": keep})
    assert reply.status_code == 204
    assert whoami(server.url, token).status_code == (200 if keep else 401)
    assert whoami(server.url, person.key).status_code == 200


def test_a_deleted_account_loses_its_grants(
    person: Person, client: Client, own_browser: Browser, server: Server
) -> None:
    tokens = client.tokens(own_browser)
    assert person.http.delete("/v3/account").status_code == 204
    assert whoami(server.url, tokens["access_token"]).status_code == 401
    assert client.refresh(tokens["refresh_token"]).json()["error"] == "invalid_grant"


# Organizations


def test_a_client_works_in_the_chosen_space_with_at_most_the_users_role(
    person: Person, stranger: Person, client: Client, own_browser: Browser, server: Server
) -> None:
    organization_id = stranger.post("/v3/organizations", {"name": "Analytical Engines"}).json()[
        "id"
    ]
    path = f"/v3/organizations/{organization_id}/members"
    stranger.post(path, {"email": person.email, "role": "admin"})
    params = client.authorization_params(scope="read write admin")
    assert "Analytical Engines" in own_browser.open_page(params).text
    code = redirect_params(own_browser.decide(params, organization=organization_id))["code"]
    token = client.exchange(code).json()["access_token"]
    identity = whoami(server.url, token).json()
    assert (identity["organization_id"], identity["scopes"]) == (
        organization_id,
        ["admin", "read", "write"],
    )
    stranger.http.patch(path, json={"user_id": person.user_id, "role": "member"})
    assert whoami(server.url, token).json()["scopes"] == ["read", "write"]
    fresh = client.exchange(
        redirect_params(own_browser.decide(params, organization=organization_id))["code"]
    )
    assert fresh.json()["scope"] == "read write"
    stranger.http.delete(path, params={"user_id": person.user_id})
    assert whoami(server.url, token).status_code == 401
