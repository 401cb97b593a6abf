"""Connecting over HTTP: by a code, by consent in a browser, and services that call."""

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


def test_a_code_that_is_typed_in_elsewhere_connects_github(
    person: Person, stranger: Person, github: FakeGitHub
) -> None:
    github.write("README", "The kettle stands on the shelf.")
    begun = person.post("/v3/connectors/github/device", {"chosen": [REPOSITORY]}).json()
    assert begun["user_code"] == "WDJB-MJHT" and "device-xyzzy" not in str(begun)
    poll = f"/v3/connections/sign-ins/{begun['id']}/poll"
    assert person.post(poll, {}).json() == {"connection": None}
    assert stranger.post(poll, {}).status_code == 404
    github.typed.add("device-xyzzy")
    made = person.post(poll, {}).json()["connection"]
    assert made["account"] == "octo" and TOKEN not in str(made)
    assert person.post(poll, {}).status_code == 404
    until_synced(person, made["id"], 1)


@pytest.fixture
def browser(server: Server, person: Person) -> httpx2.Client:
    """Signed in as the person, as pages of ours are."""
    opened = httpx2.Client(base_url=server.url, verify=False)
    signed = opened.post(
        "/v3/auth/login", json={"email": person.email, "password": person.password}
    )
    opened.headers["X-CSRF-Token"] = signed.json()["csrf_token"]
    return opened


def consented(who: httpx2.Client, github: FakeGitHub) -> str:
    """The address that somebody who consents is sent back to."""
    begun = who.post("/v3/connections/github/authorize", json={"chosen": [REPOSITORY]}).json()
    asked = dict(parse_qsl(urlsplit(begun["auth_url"]).query))
    assert asked["redirect_uri"] == begun["redirect_uri"]
    back = urlsplit(github.consent(asked))
    return f"{back.path}?{back.query}&granted_scopes=repo"


def test_a_consent_comes_back_to_the_browser_that_began(
    browser: httpx2.Client, person: Person, stranger: Person, github: FakeGitHub, server: Server
) -> None:
    back = consented(browser, github)
    with httpx2.Client(base_url=server.url, verify=False) as nobody:
        refused = nobody.get(back)
        assert refused.headers["location"] == "/settings/connections?failed=unauthenticated"
    theirs = stranger.http.get(back)
    assert theirs.headers["location"] == "/settings/connections?failed=other_user"
    done = browser.get(back)
    assert done.status_code == 303 and "connected=" in done.headers["location"]
    again = browser.get(back)
    assert again.headers["location"] == "/settings/connections?failed=not_found"
    (made,) = person.http.get("/v3/connections").json()["connections"]
    assert made["account"] == "octo" and made["chosen"] == [REPOSITORY]
    denied = browser.get("/v3/connections/github/callback?error=access_denied&state=x")
    assert denied.headers["location"] == "/settings/connections?failed=not_found"
    browser.close()


def signed(secret: str, body: bytes, delivery: str = "1") -> dict[str, str]:
    made = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return {"X-Hub-Signature-256": f"sha256={made}", "X-GitHub-Delivery": delivery}


def test_a_service_that_calls_makes_the_next_sync_come_sooner(
    person: Person, github: FakeGitHub, server: Server
) -> None:
    github.write("README", "The kettle stands on the shelf.")
    body = {"fields": {"token": TOKEN}, "chosen": [REPOSITORY]}
    id = person.post("/v3/connectors/github/connect", body).json()["id"]
    until_synced(person, id, 1)
    until(lambda: connection(person, id)["runs"][0]["outcome"] == "done")
    hook = person.post(HOOK.format(id=id), {}).json()
    path = urlsplit(hook["url"]).path
    before = connection(person, id)["next_at"]
    with httpx2.Client(base_url=server.url, verify=False) as service:
        for headers in ({}, signed("another", b"{}"), {"X-Hub-Signature-256": "sha256="}):
            assert service.post(path, content=b"{}", headers=headers).status_code == 404
        wrong = path.replace("github", "feed")
        assert service.post(wrong, content=b"{}", headers=signed(hook["secret"], b"{}")).is_error
        huge = b"x" * 1_000_001
        assert service.post(path, content=huge, headers=signed(hook["secret"], huge)).is_error
        assert connection(person, id)["next_at"] == before
        taken = service.post(path, content=b"{}", headers=signed(hook["secret"], b"{}"))
        assert taken.status_code == 202
        sooner = connection(person, id)["next_at"]
        assert sooner < before
        assert service.post(path, content=b"{}", headers=signed(hook["secret"], b"{}")).is_success
        assert connection(person, id)["next_at"] == sooner
    folder = person.http.get("/v3/connectors").json()["connectors"]
    assert {one["provider"]: one["webhooks"] for one in folder}["github"] is True
