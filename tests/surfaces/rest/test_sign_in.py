"""Browsers: signed in, kept from forgery, signed out."""

import httpx2
import pytest

from remem.core.identity.sweep import sweep_expired
from remem.core.ports import Ports
from tests.conftest import Person, Server
from tests.surfaces.rest.people import (
    EVERY_SCOPE,
    Browser,
    SignIn,
    make_key,
    new_email,
    register,
)
from tests.surfaces.rest.problems import assert_problem
from tests.surfaces.rest.rows import change, rows_of

pytestmark = pytest.mark.anyio


# Sign in and out


def test_signing_in_is_for_the_one_who_signed_in(browser: Browser, person: Person) -> None:
    who = browser.http.get("/v3/whoami").json()
    assert (who["user_id"], who["organization_id"]) == (person.user_id, person.tenant_id)
    assert who["scopes"] == EVERY_SCOPE


def test_signing_in_minds_no_case_in_the_email(person: Person, sign_in: SignIn) -> None:
    signed = sign_in(email=person.email.upper(), password=person.password)
    assert signed.http.get("/v3/whoami").json()["user_id"] == person.user_id


def test_the_session_cookie_is_out_of_reach_of_scripts_and_other_sites(
    person: Person, nobody: httpx2.Client
) -> None:
    reply = nobody.post("/v3/auth/login", json={"email": person.email, "password": person.password})
    session, csrf = sorted(reply.headers.get_list("set-cookie"), reverse=True)
    assert session.startswith("remem_session=")
    assert csrf.startswith("remem_csrf=")
    flags = {flag.strip().lower() for flag in session.split(";")[1:]}
    assert {"httponly", "samesite=lax", "path=/", "max-age=2592000"} <= flags
    assert "samesite=lax" in csrf.lower()
    assert "httponly" not in csrf.lower()
    assert reply.json()["csrf_token"] in csrf


def test_a_wrong_password_and_an_unknown_user_are_told_alike(
    person: Person, nobody: httpx2.Client
) -> None:
    wrong = [
        nobody.post("/v3/auth/login", json={"email": email, "password": "not this one"})
        for email in (person.email, new_email())
    ]
    for reply in wrong:
        assert_problem(reply, 401, "wrong_password", "check both")
        assert reply.headers["WWW-Authenticate"]
    assert wrong[0].json() == wrong[1].json()
    assert not nobody.cookies


@pytest.mark.parametrize("body", [{}, {"email": "a@b.c"}, {"password": "x"}, {"api_key": ""}])
def test_signing_in_with_half_a_credential_is_refused(
    body: dict[str, str], nobody: httpx2.Client
) -> None:
    reply = nobody.post("/v3/auth/login", json=body)
    assert_problem(reply, 400, "invalid", "send email and password, or api_key")


def test_guessing_is_slowed_for_one_address_and_nobody_else(
    person: Person, stranger: Person, nobody: httpx2.Client
) -> None:
    def guess() -> httpx2.Response:
        body = {"email": person.email, "password": "a wrong guess"}
        return nobody.post("/v3/auth/login", json=body)

    # Registering signed in once, which counts as one of the ten.
    assert [guess().status_code for _ in range(9)] == [401] * 9
    stopped = guess()
    assert_problem(stopped, 429, "rate_limited", "wait")
    assert 1 <= int(stopped.headers["Retry-After"]) <= 60
    right = {"email": person.email, "password": person.password}
    assert nobody.post("/v3/auth/login", json=right).status_code == 429
    other = {"email": stranger.email, "password": stranger.password}
    assert nobody.post("/v3/auth/login", json=other).status_code == 200


def test_signing_out_ends_the_session_on_the_server(browser: Browser) -> None:
    kept = browser.http.cookies["remem_session"]
    assert browser.post("/v3/auth/logout").status_code == 204
    assert "remem_session" not in browser.http.cookies
    again = browser.http.get("/v3/whoami", headers={"Cookie": f"remem_session={kept}"})
    assert_problem(again, 401, "signed_out", "sign in again")


def test_signing_out_leaves_other_browsers_signed_in(
    browser: Browser, person: Person, sign_in: SignIn
) -> None:
    other = sign_in(email=person.email, password=person.password)
    assert browser.post("/v3/auth/logout").status_code == 204
    assert other.http.get("/v3/whoami").status_code == 200


async def test_a_session_ends_by_itself(browser: Browser, person: Person, ports: Ports) -> None:
    past = "UPDATE sign_ins SET expires_at = now() - interval '1 second' WHERE user_id = $1::uuid"
    await change(ports, person.tenant_id, past, person.user_id)
    assert_problem(browser.http.get("/v3/whoami"), 401, "signed_out")


