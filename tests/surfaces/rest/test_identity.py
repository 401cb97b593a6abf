"""Accounts: created, read, changed, and deleted with all their data."""

from pathlib import Path

import httpx2
import pytest

from remem.core.ports import Ports
from remem.core.time import new_id
from tests.conftest import Person, Server, start_server, stop_server
from tests.surfaces.rest.people import (
    EVERY_SCOPE,
    PASSWORD,
    Browser,
    Organization,
    SignIn,
    assert_erased,
    call,
    new_email,
    register,
)
from tests.surfaces.rest.problems import assert_problem
from tests.surfaces.rest.rows import all_rows, rows_of
from tests.tools.waiting import until

pytestmark = pytest.mark.anyio


# Register


def test_register_creates_an_account_with_its_own_space_and_signs_in(
    anonymous: httpx2.Client,
) -> None:
    email = new_email()
    reply = register(anonymous, email=f"  {email} ", name="Ada")
    assert reply.status_code == 201
    account, identity = reply.json(), anonymous.get("/v3/whoami").json()
    assert (identity["email"], identity["name"], identity["role"]) == (email, "Ada", "owner")
    assert identity["scopes"] == EVERY_SCOPE
    assert identity["user_id"] == account["user_id"]
    assert identity["organization_id"] == account["organization_id"]
    (project,) = anonymous.get("/v3/projects").json()["projects"]
    assert project["is_default"]


def test_register_a_known_email_is_a_conflict_in_any_case(
    person: Person, anonymous: httpx2.Client
) -> None:
    for email in (person.email, person.email.upper()):
        assert_problem(register(anonymous, email=email), 409, "email_taken", "sign in instead")
    assert not anonymous.cookies


@pytest.mark.parametrize("email", ["", " ", "ada", "@", "ada@", "@example.org", "a b@c", "a@b@c"])
def test_register_a_bad_email_is_refused(email: str, anonymous: httpx2.Client) -> None:
    assert_problem(register(anonymous, email=email), 400, "invalid", "email: ", "ada@example.org")


def test_register_an_email_of_255_characters_is_refused(anonymous: httpx2.Client) -> None:
    reply = register(anonymous, email="a" * 251 + "@b.c")
    assert_problem(reply, 400, "invalid", "email: ", "has 255 characters", "at most 254")


@pytest.mark.parametrize("password", ["", "seven77", "x" * 1_001])
def test_register_a_bad_password_is_refused(password: str, anonymous: httpx2.Client) -> None:
    reply = register(anonymous, password=password)
    assert_problem(reply, 400, "invalid", "password: ", "8 to 1,000 characters")
    assert password not in reply.text or not password


def test_register_without_a_name_takes_it_from_the_email(anonymous: httpx2.Client) -> None:
    long = f"{new_id()}{'a' * 210}@b.c"
    assert register(anonymous, email=long).json()["name"] == long[:200]


def test_register_a_name_of_201_characters_is_refused(anonymous: httpx2.Client) -> None:
    reply = register(anonymous, name="n" * 201)
    assert_problem(reply, 400, "invalid", "name: ", "has 201 characters", "at most 200")


def test_registration_can_be_switched_off(data_dir: Path) -> None:
    server = start_server(data_dir, REMEM_REGISTRATION="false")
    try:
        with call(server.url) as http:
            assert_problem(register(http), 403, "forbidden", "ask its administrator")
            assert not http.cookies
        with call(server.url, server.owner_key) as owner:
            assert owner.get("/v3/whoami").json()["email"] == "owner@localhost"
    finally:
        stop_server(server)


# The account


def test_the_account_can_be_read_and_changed(person: Person) -> None:
    email = new_email()
    reply = person.http.patch("/v3/account", json={"email": email, "name": "  Grace "})
    assert reply.status_code == 200
    account = person.http.get("/v3/account").json()
    assert (account["email"], account["name"], account["has_password"]) == (email, "Grace", True)


def test_the_account_cannot_take_anothers_email(person: Person, stranger: Person) -> None:
    reply = person.http.patch("/v3/account", json={"email": stranger.email.upper()})
    assert_problem(reply, 409, "email_taken", "use another")
    assert person.http.get("/v3/account").json()["email"] == person.email


