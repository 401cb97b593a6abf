"""Organizations: their members, what each role may do, and what ends when a member leaves."""

import httpx2
import pytest

from remem.core.ports import Ports
from tests.conftest import Person, Server
from tests.surfaces.rest.people import (
    EVERY_SCOPE,
    MakePerson,
    Organization,
    SignIn,
    assert_erased,
    call,
    make_key,
    new_email,
    whoami,
)
from tests.surfaces.rest.problems import assert_problem

pytestmark = pytest.mark.anyio


def test_the_creator_of_an_organization_owns_it(organization: Organization, person: Person) -> None:
    assert organization.members == {person.user_id: "owner"}
    listed = person.http.get("/v3/organizations").json()["organizations"]
    assert [(entry["kind"], entry["role"]) for entry in listed] == [
        ("user", "owner"),
        ("org", "owner"),
    ]
    assert listed[1]["id"] == organization.id


@pytest.mark.parametrize("name", ["", " ", "n" * 201])
def test_an_organization_needs_a_valid_name(name: str, user: Person) -> None:
    assert_problem(user.post("/v3/organizations", {"name": name}), 400, "invalid", "name: ")


def test_a_member_is_added_by_email_and_shares_its_documents(
    organization: Organization, person: Person, stranger: Person, server: Server
) -> None:
    added = organization.add(stranger)
    assert added.status_code == 201
    assert (added.json()["user_id"], added.json()["role"]) == (stranger.user_id, "member")
    owner_key = make_key(person, EVERY_SCOPE, organization_id=organization.id)["key"]
    member_key = make_key(stranger, ["read", "write"], organization_id=organization.id)["key"]
    with call(server.url, owner_key) as owner, call(server.url, member_key) as member:
        saved = member.post("/v3/memory", json={"content": "Shared by a member."}).json()
        assert owner.get(f"/v3/documents/{saved['id']}").status_code == 200
        identity = member.get("/v3/whoami").json()
    assert (identity["organization_id"], identity["role"]) == (organization.id, "member")
    assert stranger.http.get(f"/v3/documents/{saved['id']}").status_code == 404


def test_signing_in_to_an_organization(
    organization: Organization, stranger: Person, sign_in: SignIn, anonymous: httpx2.Client
) -> None:
    body = {
        "email": stranger.email,
        "password": stranger.password,
        "organization_id": organization.id,
    }
    assert_problem(anonymous.post("/v3/auth/login", json=body), 404, "not_found", "organization")
    organization.add(stranger)
    identity = sign_in(**body).http.get("/v3/whoami").json()
    assert identity["organization_id"] == organization.id
    assert identity["scopes"] == ["read", "write"]


def test_an_email_without_an_account_cannot_be_added(organization: Organization) -> None:
    path = f"/v3/organizations/{organization.id}/members"
    reply = organization.owner.post(path, {"email": new_email()})
    assert_problem(reply, 404, "not_found", "user")


def test_a_member_is_added_only_once(organization: Organization, stranger: Person) -> None:
    assert organization.add(stranger).status_code == 201
    assert_problem(organization.add(stranger, "admin"), 409, "already_member")
    assert organization.members[stranger.user_id] == "member"


def test_a_personal_space_has_no_members_and_cannot_be_deleted(
    person: Person, stranger: Person
) -> None:
    space = Organization(person.tenant_id, person)
    assert_problem(space.add(stranger), 409, "conflict", "create an organization to share")
    assert_problem(space.delete(), 409, "own_space")
    assert_problem(space.remove(person), 409, "last_owner")
    assert_problem(space.change(person, "member"), 409, "last_owner")
    assert space.members == {person.user_id: "owner"}


def test_a_member_may_read_and_write_but_not_manage(
    organization: Organization, stranger: Person, make_person: MakePerson
) -> None:
    organization.add(stranger)
    third = make_person()
    for refused in (
        organization.add(third, by=stranger),
        organization.change(stranger, "owner", by=stranger),
        organization.remove(organization.owner, by=stranger),
        organization.delete(by=stranger),
    ):
        assert_problem(refused, 403, "forbidden", "Your role there is member")
    body = {"name": "k", "scopes": ["admin"], "organization_id": organization.id}
    assert_problem(stranger.post("/v3/api-keys", body), 403, "forbidden", "A member may not")
    listed = stranger.http.get(f"/v3/organizations/{organization.id}/members")
    assert len(listed.json()["members"]) == 2


