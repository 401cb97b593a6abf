"""The endpoint /mcp: credentials, host names, batches, and concurrent calls."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from tests.conftest import Person, Server, start_server, stop_server
from tests.surfaces.mcp.conftest import ERAS, Era, call_tool, over_http, tool_error

LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
FAST = {"documents": True, "mode": "fast"}
PAGE = {"accept": "application/json, text/event-stream"}


def call(id: int | str, name: str, **arguments: Any) -> dict[str, Any]:
    params = {"name": name, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}


@pytest.mark.parametrize("path", ["/mcp", "/mcp/coding"])
@pytest.mark.parametrize(
    "credential",
    [{}, {"Authorization": "Bearer mc_nobody"}, {"X-API-Key": "x"}, {"Cookie": "remem_session=x"}],
    ids=["none", "unknown", "unknown by header", "cookie"],
)
def test_a_bad_credential_gets_an_authentication_challenge(
    server: Server, path: str, credential: dict[str, str]
) -> None:
    for method in ("POST", "GET", "DELETE"):
        reply = httpx2.request(method, f"{server.url}{path}", headers=credential)
        assert reply.status_code == 401
        assert reply.headers["www-authenticate"].startswith("Bearer")
        assert reply.json()["code"] == "unauthenticated"


def test_a_key_is_accepted_in_either_header(person: Person, server: Server) -> None:
    for headers in ({"X-API-Key": person.key}, {"Authorization": f"bearer {person.key}"}):
        reply = httpx2.post(f"{server.url}/mcp", json=LIST, headers=headers)
        assert reply.status_code == 200
        assert len(reply.json()["result"]["tools"]) == 5


def test_only_post_is_allowed(person: Person) -> None:
    for method in ("GET", "DELETE"):
        reply = person.http.request(method, "/mcp", headers=PAGE)
        assert (reply.status_code, reply.headers["allow"]) == (405, "POST")


@pytest.mark.parametrize("id", ["{}", "[1]", "1e400", "null"])
def test_an_invalid_id_gets_an_error(person: Person, id: str) -> None:
    body = f'{{"jsonrpc": "2.0", "id": {id}, "method": "tools/list"}}'
    for headers in ({}, PAGE):
        reply = person.http.post(
            "/mcp", content=body, headers={"content-type": "application/json", **headers}
        )
        assert reply.status_code == 400
        assert (reply.json()["id"], reply.json()["error"]["code"]) == (None, -32600)


def test_an_unknown_toolset_is_not_found(person: Person) -> None:
    reply = person.post("/mcp/everything", LIST)
    assert reply.status_code == 404
    assert "assistant, coding, platform" in reply.json()["error"]


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({"Host": "evil.example"}, "foreign_host"),
        ({"Host": "127.0.0.1.evil.example:80"}, "foreign_host"),
        ({"Origin": "https://evil.example"}, "foreign_origin"),
        ({"Origin": "null"}, "foreign_origin"),
    ],
)
def test_a_foreign_host_or_origin_is_refused(
    person: Person, headers: dict[str, str], code: str
) -> None:
    reply = person.http.post("/mcp", json=LIST, headers=headers)
    assert (reply.status_code, reply.json()["code"]) == (403, code)


def test_a_page_of_this_machine_is_accepted(person: Person) -> None:
    for origin in ("http://localhost:6274", "http://127.0.0.1:3000", "http://[::1]"):
        assert person.http.post("/mcp", json=LIST, headers={"Origin": origin}).status_code == 200


def test_a_batch_with_a_bad_entry_answers_the_others(person: Person) -> None:
    entries = [
        call(1, "memory", content="The kettle is in the left cupboard."),
        7,
        {"jsonrpc": "2.0", "id": "x"},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "no/such/method"},
        {"jsonrpc": "2.0", "id": 3, "method": "initialize", "params": {}},
        {"jsonrpc": "2.0", "id": 9, "result": {}},
        call(4, "whoAmI"),
    ]
    reply = person.http.post("/mcp", json=entries, headers=PAGE)
    assert reply.status_code == 200
    answers = {str(answer["id"]): answer for answer in reply.json()}
    assert set(answers) == {"1", "None", "x", "2", "3", "4"}
    assert answers["1"]["result"]["structuredContent"]["status"] == "done"
    assert answers["4"]["result"]["structuredContent"]["email"] == person.email
    assert answers["None"]["error"]["code"] == answers["x"]["error"]["code"] == -32600
    assert "method" in answers["x"]["error"]["message"]
    assert answers["2"]["error"]["code"] == -32601
    assert "alone" in answers["3"]["error"]["message"]


def test_invalid_batches_are_refused(person: Person) -> None:
    notification = person.post("/mcp", [{"jsonrpc": "2.0", "method": "notifications/initialized"}])
    assert (notification.status_code, notification.content) == (202, b"")
    for entries in ([], [LIST] * 101):
        refused = person.post("/mcp", entries)
        assert (refused.status_code, refused.json()["error"]["code"]) == (400, -32600)
    headers = {"Content-Type": "application/json"}
    broken = person.http.post("/mcp", content=b'[{"jsonrpc"', headers=headers)
    assert (broken.status_code, broken.json()["error"]["code"]) == (400, -32700)
    modern = person.http.post("/mcp", json=[LIST], headers={"MCP-Protocol-Version": "2026-07-28"})
    assert (modern.status_code, modern.json()["error"]["code"]) == (400, -32600)


@pytest.mark.anyio
@pytest.mark.parametrize("era", ERAS)
async def test_two_tenants_never_see_each_other(
    server: Server, person: Person, stranger: Person, era: Era
) -> None:
    secret = "The vault of the observatory opens with 7391."
    query = "how the vault of the observatory opens"
    async with over_http(server, person.key, era) as own_client:
        saved = await call_tool(own_client, "memory", {"content": secret, "title": "Vault"})
        memory = await call_tool(own_client, "memories.create", {"content": secret})
    async with over_http(server, stranger.key, era) as other_client:
        for tool, arguments in {
            "recall": {"query": query},
            "search": {"query": query},
            "search_memory": {"query": query},
            "memories.search_index": {"query": query, "documents": True},
            "memories.list": {},
            "memories.timeline": {},
            "memory-graph": {},
        }.items():
            assert "7391" not in str(await call_tool(other_client, tool, arguments)), tool
        for tool, arguments in {
            "fetch": {"id": f"document/{saved['id']}"},
            "memories.get": {"id": memory["id"]},
            "memories.derive": {"id": memory["id"]},
            "update_memory": {"id": memory["id"], "content": "mine now"},
            "forget_memory": {"id": memory["id"]},
        }.items():
            assert "There is no" in await tool_error(other_client, tool, arguments), tool
        batch = await call_tool(other_client, "memories.batch_get", {"ids": [memory["id"]]})
        assert batch == {"memories": [], "missing": [memory["id"]], "unreadable": []}
        for uri in (f"remem://document/{saved['id']}", f"remem://memory/{memory['id']}"):
            with pytest.raises(MCPError, match="There is no"):
                await other_client.read_resource(uri)
        prompt = await other_client.get_prompt("context", {"topic": "the vault"})
        assert "7391" not in prompt.messages[0].content.text
    assert person.http.get(f"/api/memories/{memory['id']}").json()["content"] == secret


@pytest.mark.anyio
@pytest.mark.parametrize("era", ERAS)
async def test_concurrent_calls_act_for_their_own_callers(
    server: Server, make_person: Callable[[], Person], era: Era
) -> None:
    people = [make_person(), make_person()]

    async def work(person: Person, number: int) -> None:
        async with over_http(server, person.key, era) as client:
            content = f"Note {number} of {person.email}."
            await call_tool(client, "memory", {"content": content})
            assert (await call_tool(client, "whoAmI", {}))["email"] == person.email
            assert {text.split()[-1] for text in await search_notes(client, number)} == {
                f"{person.email}."
            }

    async def search_notes(client: Client, number: int) -> list[str]:
        """Some calls use `recall`, which reranks results with a slow model."""
        arguments = {"query": "note", "limit": 50}
        if number < 4:
            answer = await call_tool(client, "recall", arguments)
            return [result["content"] for result in answer["results"]]
        answer = await call_tool(client, "memories.search_index", {**arguments, **FAST})
        return [hit["snippet"] for hit in answer["hits"]]

    await asyncio.gather(*(work(people[number % 2], number) for number in range(20)))
    async with over_http(server, people[0].key, era) as client:
        queries = ({"query": f"note {number}", **FAST} for number in range(20))
        calls = (call_tool(client, "memories.search_index", query) for query in queries)
        assert all(answer["hits"] for answer in await asyncio.gather(*calls))


@pytest.mark.anyio
async def test_a_read_only_key_cannot_save_and_the_error_says_why(
    server: Server, person: Person
) -> None:
    person.save("The boiler was serviced in May.")
    key = person.post("/v3/api-keys", {"name": "reads", "scopes": ["read"]}).json()["key"]
    async with over_http(server, key, "legacy") as client:
        assert (await call_tool(client, "recall", {"query": "boiler"}))["results"]
        for tool in ("memory", "save_memory", "memories.create"):
            error = await tool_error(client, tool, {"content": "something"})
            assert "lacks the scope 'write'; use one that has it" in error


@pytest.mark.anyio
async def test_a_server_on_all_interfaces_rate_limits_mcp_calls(data_dir: Path) -> None:
    server = start_server(
        data_dir,
        REMEM_HOST="0.0.0.0",
        REMEM_RATE_LIMIT="3",
        REMEM_ALLOWED_HOSTS='["memory.example.org"]',
    )
    try:
        headers = {"Authorization": f"Bearer {server.owner_key}", "Host": "memory.example.org"}
        address = server.url.replace("0.0.0.0", "127.0.0.1")
        async with httpx2.AsyncClient(base_url=address, headers=headers, timeout=60) as http:
            replies = [await http.post("/mcp", json=call(number, "whoAmI")) for number in range(4)]
        results = [reply.json()["result"] for reply in replies]
        assert [result["isError"] for result in results] == [False, False, False, True]
        assert "More than 3 requests a minute; wait" in results[-1]["content"][0]["text"]
    finally:
        stop_server(server)
