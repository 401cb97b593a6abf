"""Signing a browser in with a link, and what it can do then."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from remem.core.identity import browsers
from remem.core.identity.attempts import Visitor
from remem.core.ports import Ports
from remem.core.scope import Scope
from tests.conftest import Person, Server
from tests.surfaces.cli.running import Shell
from tests.surfaces.rest.people import make_key
from tests.surfaces.rest.problems import assert_problem
from tests.surfaces.rest.rows import change

pytestmark = pytest.mark.anyio


@pytest.fixture
def browser(server: Server) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=server.url, headers={"User-Agent": "Browser/1.0"}) as http:
        yield http


def make_link(person: Person) -> str:
    reply = person.post("/v3/auth/links", None)
    assert reply.status_code == 201, reply.text
    return reply.json()["path"]


def test_the_server_prints_no_link_into_a_log(server: Server) -> None:
    banner = "\n".join(server.banner)
    assert "/open/" not in banner and " open`" in banner


def test_remem_open_prints_a_link_that_signs_the_owner_in_once(
    server: Server, browser: httpx2.Client, tmp_path: Path
) -> None:
    shell = Shell(tmp_path, {"REMEM_DATA_DIR": str(server.data_dir)})
    link = shell.piped("open", "--no-browser").out.strip()
    assert link.startswith(f"{server.url}/open/")
    opened = browser.get(link)
    assert (opened.status_code, opened.headers["Location"]) == (303, "/dashboard")
    assert opened.headers["Cache-Control"] == "no-store"
    identity = browser.get("/v3/whoami").json()
    assert (identity["email"], identity["scopes"]) == (
        "owner@localhost",
        ["admin", "read", "write"],
    )
    again = httpx2.get(link)
    assert again.headers["Location"] == "/login?problem=link_used"
    assert "set-cookie" not in again.headers


def test_remem_open_fails_when_no_server_runs(tmp_path: Path) -> None:
    shell = Shell(tmp_path, {"REMEM_DATA_DIR": str(tmp_path / "data")})
    result = shell.piped("open", "--no-browser")
    assert result.code == 1 and "remem serve" in result.err.replace("python -m ", "")
    assert not (tmp_path / "data").exists()


def test_a_browser_signed_in_by_a_link_is_protected_against_csrf(
    person: Person, browser: httpx2.Client
) -> None:
    browser.get(make_link(person))
    assert browser.get("/v3/whoami").json()["user_id"] == person.user_id
    assert_problem(browser.post("/v3/memory", json={"content": "x"}), 403, "csrf", "X-CSRF-Token")
    good = {"X-CSRF-Token": browser.cookies["remem_csrf"]}
    assert browser.post("/v3/memory", json={"content": "x"}, headers=good).status_code == 201
    foreign_headers = {**good, "Origin": "https://evil.example"}
    assert (
        browser.post("/v3/memory", json={"content": "y"}, headers=foreign_headers).status_code
        == 403
    )


async def test_an_expired_link_is_refused(
    person: Person, browser: httpx2.Client, ports: Ports
) -> None:
    path = make_link(person)
    await change(
        ports, person.tenant_id, "UPDATE sign_in_links SET expires_at = now() - interval '1 second'"
    )
    assert browser.get(path).headers["Location"] == "/login?problem=link_used"
    assert browser.get("/v3/whoami").status_code == 401


def test_a_changed_password_invalidates_links(person: Person, browser: httpx2.Client) -> None:
    path = make_link(person)
    body = {"current_password": person.password, "new_password": "another horse"}
    assert person.http.post("/v3/account/password", json=body).status_code in (200, 204)
    assert browser.get(path).headers["Location"] == "/login?problem=link_used"
    assert browser.get("/v3/whoami").status_code == 401


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Dest": "image", "Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Dest": "iframe", "Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Dest": "document", "Sec-Fetch-Site": "cross-site"},
    ],
)
def test_an_image_or_another_site_cannot_sign_in(
    person: Person, browser: httpx2.Client, headers: dict[str, str]
) -> None:
    path = make_link(person)
    assert browser.get(path, headers=headers).headers["Location"] == "/login?problem=link_elsewhere"
    assert browser.get("/v3/whoami").status_code == 401
    typed = {"Sec-Fetch-Dest": "document", "Sec-Fetch-Site": "none"}
    assert browser.get(path, headers=typed).headers["Location"] == "/dashboard"


def test_a_limited_key_cannot_create_a_link(person: Person, server: Server) -> None:
    admin = make_key(person, ["admin"])["key"]
    expiring = make_key(person, ["read", "write", "admin"], expires_in_days=1)["key"]
    for key in (admin, expiring):
        headers = {"Authorization": f"Bearer {key}"}
        reply = httpx2.post(f"{server.url}/v3/auth/links", headers=headers)
        assert_problem(reply, 403, "scope_missing", "every scope")


def test_a_link_works_on_this_computer_only(person: Person, server: Server) -> None:
    path, foreign_host = make_link(person), {"Host": "remem.local.example"}
    assert httpx2.get(server.url + path, headers=foreign_host).status_code == 403
    options = httpx2.get(f"{server.url}/v3/auth/options").json()
    assert options == {"registration": True, "link": True}


async def test_of_two_concurrent_uses_of_a_link_one_signs_in(ports: Ports, scope: Scope) -> None:
    token, _ = await browsers.make_link(ports, scope)
    visitor = Visitor("127.0.0.1")
    uses = [browsers.use_link(ports, token, visitor) for _ in range(2)]
    results = await asyncio.gather(*uses, return_exceptions=True)
    assert sorted(type(result).__name__ for result in results) == ["SignIn", "Unauthenticated"]


def test_browsers_are_listed_and_signed_out(
    person: Person, stranger: Person, browser: httpx2.Client
) -> None:
    browser.get(make_link(person))
    sessions = browser.get("/v3/auth/sessions").json()["sessions"]
    current = next(session for session in sessions if session["current"])
    assert current["agent"] == "Browser/1.0" and current["organization_id"] == person.tenant_id
    assert not [
        session
        for session in person.http.get("/v3/auth/sessions").json()["sessions"]
        if session["current"]
    ]
    path = f"/v3/auth/sessions/{current['id']}"
    assert current["id"] not in stranger.http.get("/v3/auth/sessions").text
    assert stranger.http.delete(path).status_code == 404
    assert person.http.delete(path).status_code == 204
    assert_problem(browser.get("/v3/whoami"), 401, "signed_out", "sign in again")