async def test_what_has_ended_is_swept_and_nothing_else(
    person: Person, sign_in: SignIn, ports: Ports
) -> None:
    over = sign_in(email=person.email, password=person.password)
    end = "UPDATE sign_ins SET expires_at = now() - interval '1 second' WHERE tenant_id = $1"
    await change(ports, person.tenant_id, end, person.tenant_id)
    kept = sign_in(email=person.email, password=person.password)
    await sweep_expired(ports)
    rows = (await rows_of(ports, person.tenant_id))["sign_ins"]
    assert len(rows) == 1
    assert over.http.get("/v3/whoami").status_code == 401
    assert kept.http.get("/v3/whoami").status_code == 200


def test_an_invented_cookie_is_refused(nobody: httpx2.Client) -> None:
    reply = nobody.get("/v3/whoami", headers={"Cookie": "remem_session=invented"})
    assert_problem(reply, 401, "signed_out")


# CSRF


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"X-CSRF-Token": ""},
        {"X-CSRF-Token": "wrong"},
        {"X-CSRF-Token": "good", "Origin": ""},
        {"X-CSRF-Token": "good", "Origin": "chrome-extension://abcdefghijklmnop"},
    ],
    ids=str,
)
def test_a_cookie_alone_changes_nothing(headers: dict[str, str], browser: Browser) -> None:
    if headers.get("X-CSRF-Token") == "good":
        headers = {**headers, **browser.headers}
    reply = browser.http.post("/v3/memory", json={"content": "Forged."}, headers=headers)
    assert_problem(reply, 403, "csrf", "X-CSRF-Token")
    assert browser.http.get("/v3/documents").json()["total"] == 0


def test_a_page_of_another_port_changes_nothing(browser: Browser) -> None:
    headers = {**browser.headers, "Origin": "http://localhost:3000"}
    reply = browser.http.post("/v3/memory", json={"content": "Forged."}, headers=headers)
    assert_problem(reply, 403, "foreign_origin", "localhost:3000")
    assert browser.http.get("/v3/documents").json()["total"] == 0


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://["])
def test_another_sites_page_changes_nothing_even_with_the_token(
    origin: str, browser: Browser
) -> None:
    headers = {**browser.headers, "Origin": origin}
    reply = browser.http.post("/v3/memory", json={"content": "Forged."}, headers=headers)
    assert_problem(reply, 403, "foreign_origin", "REMEM_ALLOWED_HOSTS")
    assert browser.http.get("/v3/documents").json()["total"] == 0


def test_a_cookie_with_its_token_from_our_own_page_may_change_things(
    browser: Browser, server: Server
) -> None:
    headers = {**browser.headers, "Origin": server.url}
    reply = browser.http.post("/v3/memory", json={"content": "Mine."}, headers=headers)
    assert reply.status_code == 201


def test_anothers_csrf_token_is_not_good(browser: Browser, nobody: httpx2.Client) -> None:
    theirs = register(nobody).json()["csrf_token"]
    reply = browser.http.post("/v3/auth/logout", headers={"X-CSRF-Token": theirs})
    assert_problem(reply, 403, "csrf")


def test_reading_by_cookie_needs_no_token(browser: Browser) -> None:
    assert browser.http.get("/v3/whoami").status_code == 200
    for origin in ("https://evil.example", "null"):
        reply = browser.http.get("/v3/whoami", headers={"Origin": origin})
        assert_problem(reply, 403, "foreign_origin")


def test_a_key_needs_no_csrf_token_even_beside_a_cookie(browser: Browser, person: Person) -> None:
    headers = {"Authorization": f"Bearer {person.key}"}
    reply = browser.http.post("/v3/memory", json={"content": "By key."}, headers=headers)
    assert reply.status_code == 201


# Sign in with a key


def test_signing_in_with_a_key(person: Person, sign_in: SignIn) -> None:
    signed = sign_in(api_key=person.key)
    assert signed.http.get("/v3/whoami").json()["user_id"] == person.user_id
    assert signed.post("/v3/memory", {"content": "Signed in by key."}).status_code == 201


def test_signing_in_with_a_bad_key_is_refused(nobody: httpx2.Client) -> None:
    reply = nobody.post("/v3/auth/login", json={"api_key": "mc_" + "x" * 32})
    assert_problem(reply, 401, "unauthenticated")
    assert not nobody.cookies


@pytest.mark.parametrize("scopes", [["read"], ["read", "write"], ["admin"]])
def test_a_lesser_key_cannot_become_a_browser_that_may_do_all(
    scopes: list[str], keeper: Person, nobody: httpx2.Client
) -> None:
    raw = make_key(keeper, scopes)["key"]
    reply = nobody.post("/v3/auth/login", json={"api_key": raw})
    assert_problem(reply, 403, "scope_missing", "This key lacks the scopes", "use a key with them")
    assert not nobody.cookies