@pytest.mark.parametrize("body", [{"email": "ada"}, {"name": " "}, {"name": "n" * 201}])
def test_a_bad_change_of_the_account_is_refused(body: dict[str, str], person: Person) -> None:
    before = person.http.get("/v3/account").json()
    (field,) = body
    assert_problem(person.http.patch("/v3/account", json=body), 400, "invalid", f"{field}: ")
    assert person.http.get("/v3/account").json() == before


def test_a_new_password_signs_every_browser_out(
    browser: Browser, person: Person, sign_in: SignIn, anonymous: httpx2.Client
) -> None:
    other = sign_in(email=person.email, password=person.password)
    change = {"current_password": person.password, "new_password": "battery staple"}
    assert browser.post("/v3/account/password", change).status_code == 204
    for signed_in in (browser, other):
        assert_problem(signed_in.http.get("/v3/whoami"), 401, "signed_out")
    old_login = anonymous.post(
        "/v3/auth/login", json={"email": person.email, "password": person.password}
    )
    assert_problem(old_login, 401, "wrong_password")
    new_browser = sign_in(email=person.email, password="battery staple")
    assert new_browser.http.get("/v3/whoami").json()["user_id"] == person.user_id


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"new_password": "battery staple"}, "current_password"),
        ({"current_password": "wrong", "new_password": "battery staple"}, "current_password"),
        ({"current_password": PASSWORD, "new_password": "short"}, "new_password"),
    ],
)
def test_a_bad_change_of_password_is_refused(
    body: dict[str, str], field: str, browser: Browser
) -> None:
    reply = browser.post("/v3/account/password", body)
    assert reply.status_code == 400, reply.text
    assert reply.json()["error"].startswith(f"{field}: ")
    assert browser.http.get("/v3/whoami").status_code == 200


# Deleting the account


async def test_deleting_the_account_erases_everything(
    person: Person,
    stranger: Person,
    browser: Browser,
    organization: Organization,
    ports: Ports,
    server: Server,
) -> None:
    secret = f"secret{new_id().hex}"
    organization.add(stranger, "owner")
    project = person.post("/v3/projects", {"name": f"{secret} plans"}).json()
    person.save(f"{secret} one", project_id=project["id"], tags=[secret], metadata={"a": secret})
    person.save(f"{secret} two", source_url="https://example.org/two")
    person.save(f"{secret} two again", source_url="https://example.org/two")
    later = person.post("/v3/memory?async=true", {"content": f"{secret} later"}).json()
    until(lambda: person.http.get(f"/v3/documents/{later['id']}").json()["status"] == "done")
    assert len([rows for rows in (await rows_of(ports, person.tenant_id)).values() if rows]) > 10

    deleted = person.http.delete("/v3/account")
    assert deleted.status_code == 204, deleted.text

    assert person.http.get("/v3/whoami").status_code == 401
    assert browser.http.get("/v3/whoami").status_code == 401
    await assert_erased(ports, person.tenant_id)
    all_text = "\n".join(row for rows in (await all_rows(server)).values() for row in rows)
    assert stranger.email in all_text
    assert secret not in all_text
    assert person.email not in all_text
    members = stranger.http.get(f"/v3/organizations/{organization.id}/members").json()["members"]
    assert [member["user_id"] for member in members] == [stranger.user_id]


def test_a_deleted_account_can_be_registered_again_and_is_empty(
    person: Person, anonymous: httpx2.Client
) -> None:
    person.save("From a former life.")
    deleted = person.http.delete("/v3/account")
    assert deleted.status_code == 204, deleted.text
    assert_problem(
        anonymous.post("/v3/auth/login", json={"email": person.email, "password": person.password}),
        401,
        "wrong_password",
    )
    assert register(anonymous, email=person.email).status_code == 201
    assert anonymous.get("/v3/documents").json()["total"] == 0


def test_deleting_the_account_clears_the_browsers_cookies(browser: Browser) -> None:
    reply = browser.http.delete("/v3/account", headers=browser.headers)
    assert reply.status_code == 204
    assert not browser.http.cookies
