"""Calls every tool once, as a client would; imports only the standard library, for any client.

`call` takes a tool's name and arguments, returns its structured content, and raises on an error.
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
DEFAULT = {"save", "recall", "ask", "open", "forget"}
FILES = {"ls", "grep", "cat"}
ALL_TOOLS = DEFAULT | ASSISTANT | CODING | PLATFORM | FILES

UNKNOWN_ID = "01900000-0000-7000-8000-000000000000"


async def call_all_tools(call: Call) -> None:
    called: set[str] = set()

    async def recording_call(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        called.add(name)
        return await call(name, arguments)

    await asyncio.gather(
        call_assistant_tools(recording_call),
        call_coding_tools(recording_call),
        call_platform_tools(recording_call),
    )
    # They add a document, and the first ones count those.
    await call_default_tools(recording_call)
    assert called == ALL_TOOLS, ALL_TOOLS ^ called


async def call_assistant_tools(call: Call) -> None:
    content = "Ada keeps the spare key of the observatory under the third stone."
    saved = await call("memory", {"content": content, "title": "Spare key", "tags": ["home"]})
    assert saved["title"] == "Spare key" and saved["chunk_count"] == 1, saved
    again = await call("memory", {"content": content})
    assert again["id"] == saved["id"]
    recalled = await call("recall", {"query": "where is the observatory key?", "limit": 3})
    assert recalled["results"][0]["id"] == saved["id"], recalled
    assert recalled["results"][0]["content"] == content
    projects = await call("listProjects", {})
    assert sum(project["document_count"] for project in projects["projects"]) == 1
    graph = await call("memory-graph", {})
    assert saved["id"] in {node["id"] for node in graph["nodes"]}, graph
    assert "@" in (await call("whoAmI", {}))["email"]
    hits = (await call("search", {"query": "observatory key"}))["results"]
    document = next(hit for hit in hits if saved["id"] in hit["id"])
    assert set(document) == {"id", "title", "url"}
    page = await call("fetch", {"id": document["id"]})
    assert page["text"] == content and page["title"] == "Spare key" and page["url"]


async def call_default_tools(call: Call) -> None:
    """The five tools, and the files that they make."""
    lines = [f"Step {number}: turn valve {number}." for number in range(1, 9)]
    text = "\n".join(["# Start", *lines[:4], "# Stop", *lines[4:]])
    body = {"content": text, "title": "The boiler: start/stop", "project": "cellar"}
    saved = await call("save", body)
    assert saved["title"] == body["title"], saved
    recalled = await call("recall", {"query": "boiler valve", "project": "cellar"})
    assert recalled["results"][0]["id"] == saved["id"], recalled
    question = {"question": "Who keeps the key of the cellar?", "project": "cellar"}
    assert not (await call("ask", question))["known"]
    opened = await call("open", {"id": saved["id"], "lines": "2-3"})
    assert opened["text"] == "\n".join(lines[:2]) and opened["lines"] == 10, opened
    assert (await call("open", {"id": "profile"}))["id"] == "profile"
    folders = (await call("ls", {}))["entries"]
    assert "/cellar" in {entry["path"] for entry in folders}, folders
    [file] = (await call("ls", {"path": "/cellar"}))["entries"]
    assert file["path"].startswith("/cellar/The-boiler-start-stop~"), file
    found = await call("grep", {"text": "valve 6", "path": "/cellar"})
    assert found["lines"] == [{"path": file["path"], "line": 8, "text": lines[5]}], found
    assert not (await call("grep", {"text": "VALVE 6", "path": file["path"]}))["lines"]
    shouted = {"text": "VALVE 6", "path": file["path"], "ignore_case": True}
    assert len((await call("grep", shouted))["lines"]) == 1
    read = await call("cat", {"path": file["path"], "section": "stop"})
    assert read["text"] == "\n".join(["# Stop", *lines[4:]]), read
    begun = await call("cat", {"path": file["path"], "max_tokens": 50})
    assert begun["first_line"] == 1 and begun["last_line"] < begun["lines"], begun
    assert (await call("forget", {"id": saved["id"]}))["status"] == "forgotten"
    assert not (await call("ls", {"path": "/cellar"}))["entries"]


async def call_coding_tools(call: Call) -> None:
    content = "We indent the parser's code with four spaces."
    body = {"content": content, "category": "preference", "project": "parser"}
    saved = await call("save_memory", body)
    assert saved["status"] == "saved", saved
    again = await call("save_memory", body)
    assert again["status"] == "duplicate" and again["existingId"] == saved["id"], again
    query = {"query": "indentation of code", "limit": 2, "project": "parser"}
    searched = await call("search_memory", query)
    assert searched["found"] == 1 and searched["memories"][0]["content"] == content, searched
    changed = await call(
        "update_memory", {"id": saved["id"], "content": f"{content[:-1]}, always."}
    )
    assert changed["version"] == 2 and changed["project"] == "parser", changed
    assert (await call("forget_memory", {"id": changed["id"]}))["status"] == "forgotten"
    assert (await call("search_memory", query))["found"] == 0


async def call_platform_tools(call: Call) -> None:
    project = await call("projects.create", {"name": "Voyage", "slug": "work.voyage"})
    listed = await call("projects.list", {})
    assert project["id"] in {entry["id"] for entry in listed["projects"]}
    memory_fields = {
        "content": "Grace books the ferry to Malmö. Grace packs the blue tent.",
        "title": "Ferry",
        "category": "task",
        "project_id": project["id"],
        "tags": ["travel"],
        "due_at": "2999-01-01T00:00:00Z",
    }
    saved = await call("memories.create", memory_fields)
    id = saved["id"]
    assert (await call("memories.get", {"id": id}))["content"] == memory_fields["content"]
    assert [memory["id"] for memory in (await list_memories(call, "memories.list"))] == [id]
    assert [memory["id"] for memory in (await list_memories(call, "memories.timeline"))] == [id]
    assert [
        memory["id"] for memory in (await list_memories(call, "memories.foresight_active"))
    ] == [id]
    batch = await call("memories.batch_get", {"ids": [id, UNKNOWN_ID]})
    assert [memory["id"] for memory in batch["memories"]] == [id] and batch["missing"] == [
        UNKNOWN_ID
    ]
    query = {"query": "ferry", "project": "work.voyage", "mode": "fast"}
    assert (await call("memories.search_index", query))["hits"][0]["id"] == id
    assert len((await call("memories.derive", {"id": id}))["facts"]) == 2
    providers = (await call("memories.providers", {}))["providers"]
    assert {provider["id"] for provider in providers} == {"text", "vector"}
    memory_fields = await call(
        "agent.ask", {"question": "Who books the ferry?", "project": "work.voyage"}
    )
    assert memory_fields["known"] and "Grace" in memory_fields["answer"], memory_fields
    assert memory_fields["citations"][0]["sentence"].startswith("Grace books the ferry"), (
        memory_fields
    )
    follow_up = {
        "question": "Where to?",
        "project": "work.voyage",
        "session_id": memory_fields["sessionId"],
    }
    assert (await call("agent.ask", follow_up))["sessionId"] == memory_fields["sessionId"]


async def list_memories(call: Call, tool: str) -> list[dict[str, Any]]:
    return (await call(tool, {"project": "work.voyage"}))["memories"]