def test_an_admin_may_manage_members_but_not_owners(
    organization: Organization, stranger: Person, make_person: MakePerson
) -> None:
    organization.add(stranger, "admin")
    third = make_person()
    assert organization.add(third, by=stranger).status_code == 201
    assert organization.change(third, "admin", by=stranger).status_code == 200
    assert organization.remove(third, by=stranger).status_code == 204
    for refused in (
        organization.add(third, "owner", by=stranger),
        organization.change(stranger, "owner", by=stranger),
        organization.change(organization.owner, "member", by=stranger),
        organization.remove(organization.owner, by=stranger),
        organization.delete(by=stranger),
    ):
        assert_problem(refused, 403, "forbidden")
    owner = organization.owner.user_id
    assert organization.members == {owner: "owner", stranger.user_id: "admin"}


def test_an_organization_does_not_exist_for_non_members(
    organization: Organization, stranger: Person
) -> None:
    for refused in (
        organization.add(stranger, by=stranger),
        organization.change(organization.owner, "member", by=stranger),
        organization.remove(organization.owner, by=stranger),
        organization.delete(by=stranger),
        stranger.http.get(f"/v3/organizations/{organization.id}/members"),
    ):
        assert_problem(refused, 404, "not_found", organization.id)


def test_the_last_owner_cannot_leave_or_be_demoted(
    organization: Organization, person: Person, stranger: Person
) -> None:
    organization.add(stranger, "admin")
    for refused in (
        organization.remove(person),
        organization.change(person, "admin"),
        person.http.delete("/v3/account"),
    ):
        assert_problem(refused, 409, "last_owner", "name another")
    assert organization.change(stranger, "owner").status_code == 200
    assert organization.change(person, "member").status_code == 200
    assert organization.members[stranger.user_id] == "owner"


def test_a_removed_members_key_and_browser_stop_working(
    organization: Organization, stranger: Person, server: Server, sign_in: SignIn
) -> None:
    organization.add(stranger)
    key = make_key(stranger, ["read"], organization_id=organization.id)["key"]
    browser = sign_in(
        email=stranger.email, password=stranger.password, organization_id=organization.id
    )
    assert whoami(server, key).status_code == browser.http.get("/v3/whoami").status_code == 200
    assert organization.remove(stranger).status_code == 204
    assert whoami(server, key).status_code == browser.http.get("/v3/whoami").status_code == 401
    assert stranger.http.get("/v3/whoami").status_code == 200


def test_a_member_may_leave(organization: Organization, stranger: Person) -> None:
    organization.add(stranger)
    assert organization.remove(stranger, by=stranger).status_code == 204
    assert stranger.user_id not in organization.members


def test_a_demoted_admins_key_and_browser_lose_admin(
    organization: Organization, stranger: Person, server: Server, sign_in: SignIn
) -> None:
    organization.add(stranger, "admin")
    key = make_key(stranger, EVERY_SCOPE, organization_id=organization.id)["key"]
    browser = sign_in(api_key=key)
    assert organization.change(stranger, "member").status_code == 200
    assert whoami(server, key).json()["scopes"] == ["read", "write"]
    assert browser.http.get("/v3/whoami").json()["scopes"] == ["read", "write"]
    with call(server.url, key) as http:
        assert_problem(http.get("/v3/api-keys"), 403, "scope_missing")


async def test_deleting_an_organization_erases_everything_in_it(
    organization: Organization, person: Person, server: Server, ports: Ports
) -> None:
    key = make_key(person, EVERY_SCOPE, organization_id=organization.id)["key"]
    with call(server.url, key) as http:
        http.post("/v3/memory", json={"content": "Soon gone."})
    assert organization.delete().status_code == 204
    assert whoami(server, key).status_code == 401
    await assert_erased(ports, organization.id)
    assert person.http.get("/v3/whoami").status_code == 200
