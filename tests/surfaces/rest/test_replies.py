"""What every reply has in common, and the replies of health and whoami."""

from importlib.metadata import version
from uuid import UUID

import httpx2
import pytest
from starlette.types import Receive, Scope, Send

from remem.core.ports import Ports
from remem.core.time import new_id
from remem.surfaces.rest.limits import Limits
from tests.conftest import Person
from tests.surfaces.rest.problems import assert_problem
from tests.surfaces.rest.rows import rows_of
from tests.tools.external import external_server

pytestmark = pytest.mark.anyio


def test_the_request_id_is_returned(user: Person) -> None:
    id = "my-own.id:1"
    assert user.http.get("/v3/whoami", headers={"X-Request-Id": id}).headers["X-Request-Id"] == id
    assert user.http.get("/nope", headers={"X-Request-Id": id}).headers["X-Request-Id"] == id


@pytest.mark.parametrize("id", ["", "two words", "x" * 129, "<script>"])
def test_an_unsafe_request_id_is_replaced(id: str, user: Person) -> None:
    returned = user.http.get("/v3/whoami", headers={"X-Request-Id": id}).headers["X-Request-Id"]
    assert UUID(returned).version == 7


async def test_the_request_id_is_in_the_audit_trail(user: Person, ports: Ports) -> None:
    id = str(new_id())
    reply = user.http.post("/v3/memory", json={"content": "Traced."}, headers={"X-Request-Id": id})
    events = (await rows_of(ports, user.tenant_id))["events"]
    (event,) = (row for row in events if row["request_id"] == id)
    assert (event["subject_id"], event["type"]) == (reply.json()["id"], "create")
    assert event["actor"] == f"key:{user.key[:11]}"


async def test_an_unexpected_failure_reveals_only_its_request_id() -> None:
    async def broken(scope: Scope, receive: Receive, send: Send) -> None:
        raise RuntimeError("the database's password is swordfish")

    transport = httpx2.ASGITransport(Limits(broken, 1_000, 1_000, 1_000))
    async with httpx2.AsyncClient(transport=transport, base_url="http://broken") as http:
        reply = await http.get("/v3/whoami", headers={"X-Request-Id": "ask-about-me"})
    problem = assert_problem(reply, 500, "internal", "report the request id")
    assert problem["details"] == {"request_id": reply.headers["X-Request-Id"]}
    assert reply.headers["X-Request-Id"] == "ask-about-me"
    assert "swordfish" not in reply.text


def test_replies_are_not_cached_and_not_sniffed(user: Person) -> None:
    headers = user.http.get("/v3/documents").headers
    assert headers["Cache-Control"] == "no-store"
    assert headers["X-Content-Type-Options"] == "nosniff"


def test_health(anonymous: httpx2.Client) -> None:
    reply = anonymous.get("/health")
    assert reply.status_code == 200
    names = ["database", "queue", "embedding", "disk"]
    # On a PostgreSQL that is not ours there are none unless a folder is named.
    names += [] if external_server() else ["backups"]
    checks = dict.fromkeys(names, "ok")
    body = {"status": "ok", "version": version("remem")}
    assert reply.json() == {**body, "checks": checks, "retry_in_s": {}}
    assert anonymous.get("/health/ready").json() == reply.json()
    assert anonymous.get("/health/live").json() == {**body, "checks": {}, "retry_in_s": {}}


def test_who_am_i(person: Person) -> None:
    identity = person.http.get("/v3/whoami").json()
    assert identity == {
        "user_id": person.user_id,
        "email": person.email,
        "name": person.email.split("@")[0],
        "name_given": False,
        "organization_id": person.tenant_id,
        "organization_name": person.email.split("@")[0],
        "role": "owner",
        "scopes": ["admin", "read", "write"],
    }
