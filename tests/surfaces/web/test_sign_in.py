"""Signing a browser in: by the printed link, and what it can do then."""

import asyncio
import re
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


def test_the_server_prints_a_link(server: Server) -> None:
    printed = re.search(r"(http://\S+)/open/[\w-]{43}$", "\n".join(server.banner), re.M)
    assert printed and printed[1] == server.url


def test_remem_open_gives_a_link_that_signs_the_owner_in_once(
    server: Server, browser: httpx2.Client, tmp_path: Path
) -> None:
    shell = Shell(tmp_path, {"REMEM_DATA_DIR": str(server.data_dir)})
    link = shell.piped("open", "--no-browser").out.strip()
    assert link.startswith(f"{server.url}/open/")
    opened = browser.get(link)
    assert (opened.status_code, opened.headers["Location"]) == (303, "/dashboard")
    assert opened.headers["Cache-Control"] == "no-store"
    who = browser.get("/v3/whoami").json()
    assert (who["email"], who["scopes"]) == ("owner@localhost", ["admin", "read", "write"])
    again = httpx2.get(link)
    assert again.headers["Location"] == "/login?problem=link_used"
    assert "set-cookie" not in again.headers


def test_remem_open_says_when_no_server_runs(tmp_path: Path) -> None:
    shell = Shell(tmp_path, {"REMEM_DATA_DIR": str(tmp_path / "data")})
    ran = shell.piped("open", "--no-browser")
    assert ran.code == 1 and "remem serve" in ran.err.replace("python -m ", "")
    assert not (tmp_path / "data").exists()


def test_a_browser_signed_in_by_a_link_is_kept_from_forgery(
    person: Person, browser: httpx2.Client
) -> None:
    browser.get(make_link(person))
    assert browser.get("/v3/whoami").json()["user_id"] == person.user_id
    assert_problem(browser.post("/v3/memory", json={"content": "x"}), 403, "csrf", "X-CSRF-Token")
    good = {"X-CSRF-Token": browser.cookies["remem_csrf"]}
    assert browser.post("/v3/memory", json={"content": "x"}, headers=good).status_code == 201
    elsewhere = {**good, "Origin": "https://evil.example"}
    assert browser.post("/v3/memory", json={"content": "y"}, headers=elsewhere).status_code == 403


async def test_a_link_that_is_too_old_is_refused(
    person: Person, browser: httpx2.Client, ports: Ports
) -> None:
    path = make_link(person)
    await change(
        ports, person.tenant_id, "UPDATE sign_in_links SET expires_at = now() - interval '1 second'"
    )
    assert browser.get(path).headers["Location"] == "/login?problem=link_used"
    assert browser.get("/v3/whoami").status_code == 401


def test_a_link_ends_with_the_password(person: Person, browser: httpx2.Client) -> None:
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
def test_a_picture_or_another_site_signs_nobody_in(
    person: Person, browser: httpx2.Client, headers: dict[str, str]
) -> None:
    path = make_link(person)
    assert browser.get(path, headers=headers).headers["Location"] == "/login?problem=link_elsewhere"
    assert browser.get("/v3/whoami").status_code == 401
    typed = {"Sec-Fetch-Dest": "document", "Sec-Fetch-Site": "none"}
    assert browser.get(path, headers=typed).headers["Location"] == "/dashboard"


def test_a_lesser_key_makes_no_link(person: Person, server: Server) -> None:
    admin = make_key(person, ["admin"])["key"]
    ending = make_key(person, ["read", "write", "admin"], expires_in_days=1)["key"]
    for key in (admin, ending):
        headers = {"Authorization": f"Bearer {key}"}
        reply = httpx2.post(f"{server.url}/v3/auth/links", headers=headers)
        assert_problem(reply, 403, "scope_missing", "every scope")


def test_a_link_works_on_this_computer_only(person: Person, server: Server) -> None:
    path, elsewhere = make_link(person), {"Host": "remem.local.example"}
    assert httpx2.get(server.url + path, headers=elsewhere).status_code == 403
    options = httpx2.get(f"{server.url}/v3/auth/options").json()
    assert options == {"registration": True, "link": True}


async def test_of_two_that_use_a_link_at_once_one_is_signed_in(ports: Ports, scope: Scope) -> None:
    token, _ = await browsers.make_link(ports, scope)
    visitor = Visitor("127.0.0.1")
    both = [browsers.use_link(ports, token, visitor) for _ in range(2)]
    results = await asyncio.gather(*both, return_exceptions=True)
    assert sorted(type(one).__name__ for one in results) == ["SignIn", "Unauthenticated"]


def test_browsers_are_listed_and_signed_out(
    person: Person, stranger: Person, browser: httpx2.Client
) -> None:
    browser.get(make_link(person))
    listed = browser.get("/v3/auth/sessions").json()["sessions"]
    here = next(one for one in listed if one["current"])
    assert here["agent"] == "Browser/1.0" and here["organization_id"] == person.tenant_id
    assert not [
        one for one in person.http.get("/v3/auth/sessions").json()["sessions"] if one["current"]
    ]
    path = f"/v3/auth/sessions/{here['id']}"
    assert here["id"] not in stranger.http.get("/v3/auth/sessions").text
    assert stranger.http.delete(path).status_code == 404
    assert person.http.delete(path).status_code == 204
    assert_problem(browser.get("/v3/whoami"), 401, "signed_out", "sign in again")
