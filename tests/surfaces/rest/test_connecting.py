"""Connecting over HTTP: by device code, by consent in a browser, and webhooks."""

import hashlib
import hmac
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx2
import pytest

from tests.conftest import Person, Server
from tests.tools.github import REPOSITORY, TOKEN, FakeGitHub
from tests.tools.waiting import until

HOOK = "/v3/connections/{id}/webhook"


def connection(person: Person, id: str) -> dict[str, Any]:
    return person.http.get(f"/v3/connections/{id}").json()


def until_synced(person: Person, id: str, items: int) -> None:
    until(lambda: connection(person, id)["items"] == items)


def test_a_device_code_connects_github(
    person: Person, stranger: Person, github: FakeGitHub
) -> None:
    github.write("README", "The kettle stands on the shelf.")
    sign_in = person.post("/v3/connectors/github/device", {"chosen": [REPOSITORY]}).json()
    assert sign_in["user_code"] == "WDJB-MJHT" and "device-xyzzy" not in str(sign_in)
    poll = f"/v3/connections/sign-ins/{sign_in['id']}/poll"
    assert person.post(poll, {}).json() == {"connection": None}
    assert stranger.post(poll, {}).status_code == 404
    github.typed.add("device-xyzzy")
    connected = person.post(poll, {}).json()["connection"]
    assert connected["account"] == "octo" and TOKEN not in str(connected)
    assert person.post(poll, {}).status_code == 404
    until_synced(person, connected["id"], 1)


@pytest.fixture
def browser(server: Server, person: Person) -> httpx2.Client:
    """A browser that is signed in as the person."""
    client = httpx2.Client(base_url=server.url, verify=False)
    login = client.post("/v3/auth/login", json={"email": person.email, "password": person.password})
    client.headers["X-CSRF-Token"] = login.json()["csrf_token"]
    return client


def callback_after_consent(client: httpx2.Client, github: FakeGitHub) -> str:
    """The address that GitHub redirects to after the consent."""
    authorization = client.post(
        "/v3/connections/github/authorize", json={"chosen": [REPOSITORY]}
    ).json()
    params = dict(parse_qsl(urlsplit(authorization["auth_url"]).query))
    assert params["redirect_uri"] == authorization["redirect_uri"]
    redirect = urlsplit(github.consent(params))
    return f"{redirect.path}?{redirect.query}&granted_scopes=repo"


def test_a_consent_is_accepted_only_from_the_browser_that_began_it(
    browser: httpx2.Client, person: Person, stranger: Person, github: FakeGitHub, server: Server
) -> None:
    callback = callback_after_consent(browser, github)
    with httpx2.Client(base_url=server.url, verify=False) as anonymous:
        refused = anonymous.get(callback)
        assert refused.headers["location"] == "/settings/connections?failed=unauthenticated"
    other_user = stranger.http.get(callback)
    assert other_user.headers["location"] == "/settings/connections?failed=other_user"
    accepted = browser.get(callback)
    assert accepted.status_code == 303 and "connected=" in accepted.headers["location"]
    repeated = browser.get(callback)
    assert repeated.headers["location"] == "/settings/connections?failed=not_found"
    (connected,) = person.http.get("/v3/connections").json()["connections"]
    assert connected["account"] == "octo" and connected["chosen"] == [REPOSITORY]
    denied = browser.get("/v3/connections/github/callback?error=access_denied&state=x")
    assert denied.headers["location"] == "/settings/connections?failed=not_found"
    browser.close()


def signed_headers(secret: str, body: bytes, delivery: str = "1") -> dict[str, str]:
    signature = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return {"X-Hub-Signature-256": f"sha256={signature}", "X-GitHub-Delivery": delivery}


def test_a_webhook_call_brings_the_next_sync_forward(
    person: Person, github: FakeGitHub, server: Server
) -> None:
    github.write("README", "The kettle stands on the shelf.")
    body = {"fields": {"token": TOKEN}, "chosen": [REPOSITORY]}
    id = person.post("/v3/connectors/github/connect", body).json()["id"]
    until_synced(person, id, 1)
    until(lambda: connection(person, id)["runs"][0]["outcome"] == "done")
    hook = person.post(HOOK.format(id=id), {}).json()
    path = urlsplit(hook["url"]).path
    planned = connection(person, id)["next_at"]
    with httpx2.Client(base_url=server.url, verify=False) as service:
        for headers in ({}, signed_headers("another", b"{}"), {"X-Hub-Signature-256": "sha256="}):
            assert service.post(path, content=b"{}", headers=headers).status_code == 404
        wrong = path.replace("github", "feed")
        assert service.post(
            wrong, content=b"{}", headers=signed_headers(hook["secret"], b"{}")
        ).is_error
        huge = b"x" * 1_000_001
        assert service.post(
            path, content=huge, headers=signed_headers(hook["secret"], huge)
        ).is_error
        assert connection(person, id)["next_at"] == planned
        accepted = service.post(path, content=b"{}", headers=signed_headers(hook["secret"], b"{}"))
        assert accepted.status_code == 202
        sooner = connection(person, id)["next_at"]
        assert sooner < planned
        assert service.post(
            path, content=b"{}", headers=signed_headers(hook["secret"], b"{}")
        ).is_success
        assert connection(person, id)["next_at"] == sooner
    connectors = person.http.get("/v3/connectors").json()["connectors"]
    assert {connector["provider"]: connector["webhooks"] for connector in connectors}[
        "github"
    ] is True
