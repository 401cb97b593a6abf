"""A PostgreSQL that is frozen, or whose network is cut, gets every kind of request an answer."""

import contextlib
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from types import MappingProxyType
from typing import Any, NamedTuple

import httpx2
import pytest

from tests.conftest import Server, new_person, start_server, stop_server
from tests.surfaces.rest.test_health import stopped_database
from tests.tools.external import EMBEDDED
from tests.tools.folders import new_folder
from tests.tools.waiting import until

# A tenth of the product's deadlines, and time for a busy machine to answer.
BOUND_S = 3 + 7
JSON_RPC = {"Accept": "application/json, text/event-stream"}
CALLBACK = "http://127.0.0.1:9/callback"


class Request(NamedTuple):
    method: str
    path: str
    options: Mapping[str, Any] = MappingProxyType({})


@pytest.fixture(scope="module")
def quick_server() -> Iterator[Server]:
    server = start_server(new_folder(), module="tests.tools.quick_deadlines", **EMBEDDED)
    yield server
    stop_server(server)


def tool_call(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    call = {"name": name, "arguments": arguments}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    return {"json": body, "headers": JSON_RPC}


def requests_of_every_kind(http: httpx2.Client) -> dict[str, Request]:
    document = http.post("/v3/memory", json={"content": "Mara chose PostgreSQL."}).json()
    memory = http.post("/api/memories", json={"content": "The gate code is 4711."}).json()
    client = {"redirect_uris": [CALLBACK], "client_name": "test"}
    client_id = http.post("/oauth/register", json=client).json()["client_id"]
    consent = (
        f"/oauth/authorize?response_type=code&client_id={client_id}&redirect_uri={CALLBACK}"
        f"&code_challenge={'a' * 43}&code_challenge_method=S256&state=1"
    )
    login = {"email": "nobody@example.org", "password": "correct horse"}
    new_account = {"email": "somebody@example.org", "password": "correct horse"}
    return {
        "health": Request("GET", "/health"),
        "ready": Request("GET", "/health/ready"),
        "list": Request("GET", "/v3/documents"),
        "read": Request("GET", f"/v3/documents/{document['id']}"),
        "recall": Request("POST", "/v3/recall", {"json": {"query": "database"}}),
        "ask": Request("POST", "/api/agent/ask", {"json": {"question": "Which code?"}}),
        "save": Request("POST", "/v3/memory", {"json": {"content": "Frozen."}}),
        "save later": Request("POST", "/v3/memory?async=true", {"json": {"content": "Cold."}}),
        "remember": Request("POST", "/api/memories", {"json": {"content": "Ice is cold."}}),
        "upload": Request("POST", "/v3/documents/upload", {"files": {"file": ("a.txt", b"Hi")}}),
        "delete document": Request("DELETE", f"/v3/documents/{document['id']}"),
        "delete memory": Request("DELETE", f"/api/memories/{memory['id']}"),
        "profile": Request("GET", "/v1/profile"),
        "stream": Request("GET", "/v3/live"),
        "export": Request("GET", "/v3/export"),
        "mcp": Request("POST", "/mcp", tool_call("recall", {"query": "gate"})),
        "consent": Request("GET", consent),
        "sign in": Request("POST", "/v3/auth/login", {"json": login}),
        "register": Request("POST", "/v3/auth/register", {"json": new_account}),
        "client": Request("POST", "/oauth/register", {"json": client}),
    }


def send(http: httpx2.Client, request: Request) -> tuple[int, str | None, float]:
    begin = time.monotonic()
    with http.stream(request.method, request.path, **request.options) as reply:
        return reply.status_code, reply.headers.get("retry-after"), time.monotonic() - begin


def test_every_request_has_an_answer_while_the_database_is_frozen(quick_server: Server) -> None:
    person, browser = new_person(quick_server), httpx2.Client(base_url=quick_server.url)
    kinds = requests_of_every_kind(person.http)
    with contextlib.closing(person.http) as http, browser, ThreadPoolExecutor(60) as threads:
        browser.post("/v3/auth/login", json={"email": person.email, "password": person.password})
        saved = http.post("/v3/memory", json={"content": "This was acknowledged."}).json()
        with stopped_database(quick_server):
            for _ in range(2):
                sent = {
                    name: threads.submit(send, browser if name == "consent" else http, request)
                    for name, request in kinds.items()
                }
                waiting = [threads.submit(send, http, kinds["save"]) for _ in range(30)]
                answers = {name: future.result() for name, future in sent.items()}
                answers |= {f"save {i}": future.result() for i, future in enumerate(waiting)}
                problems = {
                    name: answer
                    for name, answer in answers.items()
                    if answer[:2] != (503, "2") or answer[2] > BOUND_S
                }
                assert not problems

        def works() -> bool:
            return http.post("/v3/memory", json={"content": "It thawed."}).status_code in (200, 201)

        until(works, deadline_s=30)
        assert http.get(f"/v3/documents/{saved['id']}").status_code == 200
        lists = [threads.submit(send, http, kinds["list"]) for _ in range(40)]
        assert {future.result()[0] for future in lists} == {200}
