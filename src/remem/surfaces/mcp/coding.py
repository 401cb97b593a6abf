"""The toolset `coding`: atomic memories for coding agents."""

from typing import Annotated, Any, NotRequired

from mcp_types import CallToolResult
from pydantic import Field
from typing_extensions import TypedDict

from remem.core.judgements import Category
from remem.surfaces.mcp.calls import answer, as_json, get, memory, present, send
from remem.surfaces.mcp.ids import memory_id
from remem.surfaces.mcp.offer import ADDS, FORGETS, READS, offer
from remem.surfaces.mcp.recording import record_search

Content = Annotated[str, Field(description="One clean, self-contained statement")]
Kind = Annotated[Category | None, Field(description="The kind of statement")]
Project = Annotated[str | None, Field(description="Project name")]
Id = Annotated[str, Field(description="The memory's id, from search_memory or save_memory")]


class Saved(TypedDict):
    id: str
    status: Annotated[str, Field(description="saved, updated, extended or duplicate")]
    superseded: NotRequired[str]
    existingId: NotRequired[str]


class Relevant(TypedDict):
    id: str
    kind: Annotated[str, Field(description="memory, or chunk of a document")]
    content: str
    category: str
    relevance: float
    created: str


class Found(TypedDict):
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
    kept = {name: saved[name] for name in Saved.__annotations__}
    return as_json(present(**kept), note=False)


async def search_memory(
    query: Annotated[str, Field(description="What to search for, in any words")],
    limit: Annotated[
        int, Field(ge=1, le=10, description="At most 10", json_schema_extra={"type": "number"})
    ] = 5,
    category: Kind = None,
    project: Project = None,
) -> CallToolResult:
    found = await get(
        "/api/memories/search", query=query, limit=limit, category=category, project=project
    )
    await record_search(query, [one["id"] for one in found["memories"]])
    return as_json(found) if found["found"] else answer("No memories found.", found)


async def forget_memory(id: Id) -> CallToolResult:
    full = await memory_id(id)
    await memory().request("DELETE", f"/api/memories/{full}")
    return as_json({"id": full, "status": "forgotten"}, note=False)


async def update_memory(
    id: Id,
    content: Annotated[str | None, Field(description="The new text")] = None,
    category: Kind = None,
    project: Annotated[str | None, Field(description="Project to move it to")] = None,
) -> CallToolResult:
    changed: dict[str, Any] = await send(
        "PUT",
        f"/api/memories/{await memory_id(id)}",
        content=content,
        category=category,
        project=project,
    )
    kept = {name: changed[name] for name in Updated.__annotations__ if name != "status"}
    return as_json({**kept, "status": "updated"})


TOOLS = (
    offer(
        save_memory,
        "save_memory",
        "Save a preference, fact, decision or piece of context worth keeping between sessions."
        " What it replaces or repeats is found by itself.",
        ADDS,
        Saved,
    ),
    offer(
        search_memory,
        "search_memory",
        "Search memories for relevant preferences, facts and decisions before starting a task.",
        READS,
        Found,
    ),
    offer(
        forget_memory,
        "forget_memory",
        "Forget a memory that is wrong or no longer wanted, with its versions.",
        FORGETS,
        Forgotten,
    ),
    offer(
        update_memory,
        "update_memory",
        "Change a memory. New content creates a version with its own id.",
        ADDS,
        Updated,
    ),
)
