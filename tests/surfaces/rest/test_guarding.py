"""Every route requires a credential, and one with the right scope."""

from typing import Any

import httpx2
import pytest
from fastapi.routing import iter_route_contexts

from remem.app import create_app
from remem.settings import Settings
from remem.surfaces.oauth.router import PUBLIC as OAUTH
from remem.surfaces.rest.router import PUBLIC
from remem.surfaces.web.router import public_paths
from tests.conftest import Person, Server
from tests.surfaces.rest.calls import Operation, required
from tests.surfaces.rest.people import call

READS_BY_POST = (
    "/v3/recall",
    "/v1/documents/list",
    "/v1/search",
    "/api/memories/batch-get",
    "/api/agent/ask",
    "/api/prompt",
)
NEEDS_NO_SCOPE = ("/v3/auth/logout",)
# Who may not read makes no address at which anybody can.
ALSO_READS = ("POST /v3/calendars", "POST /v3/deliveries")
BROKEN_JSON: dict[str, Any] = {"content": b"{", "headers": {"Content-Type": "application/json"}}


# Without a credential


@pytest.fixture
def revoked(user: Person) -> str:
    key = user.post("/v3/api-keys", {"name": "gone", "scopes": ["read", "write"]}).json()
    assert user.http.delete(f"/v3/api-keys/{key['id']}").status_code == 204
    return key["key"]


@pytest.mark.parametrize("credential", ["none", "garbage", "garbage X-API-Key", "revoked"])
def test_every_guarded_route_refuses_a_bad_credential(
    credential: str, anonymous: httpx2.Client, guarded: list[Operation], revoked: str
) -> None:
    headers = {
        "none": {},
        "garbage": {"Authorization": f"Bearer mc_{'x' * 32}"},
        "garbage X-API-Key": {"X-API-Key": "nonsense"},
        "revoked": {"Authorization": f"Bearer {revoked}"},
    }[credential]
    for operation in guarded:
        reply = operation.send(anonymous, required(operation), headers=headers)
        _assert_refused(reply, operation)


def test_every_guarded_route_refuses_an_invented_cookie(
    anonymous: httpx2.Client, guarded: list[Operation]
) -> None:
    headers = {"Cookie": "remem_session=invented"}
    for operation in guarded:
        reply = operation.send(anonymous, required(operation), headers=headers)
        code = "signed_out" if operation.method == "GET" else "csrf"
        assert reply.status_code == (401 if operation.method == "GET" else 403), operation
        assert reply.json()["code"] == code, operation


def test_a_body_is_not_parsed_before_its_sender_is_known(
    anonymous: httpx2.Client, guarded: list[Operation]
) -> None:
    for operation in guarded:
        if operation.body_kind != "nothing":
            reply = operation.send(anonymous, required(operation), json=None, **BROKEN_JSON)
            _assert_refused(reply, operation)


def test_undocumented_routes_are_public_on_purpose_or_refuse(
    anonymous: httpx2.Client, all_operations: list[Operation]
) -> None:
    documented = {(operation.method, operation.path) for operation in all_operations}
    hidden = [route for route in _routes() if route not in documented]
    assert ("GET", "/docs") in hidden
    for method, path in hidden:
        if path not in PUBLIC | OAUTH | public_paths():
            reply = anonymous.request(method, path)
            assert reply.status_code == 401, f"{method} {path}: {reply.status_code}"


def test_every_documented_route_exists(all_operations: list[Operation]) -> None:
    documented = {(operation.method, operation.path) for operation in all_operations}
    assert documented <= {(method, path.replace(":path}", "}")) for method, path in _routes()}
    assert {path for _, path in _routes()} >= PUBLIC | OAUTH


def test_documentation_says_which_routes_need_a_key(anonymous: httpx2.Client) -> None:
    paths = anonymous.get("/openapi.json").json()["paths"]
    for path, item in paths.items():
        for method, operation in item.items():
            schemes = {
                name for requirement in operation.get("security", ()) for name in requirement
            }
            expected = {"operator"} if path.startswith("/admin/") else {"key"}
            is_open = path in PUBLIC and not path.startswith("/admin/")
            assert schemes == (set() if is_open else expected), f"{method} {path}"


def _routes() -> list[tuple[str, str]]:
    """Every route of the application, documented or not."""
    return [
        (method, route.path or "")
        for route in iter_route_contexts(create_app(Settings()).routes)
        for method in sorted(route.methods or {"GET", "POST"})
    ]


def _assert_refused(reply: httpx2.Response, operation: Operation) -> None:
    assert reply.status_code == 401, f"{operation}: {reply.status_code} {reply.text}"
    assert reply.headers["WWW-Authenticate"].startswith("Bearer"), operation
    assert set(reply.json()) == {"error", "code"}, operation


# With a credential that lacks the scope


@pytest.mark.parametrize("scope", ["read", "write", "admin"])
def test_a_key_with_one_scope_is_refused_where_another_is_needed(
    scope: str, user: Person, server: Server, guarded: list[Operation]
) -> None:
    key = user.post("/v3/api-keys", {"name": scope, "scopes": [scope]}).json()
    with call(server.url, key["key"]) as http:
        for operation in guarded:
            if _required_scope(operation) not in (scope, None):
                _assert_scope_missing(operation, operation.send(http, required(operation)))


@pytest.mark.parametrize("scope", ["read", "write"])
def test_a_key_with_the_scope_is_let_through(
    scope: str, user: Person, server: Server, guarded: list[Operation]
) -> None:
    key = user.post("/v3/api-keys", {"name": scope, "scopes": [scope]}).json()
    with call(server.url, key["key"]) as http:
        for operation in guarded:
            if _required_scope(operation) in (scope, None):
                reply = operation.send(http, required(operation))
                if scope == "write" and str(operation) in ALSO_READS:
                    assert reply.json()["details"] == {"scope": "read"}, operation
                else:
                    assert reply.status_code not in (401, 403), f"{operation}: {reply.text}"


def _required_scope(operation: Operation) -> str | None:
    """The rule, implemented again: GET needs read, changes need write, people need admin."""
    if operation.path in NEEDS_NO_SCOPE:
        return None
    credentials = (
        "/v3/api-keys",
        "/api/api-keys",
        "/v3/grants",
        "/v3/auth/sessions",
        "/v3/auth/links",
    )
    if operation.path.startswith(credentials):
        return "admin"
    if operation.method == "GET" or operation.path in READS_BY_POST:
        return "read"
    people = operation.path.startswith(("/v3/account", "/v3/organizations", "/v3/models"))
    # An import also imports the audit trail.
    return "admin" if people or operation.path.startswith("/v3/import") else "write"


def _assert_scope_missing(operation: Operation, reply: httpx2.Response) -> None:
    assert reply.status_code == 403, f"{operation}: {reply.status_code} {reply.text}"
    problem = reply.json()
    assert problem["code"] == "scope_missing", operation
    assert problem["details"] == {"scope": _required_scope(operation)}, operation
