"""The operator's API for tenants: its own key, plans, limits, and suspension."""

from uuid import UUID

import httpx2
import pytest

from remem.app import create_rest
from remem.core.identity.model import PlanChange
from remem.core.identity.operate import change_plan
from remem.core.ports import Ports
from remem.settings import Settings
from remem.surfaces.rest.router import rest_routes
from tests.conftest import ADMIN_KEY, Person, Server

pytestmark = pytest.mark.anyio


@pytest.fixture
def operator(server: Server) -> httpx2.Client:
    headers = {"Authorization": f"Bearer {ADMIN_KEY}"}
    return httpx2.Client(base_url=server.url, headers=headers, timeout=60)


def test_a_tenant_gets_a_plan_and_a_limit(operator: httpx2.Client, person: Person) -> None:
    path = f"/admin/tenants/{person.tenant_id}"
    tenant = operator.get(path).json()
    assert (tenant["plan"], tenant["memory_limit"], tenant["suspended_at"]) == (
        "self-hosted",
        None,
        None,
    )
    assert tenant["usage"]["documents"] == 0
    assert operator.patch(path, json={"plan": "free"}).json()["memory_limit"] == 300
    assert operator.patch(path, json={"memory_limit": 1}).json()["memory_limit"] == 1
    body = {"content": "The ferry is blue."}
    assert person.post("/api/memories", body).status_code == 201
    refused = person.post("/api/memories", {"content": "The buoy is red."})
    assert (refused.status_code, refused.json()["code"]) == (403, "limit_exceeded")
    assert operator.patch(path, json={"memory_limit": None}).json()["memory_limit"] == 300
    assert person.post("/api/memories", {"content": "The buoy is red."}).status_code == 201
    assert operator.get(path).json()["memory_count"] == 2


def test_a_suspended_tenant_is_refused_everything(operator: httpx2.Client, person: Person) -> None:
    person.save("The ferry is blue.")
    path = f"/admin/tenants/{person.tenant_id}"
    assert operator.patch(path, json={"suspended": True}).json()["suspended_at"]
    for reply in (person.post("/v3/recall", {"query": "ferry"}), person.http.get("/v3/documents")):
        assert (reply.status_code, reply.json()["code"]) == (403, "suspended")
    assert operator.patch(path, json={"suspended": False}).json()["suspended_at"] is None
    assert person.recall("what colour is the ferry?")


async def test_another_process_applies_a_change_at_once(person: Person, ports: Ports) -> None:
    for suspended, status in ((True, 403), (False, 200)) * 2:
        change = PlanChange(frozenset({"suspended"}), suspended=suspended)
        await change_plan(ports, UUID(person.tenant_id), change)
        assert person.http.get("/v3/documents").status_code == status


def test_all_tenants_are_listed_page_by_page(
    operator: httpx2.Client, person: Person, stranger: Person
) -> None:
    expected = {person.tenant_id, stranger.tenant_id}
    seen: list[str] = []
    while page := operator.get(
        "/admin/tenants", params={"limit": 100, **({"after": seen[-1]} if seen else {})}
    ).json()["tenants"]:
        seen += [tenant["id"] for tenant in page]
    assert expected <= set(seen)
    assert seen == sorted(set(seen))


@pytest.mark.parametrize(
    "body",
    [
        {"plan": "gold"},
        {"memory_limit": -1},
        {"memory_limit": 10**12},
        {"memory_limit": "many"},
        {"colour": "blue"},
    ],
)
def test_an_invalid_change_is_refused(
    operator: httpx2.Client, person: Person, body: dict[str, object]
) -> None:
    reply = operator.patch(f"/admin/tenants/{person.tenant_id}", json=body)
    assert reply.status_code == 400, reply.text


@pytest.mark.parametrize("path", ["/admin/tenants", "/admin/tenants/{id}"])
@pytest.mark.parametrize("header", [{}, {"Authorization": "Bearer wrong"}, {"Authorization": "é"}])
def test_only_the_operators_key_is_accepted(
    server: Server, person: Person, path: str, header: dict[str, str]
) -> None:
    address = server.url + path.format(id=person.tenant_id)
    raw = {name: value.encode() for name, value in header.items()}
    assert httpx2.get(address, headers=raw).status_code == 401
    assert person.http.get(path.format(id=person.tenant_id)).status_code == 401


def test_an_unknown_tenant_is_not_found(operator: httpx2.Client) -> None:
    missing = "/admin/tenants/01a1e5a8-6ed6-74ff-915e-41b374ed72f8"
    assert operator.get(missing).status_code == 404
    assert operator.patch(missing, json={"plan": "free"}).status_code == 404


async def test_the_api_does_not_exist_without_a_configured_key() -> None:
    app = create_rest(Settings(), rest_routes(()))
    transport = httpx2.ASGITransport(app=app)
    async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as http:
        headers = {"Authorization": f"Bearer {ADMIN_KEY}"}
        assert (await http.get("/admin/tenants", headers=headers)).status_code == 404
