"""Browsers: sign-in, CSRF protection, sign-out."""

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


def test_a_browser_acts_as_the_user_who_signed_in(browser: Browser, person: Person) -> None:
    identity = browser.http.get("/v3/whoami").json()
    assert (identity["user_id"], identity["organization_id"]) == (person.user_id, person.tenant_id)
    assert identity["scopes"] == EVERY_SCOPE


def test_signing_in_ignores_the_case_of_the_email(person: Person, sign_in: SignIn) -> None:
    browser = sign_in(email=person.email.upper(), password=person.password)
    assert browser.http.get("/v3/whoami").json()["user_id"] == person.user_id


def test_the_session_cookie_is_hidden_from_scripts_and_other_sites(
    person: Person, anonymous: httpx2.Client
) -> None:
    reply = anonymous.post(
        "/v3/auth/login", json={"email": person.email, "password": person.password}
    )
    session, csrf = sorted(reply.headers.get_list("set-cookie"), reverse=True)
    assert session.startswith("remem_session=")
    assert csrf.startswith("remem_csrf=")
    flags = {flag.strip().lower() for flag in session.split(";")[1:]}
    assert {"httponly", "samesite=lax", "path=/", "max-age=2592000"} <= flags
    assert "samesite=lax" in csrf.lower()
    assert "httponly" not in csrf.lower()
    assert reply.json()["csrf_token"] in csrf


def test_a_wrong_password_and_an_unknown_user_get_the_same_error(
    person: Person, anonymous: httpx2.Client
) -> None:
    wrong = [
        anonymous.post("/v3/auth/login", json={"email": email, "password": "not this one"})
        for email in (person.email, new_email())
    ]
    for reply in wrong:
        assert_problem(reply, 401, "wrong_password", "check both")
        assert reply.headers["WWW-Authenticate"]
    assert wrong[0].json() == wrong[1].json()
    assert not anonymous.cookies


@pytest.mark.parametrize("body", [{}, {"email": "a@b.c"}, {"password": "x"}, {"api_key": ""}])
def test_signing_in_with_half_a_credential_is_refused(
    body: dict[str, str], anonymous: httpx2.Client
) -> None:
    reply = anonymous.post("/v3/auth/login", json=body)
    assert_problem(reply, 400, "invalid", "send email and password, or api_key")


def test_guessing_is_limited_per_email(
    person: Person, stranger: Person, anonymous: httpx2.Client
) -> None:
    def guess() -> httpx2.Response:
        body = {"email": person.email, "password": "a wrong guess"}
        return anonymous.post("/v3/auth/login", json=body)

    # The registration signed in once, which counts as one of the ten.
    assert [guess().status_code for _ in range(9)] == [401] * 9
    limited = guess()
    assert_problem(limited, 429, "rate_limited", "wait")
    assert 1 <= int(limited.headers["Retry-After"]) <= 60
    right = {"email": person.email, "password": person.password}
    assert anonymous.post("/v3/auth/login", json=right).status_code == 429
    other = {"email": stranger.email, "password": stranger.password}
    assert anonymous.post("/v3/auth/login", json=other).status_code == 200


def test_signing_out_ends_the_session_on_the_server(browser: Browser) -> None:
    token = browser.http.cookies["remem_session"]
    assert browser.post("/v3/auth/logout").status_code == 204
    assert "remem_session" not in browser.http.cookies
    again = browser.http.get("/v3/whoami", headers={"Cookie": f"remem_session={token}"})
    assert_problem(again, 401, "signed_out", "sign in again")


def test_signing_out_leaves_other_browsers_signed_in(
    browser: Browser, person: Person, sign_in: SignIn
) -> None:
    other = sign_in(email=person.email, password=person.password)
    assert browser.post("/v3/auth/logout").status_code == 204
    assert other.http.get("/v3/whoami").status_code == 200


async def test_a_session_expires(browser: Browser, person: Person, ports: Ports) -> None:
    past = "UPDATE sign_ins SET expires_at = now() - interval '1 second' WHERE user_id = $1::uuid"
    await change(ports, person.tenant_id, past, person.user_id)
    assert_problem(browser.http.get("/v3/whoami"), 401, "signed_out")


async def test_only_expired_sessions_are_swept(
    person: Person, sign_in: SignIn, ports: Ports
) -> None:
    expired = sign_in(email=person.email, password=person.password)
    expire = "UPDATE sign_ins SET expires_at = now() - interval '1 second' WHERE tenant_id = $1"
    await change(ports, person.tenant_id, expire, person.tenant_id)
    kept = sign_in(email=person.email, password=person.password)
    await sweep_expired(ports)
    rows = (await rows_of(ports, person.tenant_id))["sign_ins"]
    assert len(rows) == 1
    assert expired.http.get("/v3/whoami").status_code == 401
    assert kept.http.get("/v3/whoami").status_code == 200


def test_an_invented_cookie_is_refused(anonymous: httpx2.Client) -> None:
    reply = anonymous.get("/v3/whoami", headers={"Cookie": "remem_session=invented"})
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


def test_the_csrf_token_of_another_session_is_refused(
    browser: Browser, anonymous: httpx2.Client
) -> None:
    other_token = register(anonymous).json()["csrf_token"]
    reply = browser.http.post("/v3/auth/logout", headers={"X-CSRF-Token": other_token})
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
    browser = sign_in(api_key=person.key)
    assert browser.http.get("/v3/whoami").json()["user_id"] == person.user_id
    assert browser.post("/v3/memory", {"content": "Signed in by key."}).status_code == 201


def test_signing_in_with_a_bad_key_is_refused(anonymous: httpx2.Client) -> None:
    reply = anonymous.post("/v3/auth/login", json={"api_key": "mc_" + "x" * 32})
    assert_problem(reply, 401, "unauthenticated")
    assert not anonymous.cookies


@pytest.mark.parametrize("scopes", [["read"], ["read", "write"], ["admin"]])
def test_a_key_without_all_scopes_cannot_sign_in(
    scopes: list[str], user: Person, anonymous: httpx2.Client
) -> None:
    raw = make_key(user, scopes)["key"]
    reply = anonymous.post("/v3/auth/login", json={"api_key": raw})
    assert_problem(reply, 403, "scope_missing", "This key lacks the scopes", "use a key with them")
    assert not anonymous.cookies
