"""Every tool once, as a client would use them; needs nothing but Python, so any client can run it.

`call` takes a tool's name and arguments and gives its structured answer; an error is its to raise.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

Call = Callable[[str, dict[str, Any]], Awaitable[dict[str, Any]]]

ASSISTANT = {"memory", "recall", "listProjects", "memory-graph", "whoAmI", "search", "fetch"}
CODING = {"save_memory", "search_memory", "forget_memory", "update_memory"}
PLATFORM = {"projects.list", "projects.create", "agent.ask"} | {
    f"memories.{verb}"
    for verb in (
        "search_index", "get", "create", "list", "batch_get", "timeline", "derive",
        "foresight_active", "providers",
    )
}  # fmt: skip
EVERY = ASSISTANT | CODING | PLATFORM

NOBODY = "01900000-0000-7000-8000-000000000000"


async def call_every(call: Call) -> None:
    called: set[str] = set()

    async def counted(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        called.add(name)
        return await call(name, arguments)

    await asyncio.gather(assist(counted), code(counted), run_platform(counted))
    assert called == EVERY, EVERY ^ called


async def assist(call: Call) -> None:
    content = "Ada keeps the spare key of the observatory under the third stone."
    saved = await call("memory", {"content": content, "title": "Spare key", "tags": ["home"]})
    assert saved["title"] == "Spare key" and saved["chunk_count"] == 1, saved
    again = await call("memory", {"content": content})
    assert again["id"] == saved["id"]
    found = await call("recall", {"query": "where is the observatory key?", "limit": 3})
    assert found["results"][0]["id"] == saved["id"], found
    assert found["results"][0]["content"] == content
    projects = await call("listProjects", {})
    assert sum(one["document_count"] for one in projects["projects"]) == 1
    graph = await call("memory-graph", {})
    assert saved["id"] in {node["id"] for node in graph["nodes"]}, graph
    assert "@" in (await call("whoAmI", {}))["email"]
    hits = (await call("search", {"query": "observatory key"}))["results"]
    document = next(hit for hit in hits if saved["id"] in hit["id"])
    assert set(document) == {"id", "title", "url"}
    page = await call("fetch", {"id": document["id"]})
    assert page["text"] == content and page["title"] == "Spare key" and page["url"]


async def code(call: Call) -> None:
    content = "We indent the parser's code with four spaces."
    body = {"content": content, "category": "preference", "project": "parser"}
    saved = await call("save_memory", body)
    assert saved["status"] == "saved", saved
    again = await call("save_memory", body)
    assert again["status"] == "duplicate" and again["existingId"] == saved["id"], again
    asked = {"query": "indentation of code", "limit": 2, "project": "parser"}
    found = await call("search_memory", asked)
    assert found["found"] == 1 and found["memories"][0]["content"] == content, found
    changed = await call(
        "update_memory", {"id": saved["id"], "content": f"{content[:-1]}, always."}
    )
    assert changed["version"] == 2 and changed["project"] == "parser", changed
    assert (await call("forget_memory", {"id": changed["id"]}))["status"] == "forgotten"
    assert (await call("search_memory", asked))["found"] == 0


async def run_platform(call: Call) -> None:
    made = await call("projects.create", {"name": "Voyage", "slug": "work.voyage"})
    listed = await call("projects.list", {})
    assert made["id"] in {one["id"] for one in listed["projects"]}
    body = {
        "content": "Grace books the ferry to Malmö. Grace packs the blue tent.",
        "title": "Ferry",
        "category": "task",
        "project_id": made["id"],
        "tags": ["travel"],
        "due_at": "2999-01-01T00:00:00Z",
    }
    saved = await call("memories.create", body)
    id = saved["id"]
    assert (await call("memories.get", {"id": id}))["content"] == body["content"]
    assert [one["id"] for one in (await listed_in(call, "memories.list"))] == [id]
    assert [one["id"] for one in (await listed_in(call, "memories.timeline"))] == [id]
    assert [one["id"] for one in (await listed_in(call, "memories.foresight_active"))] == [id]
    batch = await call("memories.batch_get", {"ids": [id, NOBODY]})
    assert [one["id"] for one in batch["memories"]] == [id] and batch["missing"] == [NOBODY]
    asked = {"query": "ferry", "project": "work.voyage", "mode": "fast"}
    assert (await call("memories.search_index", asked))["hits"][0]["id"] == id
    assert len((await call("memories.derive", {"id": id}))["facts"]) == 2
    providers = (await call("memories.providers", {}))["providers"]
    assert {one["id"] for one in providers} == {"text", "vector"}
    body = await call("agent.ask", {"question": "Who books the ferry?", "project": "work.voyage"})
    assert body["known"] and "Grace" in body["answer"], body
    assert body["citations"][0]["sentence"].startswith("Grace books the ferry"), body
    more = {"question": "Where to?", "project": "work.voyage", "session_id": body["sessionId"]}
    assert (await call("agent.ask", more))["sessionId"] == body["sessionId"]


async def listed_in(call: Call, tool: str) -> list[dict[str, Any]]:
    return (await call(tool, {"project": "work.voyage"}))["memories"]
