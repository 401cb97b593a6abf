"""The toolset `assistant`: save and recall documents, for chat assistants."""

from typing import Annotated, Any, NotRequired

from mcp_types import CallToolResult
from pydantic import Field
from typing_extensions import TypedDict

from remem.core.search.excerpt import excerpt
from remem.surfaces.mcp.calls import NOTE, answer, as_json, get, memory, present
from remem.surfaces.mcp.offer import ADDS, READS, offer
from remem.surfaces.mcp.pages import HitMetadata, Page, hit_metadata, metadata_notes, read_page
from remem.surfaces.mcp.recording import record_search, record_use

_PREVIEW_CHARS = 1_500
_NODES = 50
_SEARCHED = 10


class Saved(TypedDict):
    id: str
    title: str
    chunk_count: int
    status: str


class Result(HitMetadata):
    id: str
    title: str
    score: float
    content: str
    source: str


class Recalled(TypedDict):
    results: list[Result]


class Project(TypedDict):
    id: str
    name: str
    document_count: int


class Projects(TypedDict):
    projects: list[Project]


class Graph(TypedDict):
    nodes: list[dict[str, Any]]
    edges: list[dict[str, Any]]


class Who(TypedDict):
    email: str
    name: str
    organization_name: str


class Hit(TypedDict):
    id: str
    title: str
    url: str
    metadata: NotRequired[HitMetadata]


class Hits(TypedDict):
    results: list[Hit]


async def save(
    content: Annotated[str, Field(description="The content to save to memory")],
    title: Annotated[
        str | None, Field(description="A short descriptive title for this memory")
    ] = None,
    project: Annotated[
        str | None,
        Field(description="Project/space name to save to (uses default if not specified)"),
    ] = None,
    tags: Annotated[list[str] | None, Field(description="Tags to categorize this memory")] = None,
) -> CallToolResult:
    saved = await memory().save(content, title=title, project=project, tags=tags)
    verb = "Known already" if saved["duplicate"] else "Saved"
    later = "" if saved["status"] == "done" else f"; {saved['status']}, findable soon"
    text = f'{verb}: "{saved["title"]}" ({_count(saved["chunk_count"], "chunk")}{later})'
    return answer(text, {name: saved[name] for name in Saved.__annotations__})


async def recall(
    query: Annotated[str, Field(description="Natural language search query")],
    project: Annotated[
        str | None, Field(description="Project/space to search in (searches all if not specified)")
    ] = None,
    limit: Annotated[
        int,
        Field(
            ge=1,
            le=100,
            description="Maximum number of results (default: 5)",
            json_schema_extra={"type": "number"},
        ),
    ] = 5,
    tags: Annotated[
        list[str] | None, Field(description="Only items with all of these tags")
    ] = None,
    since: Annotated[str | None, Field(description="Saved at or after this time, ISO 8601")] = None,
    until: Annotated[str | None, Field(description="Saved before this time, ISO 8601")] = None,
) -> CallToolResult:
    filters = present(tags=tags, created_after=since, created_before=until)
    # An assistant waits for seconds anyway; where nothing can read, the answer is that of balanced.
    found = await memory().recall(
        query, project=project, limit=limit, filters=filters or None, mode="best"
    )
    results = [_result(one, query) for one in found["results"]]
    await record_search(query, [one["id"] for one in results])
    texts = [
        f"[{place}] {one['title']} (score: {one['score']:.2f})\n{one['content']}{_notes(one)}"
        f"\nSource: {one['source']} (id: {one['id']})"
        for place, one in enumerate(results, start=1)
    ]
    unreadable = found["unreadable"]
    texts += [f"{one['id']}: {one['error']}" for one in unreadable]
    text = "\n\n---\n\n".join(texts)
    return answer(
        f"{NOTE}\n\n{text}" if text else "No memories found.",
        {"results": results, **({"unreadable": unreadable} if unreadable else {})},
    )


async def list_projects() -> CallToolResult:
    projects = await memory().projects()
    lines = [f"{one['name']} ({_count(one['document_count'], 'document')})" for one in projects]
    return answer("\n".join(lines), {"projects": projects})


async def memory_graph(project: str | None = None) -> CallToolResult:
    graph = await get("/v3/memory-graph", project=project, limit=_NODES)
    labels = {node["id"]: node["label"] for node in graph["nodes"]}
    nodes = [f"{one['label']} ({one['type']})" for one in graph["nodes"]]
    edges = [
        f"{labels[one['source']]} → {one['relation']} → {labels[one['target']]}"
        for one in graph["edges"]
    ]
    text = "\n".join([NOTE, "Nodes:", *nodes, "Edges:", *edges]) if nodes else "Nothing yet."
    return answer(text, graph)


async def who_am_i() -> CallToolResult:
    who = await memory().whoami()
    return answer(f"{who['name']} <{who['email']}>, {who['organization_name']}", who)


async def search(query: str) -> CallToolResult:
    found = await get("/api/memories/search-index", query=query, limit=_SEARCHED)
    hits = {one["id"]: one for one in map(_hit, found["hits"])}
    await record_search(query, [one["id"] for one in found["hits"]])
    return as_json({"results": list(hits.values())}, note=False)


async def fetch(id: Annotated[str, Field(description="From search")]) -> CallToolResult:
    page = await read_page(id)
    await record_use([page["id"].rpartition("/")[2]])
    return as_json(dict(page), note=False)


TOOLS = (
    offer(
        save,
        "memory",
        "Save content to long-term memory for later recall. Use this when the user asks you to"
        " remember something, save a piece of information, or store content for later.",
        ADDS,
        Saved,
    ),
    offer(
        recall,
        "recall",
        "Search through saved memories to find relevant information. Use this when the user asks"
        " about something they previously saved, or when you need context from past interactions.",
        READS,
        Recalled,
    ),
    offer(
        list_projects, "listProjects", "List all available memory projects/spaces", READS, Projects
    ),
    offer(
        memory_graph,
        "memory-graph",
        "Get a knowledge graph view of stored memories showing connections between topics",
        READS,
        Graph,
    ),
    offer(
        who_am_i,
        "whoAmI",
        "Get information about the current authenticated user",
        READS,
        Who,
    ),
    offer(search, "search", "Find documents and memories; fetch reads them", READS, Hits),
    offer(fetch, "fetch", "Read one search result whole", READS, Page),
)


def _result(found: dict[str, Any], query: str) -> Result:
    best = max(found["chunks"], key=lambda chunk: chunk["score"])
    saved_as = "memory" if found["kind"] == "memory" else "saved note"
    return {
        "id": found["id"],
        "title": found["title"],
        "score": found["score"],
        "content": excerpt(best["content"], query, _PREVIEW_CHARS),
        "source": found["source_url"] or saved_as,
        **hit_metadata(best),
    }


def _notes(result: Result) -> str:
    return "".join(f"\n{note}" for note in metadata_notes(dict(result)))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _hit(hit: dict[str, Any]) -> Hit:
    chunk = hit["kind"] == "chunk"
    id = f"document/{hit['documentId']}" if chunk else f"memory/{hit['id']}"
    shown: Hit = {"id": id, "title": hit["title"], "url": hit.get("sourceUrl") or f"remem://{id}"}
    if metadata := hit_metadata(hit):
        shown["metadata"] = metadata
    return shown
