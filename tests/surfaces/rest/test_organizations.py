"""Organizations: who belongs, what each may do, and what ends when they leave."""

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


def test_whoever_makes_an_organization_owns_it(organization: Organization, person: Person) -> None:
    assert organization.members == {person.user_id: "owner"}
    listed = person.http.get("/v3/organizations").json()["organizations"]
    assert [(one["kind"], one["role"]) for one in listed] == [("user", "owner"), ("org", "owner")]
    assert listed[1]["id"] == organization.id


@pytest.mark.parametrize("name", ["", " ", "n" * 201])
def test_an_organization_without_a_good_name_is_not_made(name: str, keeper: Person) -> None:
    assert_problem(keeper.post("/v3/organizations", {"name": name}), 400, "invalid", "name: ")


def test_a_member_is_added_by_email_and_shares_what_is_there(
    organization: Organization, person: Person, stranger: Person, server: Server
) -> None:
    added = organization.add(stranger)
    assert added.status_code == 201
    assert (added.json()["user_id"], added.json()["role"]) == (stranger.user_id, "member")
    ours = make_key(person, EVERY_SCOPE, organization_id=organization.id)["key"]
    theirs = make_key(stranger, ["read", "write"], organization_id=organization.id)["key"]
    with call(server.url, ours) as owner, call(server.url, theirs) as member:
        saved = member.post("/v3/memory", json={"content": "Shared by a member."}).json()
        assert owner.get(f"/v3/documents/{saved['id']}").status_code == 200
        who = member.get("/v3/whoami").json()
    assert (who["organization_id"], who["role"]) == (organization.id, "member")
    assert stranger.http.get(f"/v3/documents/{saved['id']}").status_code == 404


def test_signing_in_to_an_organization(
    organization: Organization, stranger: Person, sign_in: SignIn, nobody: httpx2.Client
) -> None:
    body = {
        "email": stranger.email,
        "password": stranger.password,
        "organization_id": organization.id,
    }
    assert_problem(nobody.post("/v3/auth/login", json=body), 404, "not_found", "organization")
    organization.add(stranger)
    who = sign_in(**body).http.get("/v3/whoami").json()
    assert who["organization_id"] == organization.id
    assert who["scopes"] == ["read", "write"]


def test_somebody_without_an_account_cannot_be_added(organization: Organization) -> None:
    path = f"/v3/organizations/{organization.id}/members"
    reply = organization.owner.post(path, {"email": new_email()})
    assert_problem(reply, 404, "not_found", "user")


def test_somebody_is_added_once(organization: Organization, stranger: Person) -> None:
    assert organization.add(stranger).status_code == 201
    assert_problem(organization.add(stranger, "admin"), 409, "already_member")
    assert organization.members[stranger.user_id] == "member"


def test_ones_own_space_takes_no_members_and_stays(person: Person, stranger: Person) -> None:
    own = Organization(person.tenant_id, person)
    assert_problem(own.add(stranger), 409, "conflict", "create an organization to share")
    assert_problem(own.delete(), 409, "own_space")
    assert_problem(own.remove(person), 409, "last_owner")
    assert_problem(own.change(person, "member"), 409, "last_owner")
    assert own.members == {person.user_id: "owner"}


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
    wanted = {"name": "k", "scopes": ["admin"], "organization_id": organization.id}
    assert_problem(stranger.post("/v3/api-keys", wanted), 403, "forbidden", "A member may not")
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


def test_who_is_not_a_member_is_told_of_nothing(
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


def test_the_last_owner_cannot_go_or_be_demoted(
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


def test_a_removed_members_key_and_browser_stop_at_once(
    organization: Organization, stranger: Person, server: Server, sign_in: SignIn
) -> None:
    organization.add(stranger)
    key = make_key(stranger, ["read"], organization_id=organization.id)["key"]
    signed = sign_in(
        email=stranger.email, password=stranger.password, organization_id=organization.id
    )
    assert whoami(server, key).status_code == signed.http.get("/v3/whoami").status_code == 200
    assert organization.remove(stranger).status_code == 204
    assert whoami(server, key).status_code == signed.http.get("/v3/whoami").status_code == 401
    assert stranger.http.get("/v3/whoami").status_code == 200


def test_everybody_may_take_themselves_out(organization: Organization, stranger: Person) -> None:
    organization.add(stranger)
    assert organization.remove(stranger, by=stranger).status_code == 204
    assert stranger.user_id not in organization.members


def test_a_demoted_admins_key_and_browser_lose_admin(
    organization: Organization, stranger: Person, server: Server, sign_in: SignIn
) -> None:
    organization.add(stranger, "admin")
    key = make_key(stranger, EVERY_SCOPE, organization_id=organization.id)["key"]
    signed = sign_in(api_key=key)
    assert organization.change(stranger, "member").status_code == 200
    assert whoami(server, key).json()["scopes"] == ["read", "write"]
    assert signed.http.get("/v3/whoami").json()["scopes"] == ["read", "write"]
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
