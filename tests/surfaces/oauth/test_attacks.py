"""Attacks with incomplete, stolen or foreign credentials."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2
import pytest

from remem.core.ports import Ports
from tests.conftest import Person, Server
from tests.surfaces.oauth.protocol import (
    LOOPBACK,
    Browser,
    Client,
    new_client,
    redirect_params,
    whoami,
)
from tests.surfaces.rest.rows import change

pytestmark = pytest.mark.anyio

WEB = "https://client.example/callback"


def assert_refused(reply: httpx2.Response, error: str = "invalid_grant", status: int = 400) -> None:
    assert (reply.status_code, reply.json().get("error")) == (status, error), reply.text
    assert reply.json()["error_description"]
    assert "access_token" not in reply.text


def events_of(person: Person, grant_id: str) -> list[str]:
    events = person.http.get("/api/events", params={"subject": grant_id}).json()["events"]
    return [event["type"] for event in reversed(events)]


def grant_of(person: Person) -> str:
    (grant,) = person.http.get("/v3/grants").json()["grants"]
    return grant["id"]


# Codes


def test_a_code_works_once_and_its_reuse_ends_the_grant(
    person: Person, client: Client, own_browser: Browser, server: Server
) -> None:
    code = client.code(own_browser)
    tokens = client.exchange(code).json()
    grant_id = grant_of(person)
    assert whoami(server.url, tokens["access_token"]).status_code == 200
    assert_refused(client.exchange(code))
    assert whoami(server.url, tokens["access_token"]).json()["code"] == "token_revoked"
    assert_refused(client.refresh(tokens["refresh_token"]))
    assert events_of(person, grant_id) == ["create", "reuse", "revoke"]


def test_of_twenty_concurrent_exchanges_of_one_code_one_wins(
    client: Client, browser: Browser
) -> None:
    code = client.code(browser)
    with ThreadPoolExecutor(20) as threads:
        replies = list(threads.map(lambda _: client.exchange(code), range(20)))
    assert sorted(reply.status_code for reply in replies) == [200] + [400] * 19


@pytest.mark.parametrize(
    "changes",
    [
        {"code_verifier": "w" * 43},
        {"redirect_uri": "http://127.0.0.1:3334/other"},
        {"redirect_uri": "http://127.0.0.1:1/callback"},
        {"code": "invented"},
    ],
    ids=["wrong verifier", "another path", "another port than asked for", "invented code"],
)
def test_a_code_needs_its_verifier_and_redirect_uri(
    changes: dict[str, str], client: Client, browser: Browser
) -> None:
    code = client.code(browser)
    assert_refused(client.exchange(changes.pop("code", code), **changes))


def test_a_wrong_verifier_spends_the_code(client: Client, browser: Browser) -> None:
    code = client.code(browser)
    assert_refused(client.exchange(code, code_verifier="w" * 43))
    assert_refused(client.exchange(code))


@pytest.mark.parametrize("verifier", [None, "short", "v" * 129, "ü" * 43])
def test_a_code_without_a_valid_verifier_is_refused(
    verifier: str | None, client: Client, browser: Browser
) -> None:
    assert_refused(client.exchange(client.code(browser), code_verifier=verifier), "invalid_request")


def test_a_code_is_bound_to_its_client(
    client: Client, other_client: Client, browser: Browser
) -> None:
    code = client.code(browser)
    assert_refused(other_client.exchange(code, code_verifier=client.verifier))
    assert client.exchange(code).status_code == 200, "another client must not spend it"


async def test_a_code_is_short_lived(
    person: Person, client: Client, own_browser: Browser, ports: Ports
) -> None:
    code = client.code(own_browser)
    past = "UPDATE oauth_codes SET expires_at = now() - interval '1 second' WHERE tenant_id = $1"
    await change(ports, person.tenant_id, past, person.tenant_id)
    assert_refused(client.exchange(code))


# Authorization requests


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge_method": None}, "invalid_request"),
        ({"code_challenge": None}, "invalid_request"),
        ({"code_challenge": None, "code_challenge_method": None}, "invalid_request"),
        ({"code_challenge": "short"}, "invalid_request"),
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"response_type": None}, "unsupported_response_type"),
        ({"scope": "everything"}, "invalid_scope"),
        ({"resource": "https://other.example/mcp"}, "invalid_target"),
        ({"resource": "nonsense"}, "invalid_target"),
        ({"state": "s" * 5_000}, "invalid_request"),
    ],
)
def test_a_local_program_gets_the_error_by_redirect(
    changes: dict[str, Any], error: str, client: Client, browser: Browser, server: Server
) -> None:
    reply = browser.open_page(client.authorization_params(**changes))
    answer = redirect_params(reply)
    assert reply.headers["location"].startswith(LOOPBACK)
    assert (answer["error"], answer["iss"]) == (error, server.url)
    assert answer["state"] == changes.get("state", "a state & more")
    assert "code" not in answer


@pytest.mark.parametrize(
    "changes",
    [
        {"redirect_uri": "https://evil.example/callback"},
        {"redirect_uri": "http://127.0.0.1:3334/other"},
        {"redirect_uri": "http://127.0.0.1:3334/callback/../other"},
        {"redirect_uri": "http://127.0.0.1:3334/callback?more=1"},
        {"redirect_uri": "http://localhost:3334/callback"},
        {"redirect_uri": "https://127.0.0.1:3334/callback"},
        {"redirect_uri": "http://127.0.0.1:3334@evil.example/callback"},
        {"redirect_uri": "http://127.0.0.1:3334/callback#fragment"},
        {"redirect_uri": "javascript:alert(1)"},
        {"client_id": "01900000-0000-7000-8000-000000000000"},
        {"client_id": "nonsense"},
        {"client_id": None},
    ],
)
def test_an_unregistered_redirect_uri_gets_no_redirect(
    changes: dict[str, Any], client: Client, browser: Browser
) -> None:
    params = client.authorization_params(**changes)
    for reply in (
        browser.open_page(params),
        browser.http.post("/oauth/authorize", params=params),
    ):
        assert reply.status_code == 400
        assert reply.headers["content-type"].startswith("text/html")
        assert "location" not in reply.headers
        assert "href=" not in reply.text.split("<body>")[1]


def test_a_web_redirect_uri_must_match_exactly(http: httpx2.Client, browser: Browser) -> None:
    client = new_client(http, redirect_uris=[WEB])
    for wrong in (f"{WEB}/", f"{WEB}?a=1", "https://client.example:444/callback", WEB.upper()):
        assert browser.open_page(client.authorization_params(redirect_uri=wrong)).status_code == 400
    assert browser.open_page(client.authorization_params()).status_code == 200


def test_errors_are_not_an_open_redirect(http: httpx2.Client, browser: Browser) -> None:
    """A link to our site must not automatically redirect to another site."""
    client = new_client(http, redirect_uris=[WEB])
    reply = browser.open_page(client.authorization_params(response_type="token"))
    assert reply.status_code == 400
    assert "location" not in reply.headers
    assert "Go back to client.example" in reply.text
    assert "error=unsupported_response_type" in reply.text


def test_a_duplicate_parameter_is_refused(client: Client, browser: Browser) -> None:
    twice = [*client.authorization_params().items(), ("redirect_uri", LOOPBACK)]
    assert browser.http.get("/oauth/authorize", params=twice).status_code == 400


def test_deny_gives_no_code(client: Client, browser: Browser) -> None:
    answer = redirect_params(browser.decide(client.authorization_params(), "deny"))
    assert answer["error"] == "access_denied"
    assert "code" not in answer


# Forged and framed pages


@pytest.mark.parametrize("csrf", [None, "", "0" * 64])
def test_a_decision_without_the_pages_own_token_is_refused(
    csrf: str | None, client: Client, browser: Browser
) -> None:
    form = {"decision": "allow", "csrf": csrf} if csrf is not None else {"decision": "allow"}
    reply = browser.http.post(
        "/oauth/authorize", params=client.authorization_params(), data=form, headers=browser.headers
    )
    assert reply.status_code == 403
    assert "location" not in reply.headers


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:9", None])
def test_a_form_of_another_site_is_refused_even_with_the_token(
    origin: str | None, client: Client, browser: Browser
) -> None:
    params = client.authorization_params()
    form = {"decision": "allow", "csrf": browser.csrf(params)}
    headers = {"Origin": origin} if origin else {}
    for path in ("/oauth/authorize", "/oauth/sign-in", "/oauth/sign-out"):
        reply = browser.http.post(path, params=params, data=form, headers=headers)
        assert reply.status_code == 403, path
        assert not {"location", "set-cookie"} & set(reply.headers)


def test_the_csrf_token_of_another_session_is_refused(
    client: Client, browser: Browser, own_browser: Browser
) -> None:
    params = client.authorization_params()
    form = {"decision": "allow", "csrf": own_browser.csrf(params)}
    reply = browser.http.post("/oauth/authorize", params=params, data=form, headers=browser.headers)
    assert reply.status_code == 403


def test_a_decision_needs_a_sign_in(client: Client, open_browser: Any) -> None:
    anonymous = open_browser()
    form = {"decision": "allow", "csrf": ""}
    reply = anonymous.http.post(
        "/oauth/authorize",
        params=client.authorization_params(),
        data=form,
        headers=anonymous.headers,
    )
    assert "Password" in reply.text
    assert "location" not in reply.headers


def test_no_page_can_be_framed_or_run_anything(client: Client, browser: Browser) -> None:
    wrong = client.authorization_params(client_id="nonsense")
    for reply in (browser.open_page(client.authorization_params()), browser.open_page(wrong)):
        assert reply.headers["X-Frame-Options"] == "DENY"
        assert reply.headers["Cache-Control"] == "no-store"
        policy = reply.headers["Content-Security-Policy"]
        assert "frame-ancestors 'none'" in policy
        assert "default-src 'none'" in policy
        assert "script" not in policy
        assert "<script" not in reply.text
        assert "style=" not in reply.text


def test_the_name_of_a_client_is_escaped(http: httpx2.Client, browser: Browser) -> None:
    name = "<img src=x onerror=alert(1)>\"'&$client \u202etxt"
    client = new_client(http, client_name=name, client_uri="https://a.example/<b>")
    page = browser.open_page(client.authorization_params()).text
    assert "<img" not in page
    assert "&lt;img src=x onerror=alert(1)&gt;&quot;&#x27;&amp;$client txt" in page
    assert "\u202e" not in page


def test_a_redirect_uri_cannot_inject_into_the_security_policy(http: httpx2.Client) -> None:
    for uri in ("https://a;script-src/x", "https://a'x/", "https://a,b/", "x;y://a"):
        reply = http.post("/oauth/register", json={"redirect_uris": [uri]})
        assert_refused(reply, "invalid_redirect_uri")


# Signing in on the page


def test_a_wrong_password_is_refused_on_the_page(
    person: Person, client: Client, open_browser: Any
) -> None:
    anonymous = open_browser()
    reply = anonymous.sign_in(
        client.authorization_params(), email=person.email, password="a wrong guess"
    )
    assert reply.status_code == 401
    assert "The email address or password is wrong" in reply.text
    assert "set-cookie" not in reply.headers
    assert "a wrong guess" not in reply.text


def test_guessing_on_the_page_is_limited_too(
    person: Person, client: Client, open_browser: Any
) -> None:
    anonymous = open_browser()
    guesses = [
        anonymous.sign_in(
            client.authorization_params(), email=person.email, password=f"guess {number}"
        ).status_code
        for number in range(11)
    ]
    assert guesses[-1] == 429


# Tokens


def test_a_token_works_only_for_its_resource(
    client: Client, browser: Browser, server: Server
) -> None:
    mcp = client.tokens(browser, resource=f"{server.url}/mcp")["access_token"]
    reply = whoami(server.url, mcp)
    assert (reply.status_code, reply.json()["code"]) == (401, "wrong_resource")
    assert 'error="invalid_token"' in reply.headers["WWW-Authenticate"]
    v1 = client.tokens(browser, resource=f"{server.url}/v1/")["access_token"]
    assert whoami(server.url, v1).status_code == 401
    assert whoami(server.url, v1, "/v1/containers").status_code == 200
    server_token = client.tokens(browser, resource=f"{server.url}/")["access_token"]
    for path in ("/v3/whoami", "/v1/containers"):
        assert whoami(server.url, server_token, path).status_code == 200


def test_a_token_is_bound_to_the_address_of_its_request(
    client: Client, browser: Browser, server: Server
) -> None:
    token = client.tokens(browser)["access_token"]
    headers = {"Authorization": f"Bearer {token}", "Host": "localhost:1"}
    assert client.http.get("/v3/whoami", headers=headers).json()["code"] == "wrong_resource"


def test_a_narrow_grant_gives_no_wider_token(
    client: Client, browser: Browser, server: Server
) -> None:
    code = client.code(browser, resource=f"{server.url}/mcp/coding")
    assert_refused(client.exchange(code, resource=server.url), "invalid_target")
    assert_refused(client.exchange(code, resource=f"{server.url}/mcp"), "invalid_target")
    assert_refused(client.exchange(code, resource="https://other.example"), "invalid_target")
    tokens = client.exchange(code, resource=f"{server.url}/mcp/coding").json()
    assert_refused(client.refresh(tokens["refresh_token"], resource=server.url), "invalid_target")


def test_a_refresh_token_is_not_an_access_token(
    client: Client, browser: Browser, server: Server
) -> None:
    tokens = client.tokens(browser)
    assert whoami(server.url, tokens["refresh_token"]).status_code == 401
    assert_refused(client.refresh(tokens["access_token"]))
    with httpx2.Client(base_url=server.url, verify=False) as http:
        headers = {"X-API-Key": tokens["access_token"]}
        assert http.get("/v3/whoami", headers=headers).status_code == 401


async def test_tokens_expire(
    person: Person, client: Client, own_browser: Browser, server: Server, ports: Ports
) -> None:
    tokens = client.tokens(own_browser)
    past = "UPDATE oauth_tokens SET expires_at = now() WHERE tenant_id = $1"
    await change(ports, person.tenant_id, past, person.tenant_id)
    assert whoami(server.url, tokens["access_token"]).json()["code"] == "token_expired"
    assert_refused(client.refresh(tokens["refresh_token"]))


# Refreshing


def test_a_reused_refresh_token_ends_the_grant(
    person: Person, client: Client, own_browser: Browser, server: Server
) -> None:
    stolen = client.tokens(own_browser)["refresh_token"]
    grant_id = grant_of(person)
    tokens = client.refresh(stolen).json()
    assert whoami(server.url, tokens["access_token"]).status_code == 200
    assert_refused(client.refresh(stolen))
    assert whoami(server.url, tokens["access_token"]).json()["code"] == "token_revoked"
    assert_refused(client.refresh(tokens["refresh_token"]))
    assert events_of(person, grant_id) == ["create", "reuse", "revoke"]


def test_a_lost_refresh_can_be_repeated_and_its_tokens_are_revoked(
    client: Client, browser: Browser, server: Server
) -> None:
    first = client.tokens(browser)["refresh_token"]
    lost = client.refresh(first).json()
    again = client.refresh(first).json()
    assert whoami(server.url, lost["access_token"]).json()["code"] == "token_revoked"
    assert whoami(server.url, again["access_token"]).status_code == 200
    assert_refused(client.refresh(lost["refresh_token"]))
    assert whoami(server.url, again["access_token"]).status_code == 401, (
        "the reuse ends the whole grant"
    )


async def test_a_refresh_cannot_be_repeated_later(
    person: Person, client: Client, own_browser: Browser, ports: Ports
) -> None:
    first = client.tokens(own_browser)["refresh_token"]
    assert client.refresh(first).status_code == 200
    later = "UPDATE oauth_tokens SET used_at = used_at - interval '31 seconds'"
    await change(ports, person.tenant_id, f"{later} WHERE used_at IS NOT NULL")
    assert_refused(client.refresh(first))


def test_of_many_concurrent_refreshes_one_token_pair_is_valid(
    client: Client, browser: Browser, server: Server
) -> None:
    first = client.tokens(browser)["refresh_token"]
    with ThreadPoolExecutor(20) as threads:
        replies = list(threads.map(lambda _: client.refresh(first), range(20)))
    assert {reply.status_code for reply in replies} == {200}
    tokens = [reply.json()["access_token"] for reply in replies]
    assert sorted(whoami(server.url, token).status_code for token in tokens) == [200] + [401] * 19


def test_a_refresh_token_is_bound_to_its_client(
    client: Client, other_client: Client, browser: Browser
) -> None:
    tokens = client.tokens(browser)
    assert_refused(other_client.refresh(tokens["refresh_token"]))
    assert client.refresh(tokens["refresh_token"]).status_code == 200


# Malformed requests


@pytest.mark.parametrize(
    ("form", "error"),
    [
        ({}, "invalid_request"),
        ({"grant_type": "password"}, "unsupported_grant_type"),
        ({"grant_type": "client_credentials"}, "unsupported_grant_type"),
        ({"grant_type": "authorization_code"}, "invalid_request"),
        ({"grant_type": "refresh_token"}, "invalid_request"),
        ({"grant_type": "refresh_token", "refresh_token": "\x00"}, "invalid_request"),
    ],
)
def test_a_wrong_form_gets_the_standard_error(
    form: dict[str, str], error: str, client: Client
) -> None:
    reply = client.http.post("/oauth/token", data={"client_id": client.id, **form})
    assert_refused(reply, error)


def test_a_body_that_is_not_a_form_is_refused(client: Client) -> None:
    assert_refused(client.http.post("/oauth/token", json={}), "invalid_request")
    assert_refused(client.http.post("/oauth/token", data={}), "invalid_request")
    twice = f"client_id={client.id}&client_id={client.id}"
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    assert_refused(
        client.http.post("/oauth/token", content=twice, headers=headers), "invalid_request"
    )
    unknown = client.http.post("/oauth/token", data={"client_id": "nobody", "grant_type": "x"})
    assert_refused(unknown, "invalid_client", 401)
