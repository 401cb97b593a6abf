"""The toolset `platform`: memories and projects in the JSON of the API, for agents."""

from typing import Annotated, Any, Literal
from uuid import UUID

from mcp_types import CallToolResult
from pydantic import Field

from remem.core.judgements import Category
from remem.surfaces.hit_notes import with_notes
from remem.surfaces.mcp.calls import NOTE, get, json_result, send, text_result
from remem.surfaces.mcp.ids import memory_id
from remem.surfaces.mcp.platform_shapes import (
    AskedOut,
    BatchOut,
    DerivedOut,
    DueOut,
    IndexOut,
    MemoryOut,
    MemoryPage,
    ProjectList,
    ProjectOut,
    ProvidersOut,
    SavedOut,
)
from remem.surfaces.mcp.recording import record_search, record_use
from remem.surfaces.mcp.tool_definition import ADDITIVE, READ_ONLY, define_tool

Id = Annotated[str, Field(description="The memory's id")]
Kind = Annotated[Category | None, Field(description="Only this category")]
Project = Annotated[str | None, Field(description="Id, slug, path or name; all if absent")]
Limit = Annotated[int, Field(ge=1, le=100)]
Cursor = Annotated[str | None, Field(description="next_cursor of the page before")]
Moment = Annotated[str | None, Field(description="ISO 8601, e.g. 2027-01-31T09:00:00Z")]


async def list_projects() -> CallToolResult:
    return json_result(await get("/api/projects"))


async def create_project(
    name: str,
    description: str | None = None,
    slug: Annotated[str | None, Field(description="Dotted path; from the name if absent")] = None,
) -> CallToolResult:
    created = await send("POST", "/api/projects", name=name, description=description, slug=slug)
    return json_result(created)


async def search_index(
    query: str,
    project: Project = None,
    category: Kind = None,
    mode: Literal["fast", "balanced", "deep", "best"] | None = None,
    documents: Annotated[bool | None, Field(description="Pieces of documents too")] = None,
    vector: Annotated[bool | None, Field(description="By meaning too")] = None,
    as_of: Moment = None,
    limit: Limit = 10,
) -> CallToolResult:
    index = await get(
        "/api/memories/search-index",
        query=query,
        project=project,
        category=category,
        mode=mode,
        documents=documents,
        vector=vector,
        as_of=as_of,
        limit=limit,
    )
    await record_search(query, [hit["id"] for hit in index["hits"]])
    return json_result(index) if index["hits"] else text_result("No memories found.", index)


async def get_memory(id: Id) -> CallToolResult:
    memory = await get(f"/api/memories/{await memory_id(id)}")
    await record_use([memory["id"]])
    return json_result(memory)


async def create_memory(
    content: Annotated[str, Field(description="One statement; Markdown if you like")],
    title: str | None = None,
    category: Annotated[Category | None, Field(description="fact if absent")] = None,
    project: Annotated[str | None, Field(description="Name or path; created on first use")] = None,
    project_id: Annotated[UUID | None, Field(description="A project by its id instead")] = None,
    tags: list[str] | None = None,
    confidence: Annotated[float | None, Field(ge=0, le=1)] = None,
    context: dict[str, Any] | None = None,
    due_at: Moment = None,
    valid_until: Moment = None,
) -> CallToolResult:
    saved = await send(
        "POST",
        "/api/memories",
        content=content,
        title=title,
        category=category,
        project=project,
        project_id=str(project_id) if project_id else None,
        tags=tags,
        confidence=confidence,
        context=context,
        due_at=due_at,
        valid_until=valid_until,
        source="mcp",
    )
    return json_result(saved)


async def list_memories(
    project: Project = None,
    category: Kind = None,
    tags: Annotated[list[str] | None, Field(description="All of these")] = None,
    limit: Limit = 20,
    cursor: Cursor = None,
) -> CallToolResult:
    page = await get(
        "/api/memories", project=project, category=category, tags=tags, limit=limit, cursor=cursor
    )
    return json_result(page)


async def batch_get(
    ids: Annotated[list[UUID], Field(description="Up to 100 ids")],
) -> CallToolResult:
    batch = await send("POST", "/api/memories/batch-get", ids=[str(id) for id in ids])
    await record_use([memory["id"] for memory in batch["memories"]])
    return json_result(batch)


async def timeline(
    project: Project = None,
    category: Kind = None,
    since: Moment = None,
    until: Moment = None,
    limit: Limit = 20,
    cursor: Cursor = None,
) -> CallToolResult:
    page = await get(
        "/api/memories/timeline",
        project=project,
        category=category,
        since=since,
        until=until,
        limit=limit,
        cursor=cursor,
    )
    return json_result(page)


async def derive(id: Id) -> CallToolResult:
    return json_result(await send("POST", f"/api/memories/{await memory_id(id)}/derive"))


async def foresight_active(
    project: Project = None,
    overdue: Annotated[bool, Field(description="Include overdue ones")] = False,
    limit: Limit = 20,
) -> CallToolResult:
    due = await get("/api/memories/foresight/active", project=project, overdue=overdue, limit=limit)
    return json_result(due)


async def providers() -> CallToolResult:
    return json_result(await get("/api/memories/providers"), note=False)


async def ask(
    question: str,
    project: Project = None,
    session_id: Annotated[
        UUID | None, Field(description="sessionId of the answer before, for a follow-up")
    ] = None,
    as_of: Moment = None,
) -> CallToolResult:
    reply = await send(
        "POST",
        "/api/agent/ask",
        question=question,
        project=project,
        session_id=str(session_id) if session_id else None,
        as_of=as_of,
        agent="mcp",
    )
    lines = [NOTE, reply["answer"]]
    lines += [
        f"[{citation['number']}] {with_notes(citation['sentence'], citation)}"
        for citation in reply["citations"]
    ]
    return text_result("\n".join(lines), reply)


TOOLS = (
    define_tool(list_projects, "projects.list", "List projects.", READ_ONLY, ProjectList),
    define_tool(
        create_project,
        "projects.create",
        "Create a project, and the missing parents of its path.",
        ADDITIVE,
        ProjectOut,
    ),
    define_tool(
        search_index,
        "memories.search_index",
        "Search memories and documents: compact ranked hits, from which to choose.",
        READ_ONLY,
        IndexOut,
    ),
    define_tool(get_memory, "memories.get", "Read one memory.", READ_ONLY, MemoryOut),
    define_tool(
        create_memory,
        "memories.create",
        "Save a memory; updates and duplicates of others are detected.",
        ADDITIVE,
        SavedOut,
    ),
    define_tool(
        list_memories, "memories.list", "List memories, newest first.", READ_ONLY, MemoryPage
    ),
    define_tool(
        batch_get,
        "memories.batch_get",
        "Read several memories, in the order of their ids.",
        READ_ONLY,
        BatchOut,
    ),
    define_tool(
        timeline, "memories.timeline", "List what happened, latest first.", READ_ONLY, MemoryPage
    ),
    define_tool(
        derive,
        "memories.derive",
        "Split a memory into atomic facts and due items, saved as memories.",
        ADDITIVE,
        DerivedOut,
    ),
    define_tool(
        foresight_active,
        "memories.foresight_active",
        "List upcoming deadlines, next first.",
        READ_ONLY,
        DueOut,
    ),
    define_tool(
        providers, "memories.providers", "List search methods and models.", READ_ONLY, ProvidersOut
    ),
    define_tool(
        ask,
        "agent.ask",
        "Answer a question from what is saved, with citations, or say it is unknown.",
        READ_ONLY,
        AskedOut,
    ),
)
