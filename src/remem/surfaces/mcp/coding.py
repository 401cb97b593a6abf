"""The toolset `coding`: atomic memories for coding agents."""

from typing import Annotated, Any, NotRequired

from mcp_types import CallToolResult
from pydantic import Field
from typing_extensions import TypedDict

from remem.core.judgements import Category
from remem.surfaces.mcp.calls import client, get, json_result, send, text_result, without_none
from remem.surfaces.mcp.ids import memory_id
from remem.surfaces.mcp.recording import record_search
from remem.surfaces.mcp.tool_definition import ADDITIVE, DESTRUCTIVE, READ_ONLY, define_tool

Content = Annotated[str, Field(description="One clean, self-contained statement")]
Kind = Annotated[Category | None, Field(description="The kind of statement")]
Project = Annotated[str | None, Field(description="Project name")]
Id = Annotated[str, Field(description="The memory's id, from search_memory or save_memory")]


class Saved(TypedDict):
    id: str
    status: Annotated[str, Field(description="saved, updated, extended or duplicate")]
    superseded: NotRequired[str]
    existingId: NotRequired[str]
    addedTags: NotRequired[Annotated[list[str], Field(description="Of a duplicate")]]
    notTaken: NotRequired[Annotated[list[str], Field(description="Of a duplicate: kept as it was")]]


class Relevant(TypedDict):
    id: str
    kind: Annotated[str, Field(description="memory, or chunk of a document")]
    content: str
    category: str
    relevance: float
    created: str


class SearchResults(TypedDict):
    found: int
    memories: list[Relevant]


class Forgotten(TypedDict):
    id: str
    status: str


class Updated(TypedDict):
    id: str
    status: str
    version: int
    content: str
    category: str
    project: str


async def save_memory(
    content: Content, category: Kind = None, project: Project = None
) -> CallToolResult:
    saved = await send(
        "POST", "/api/memories", content=content, category=category, project=project, source="mcp"
    )
    result = {name: saved.get(name) or None for name in Saved.__annotations__}
    return json_result(without_none(**result), note=False)


async def search_memory(
    query: Annotated[str, Field(description="What to search for, in any words")],
    limit: Annotated[
        int, Field(ge=1, le=10, description="At most 10", json_schema_extra={"type": "number"})
    ] = 5,
    category: Kind = None,
    project: Project = None,
) -> CallToolResult:
    results = await get(
        "/api/memories/search", query=query, limit=limit, category=category, project=project
    )
    await record_search(query, [memory["id"] for memory in results["memories"]])
    return json_result(results) if results["found"] else text_result("No memories found.", results)


async def forget_memory(id: Id) -> CallToolResult:
    full = await memory_id(id)
    await client().request("DELETE", f"/api/memories/{full}")
    return json_result({"id": full, "status": "forgotten"}, note=False)


async def update_memory(
    id: Id,
    content: Annotated[str | None, Field(description="The new text")] = None,
    category: Kind = None,
    project: Annotated[str | None, Field(description="Project to move it to")] = None,
) -> CallToolResult:
    updated: dict[str, Any] = await send(
        "PUT",
        f"/api/memories/{await memory_id(id)}",
        content=content,
        category=category,
        project=project,
    )
    result = {name: updated[name] for name in Updated.__annotations__ if name != "status"}
    return json_result({**result, "status": "updated"})


TOOLS = (
    define_tool(
        save_memory,
        "save_memory",
        "Save a preference, fact, decision or piece of context worth keeping between sessions."
        " What it replaces or repeats is detected automatically.",
        ADDITIVE,
        Saved,
    ),
    define_tool(
        search_memory,
        "search_memory",
        "Search memories for relevant preferences, facts and decisions before starting a task.",
        READ_ONLY,
        SearchResults,
    ),
    define_tool(
        forget_memory,
        "forget_memory",
        "Forget a memory that is wrong or no longer wanted, with its versions.",
        DESTRUCTIVE,
        Forgotten,
    ),
    define_tool(
        update_memory,
        "update_memory",
        "Change a memory. New content creates a version with its own id.",
        ADDITIVE,
        Updated,
    ),
)
